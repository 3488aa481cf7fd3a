/** The page of a text with open topics: the text told with topics of the visitor's choice, and where it is used. */
import { TURN_PANEL } from '../assets.ts'
import { type Content, html } from '../html.ts'
import { turnPanel } from '../texts/turn-panel.ts'
import type { Body, ExplorerVisit, Shown } from './kind.ts'

export const openBody =
  (kind: string) =>
  async (visit: ExplorerVisit, record: Shown, uses: Promise<Content>): Promise<Body> => {
    const [turned, below] = await Promise.all([turnPanel(visit, kind, record), uses])
    return {
      scripts: [TURN_PANEL],
      beside: html`<div class="telling"><div>${turned.told} ${turned.views} ${telling(kind, record)}</div>${turned.panel}</div>`,
      below,
      told: turned,
    }
  }

/** Where the text can be told with more than one choice at once. */
function telling(kind: string, record: Shown): Content {
  const id = record[`${kind}_id`]
  return kind === 'phrase'
    ? html`<p class="by">
        <a href=${`/tell/?phrase=${id}`}>Tell it with seven topics</a> · <a href=${`/bench/results/?phrase=${id}`}>Does it read well?</a>
      </p>`
    : html`<p class="by"><a href=${`/tell/tale/?fable=${id}`}>Make a tale of it</a></p>`
}
