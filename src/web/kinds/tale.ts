import { counted } from '../../language/index.ts'
import { html } from '../html.ts'
import { AREA, MAKER } from './facets.ts'
import type { KindFile } from './kind.ts'

export const tale: KindFile = {
  name: 'tale',
  does: 'A fable told with chosen topics.',
  part: 'stories',
  facets: { ...AREA, ...MAKER },
  gistOf: ({ fable }) => `after ${fable.name}`,
  insideOf: ({ length, fable }) =>
    html`<p class="gist">${counted(length, 'topic')}</p>
      <p class="members">after ${fable.name}</p>`,
}
