/** The front page. */
import type { PageRoute } from '../../http/index.ts'
import { html } from '../html.ts'
import { layout } from '../layout.ts'

export const home: PageRoute = {
  path: '/',
  title: 'Nymdex',
  async GET({ visitor }) {
    return { page: layout({ title: 'Nymdex', user: visitor?.name, main: html`<h1>Words, in sets</h1>` }) }
  },
}
