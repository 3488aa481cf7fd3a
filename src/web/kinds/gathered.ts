/** Cards of records that contain others. */
import { type Content, html } from '../html.ts'
import { shortened } from '../texts/marked.ts'
import type { Shown } from './kind.ts'

const MOST_NAMES = 5

/** How many there are, and the names of the first. */
export function gathered(gist: string, members: readonly Shown[]): Content {
  const more = members.length - MOST_NAMES
  return html`<p class="gist">${gist}</p>
    <p class="members">${members
      .slice(0, MOST_NAMES)
      .map(({ name }) => shortened(name, 40))
      .join(', ')}${more > 0 && ` and ${more} more`}</p>`
}
