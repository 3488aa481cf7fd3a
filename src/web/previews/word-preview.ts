/** The preview of a word: the word, and the sets that contain it, in the colours of their slots. */
import { counted } from '../../language/index.ts'
import { type Content, html } from '../html.ts'
import type { Kinds, Shown } from '../kinds/index.ts'
import { block, type Drawing, near } from '../pictures/drawing.ts'
import { fit } from '../pictures/measure.ts'
import { SLOTS } from '../texts/tokens.ts'
import { drawingCard } from './card.ts'
import { textCard } from './text-card.ts'

const ROW = 64
const WIDTH = 520
const MOST = 7

interface Row {
  /** n, e, r, o, s, or p for a word of a polynym. */
  readonly slot: string
  readonly name: string
  readonly place: string
}

/** `json` is what the API says about a term. */
export function wordPreview({ term, count, sets, texts }: Shown, kinds: Kinds): Drawing {
  const gist = `in ${counted(count, 'set')} and ${counted(texts.count, 'text')}`
  const found: readonly Shown[] = sets
  const all = found.map((each) => rowOf(each, kinds))
  const rows = [...Object.keys(SLOTS), 'p'].flatMap((slot) => all.filter((row) => row.slot === slot)).slice(0, MOST)
  if (rows.length === 0) return textCard({ kind: 'Word', attribution: gist }, term, [])
  return drawingCard(
    { kind: 'Word', title: term, gist, by: undefined },
    {
      width: WIDTH,
      height: Math.max(rows.length, 3) * ROW,
      label: `${term}: ${rows.map(({ name, place }) => `${place} ${name}`).join(', ')}`,
      content: rows.map((row, i) => drawRow(row, near((i + 0.5) * ROW))),
    },
  )
}

function rowOf({ resource, slot, record }: Shown, kinds: Kinds): Row {
  const kind = kinds.get(resource)
  const name = kind.nameOf(record)
  if (slot === 'name') return { slot: 'n', name: kind.senseOf?.(record) ?? name, place: 'topic of' }
  const place = SLOTS[slot]
  return place ? { slot, name, place: `${place} of` } : { slot: 'p', name, place: `${kind.one.toLowerCase()}` }
}

function drawRow({ slot, name, place }: Row, y: number): Content {
  const isSlot = slot !== 'p'
  const text = fit(name, { width: 310, lines: 1, sizes: [28, 26, 24, 22] })
  return html`${isSlot ? html`<circle class=${`pill ${slot}`} cx="12" cy=${y} r="10" stroke-width="2" />` : html`<circle class="dot" cx="12" cy=${y} r="6" />`}
    <text class="quiet" x="40" y=${near(y + 7)} font-size="22">${place}</text>
    ${block(text, { x: 200, y, anchor: 'start', class: isSlot ? slot : undefined })}`
}
