/** The page for what cannot be shown. */
import type { ErrorView } from '../http/index.ts'
import { html } from './html.ts'
import { layout } from './layout.ts'

const TITLES: Readonly<Record<number, string>> = {
  400: 'That does not work',
  401: 'Sign in first',
  403: 'That is not yours to do',
  404: 'There is nothing here',
  405: 'That does not work',
  409: 'It is still in use',
  429: 'Too fast',
  503: 'That takes too long',
}

export function renderError({ status, json, here, user }: ErrorView): string {
  const title = TITLES[status] ?? 'Something went wrong'
  const next = encodeURIComponent(here)
  return layout({
    title,
    user,
    here,
    main: html`<div class="state">
      <p class="kind">${status}</p>
      <h1>${title}</h1>
      <p>${json?.detail ?? 'The request could not be answered.'}</p>
      <p>
        ${status === 401 && html`<a class="btn go" href=${`/accounts/login/?next=${next}`}>Sign in</a> `}
        <a class="btn" href="/">To the front page</a>
      </p>
    </div>`,
  })
}
