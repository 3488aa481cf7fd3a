/** The preview of a word: the word, and the sets that contain it, in the colours of their slots. */
import { counted } from '../../language/index.ts'
import { type Place, placesOf, spellingsIn } from '../explorer/word-places.ts'
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

/** As the API says where a term is used; the word as sets write it, or as it is given. */
export function wordPreview({ count, sets, texts }: Shown, given: string, kinds: Kinds): Drawing {
  const places = placesOf(sets, kinds)
  const [word = given] = spellingsIn(places)
  const gist = `in ${counted(count, 'set')} and ${counted(texts.count, 'text')}`
  const rows = places.slice(0, MOST).map(rowOf)
  if (rows.length === 0) return textCard({ kind: 'Word', attribution: gist }, word, [])
  return drawingCard(
    { kind: 'Word', title: word, gist, by: undefined },
    {
      width: WIDTH,
      height: Math.max(rows.length, 3) * ROW,
      label: `${word}: ${rows.map(({ name, place }) => `${place} ${name}`).join(', ')}`,
      content: rows.map((row, i) => drawRow(row, near((i + 0.5) * ROW))),
    },
  )
}

interface Row {
  readonly slot: string
  readonly name: string
  readonly place: string
}

function rowOf({ slot, kind, record }: Place): Row {
  const name = kind.nameOf(record)
  if (slot === 'n' && kind.senseOf) return { slot, name: kind.senseOf(record), place: 'topic of' }
  const place = slot === 'n' ? undefined : SLOTS[slot]
  return place ? { slot, name, place: `${place} of` } : { slot: 'p', name, place: kind.one.toLowerCase() }
}

function drawRow({ slot, name, place }: Row, y: number): Content {
  const isSlot = slot !== 'p'
  const text = fit(name, { width: 310, lines: 1, sizes: [28, 26, 24, 22] })
  return html`${isSlot ? html`<circle class=${`pill ${slot}`} cx="12" cy=${y} r="10" stroke-width="2" />` : html`<circle class="dot" cx="12" cy=${y} r="6" />`}
    <text class="quiet" x="40" y=${near(y + 7)} font-size="22">${place}</text>
    ${block(text, { x: 200, y, anchor: 'start', class: isSlot ? slot : undefined })}`
}
