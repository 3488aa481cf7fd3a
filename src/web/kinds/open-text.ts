/** The page of a text with open topics: the text told with topics of the visitor's choice, and where it is used. */

import { tokens } from '../../language/index.ts'
import { TURN_PANEL } from '../assets.ts'
import { type Content, html } from '../html.ts'
import { tagInWords } from '../texts/tag-words.ts'
import { SLOTS } from '../texts/tokens.ts'
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
    ? html`${wordsTaken(record)}<p class="by">
        <a href=${`/tell/?phrase=${id}`}>Tell it with seven topics</a> · <a href=${`/bench/results/?phrase=${id}`}>Does it read well?</a>
      </p>`
    : html`<p class="by"><a href=${`/tell/tale/?fable=${id}`}>Make a tale of it</a></p>`
}

/** Which words of a topic a phrase takes, and as what: "expansive as verb, topic as noun". */
function wordsTaken({ qode }: Shown): Content {
  const taken = new Map<string, Set<string>>()
  for (const { slot, tag } of tokens(qode, { untagged: true })) {
    if (tag === undefined) continue
    const kind = tagInWords(tag.startsWith('NNP') ? 'NNP' : tag.slice(0, 2))
    taken.set(slot, (taken.get(slot) ?? new Set()).add(kind))
  }
  const words = Array.from(taken, ([slot, kinds]) => `${SLOTS[slot]} as ${[...kinds].join(' or ')}`)
  return words.length > 0 && html`<p class="by">Takes ${words.join(', ')}.</p>`
}
