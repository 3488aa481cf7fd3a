import { counted } from '../../language/index.ts'
import { recordAddress } from '../addresses.ts'
import { RECORD } from '../assets.ts'
import { type Content, html } from '../html.ts'
import { label } from '../label.ts'
import { drawPolynym, drawSmallPolynym, inPage, ornament, polynymOf } from '../pictures/index.ts'
import { shortened } from '../texts/marked.ts'
import { AREA, MAKER } from './common-facets.ts'
import type { Body, ExplorerVisit, KindFile, Shown } from './kind.ts'
import { type Related, sharing, surroundings, unfolded, word } from './surroundings.ts'

export const polynym: KindFile = {
  name: 'polynym',
  part: 'sets',
  offered: { title: 'Areas', member: 'area' },
  facets: { mode: 'Mode', ...AREA, depth: 'Words', ...MAKER },
  gistOf,
  detailOf: (record) => shortened(polynymOf(record).terms.join(', '), 160),
  companyOf: (record, isIt) =>
    polynymOf(record)
      .terms.filter((text) => !isIt(text))
      .map((text) => ({ text })),
  insideOf: (record) =>
    html`<p class="gist">${glyph(record['mode'])} ${gistOf(record)}</p>
      <ol class=${`terms ${record['mode']}`} dir="auto">${polynymOf(record).terms.map((term) => html`<li>${shortened(term, 60)}</li>`)}</ol>`,
  draw: drawPolynym,
  usesLink: 'Polysets, vectornyms and polymaps with it',
  body,
  form: {
    about: 'Two to twelve words in order: the parts of a whole, the types of a thing, the steps of a process.',
    shelf: 'Sets',
    words: { mode: { label: 'What the words are' } },
    slots: { p: { label: 'Words', each: 'Word' } },
    picture,
  },
}

function gistOf({ mode, depth }: Shown): string {
  return counted(depth, mode)
}

/** A small symbol for the mode of a polynym: a ring of parts, a tree of types, stairs of steps. */
function glyph(mode: string): Content {
  const drawn: Readonly<Record<string, Content>> = {
    part: html`<path d="M8 2a6 6 0 0 1 6 6M14 8.9a6 6 0 0 1-5.2 5M7 13.9a6 6 0 0 1-5-6M2.1 7A6 6 0 0 1 7 2.1" />`,
    type: html`<path d="M3 8c4 0 3-5 9-5M3 8h9M3 8c4 0 3 5 9 5" />`,
    step: html`<path d="M1.5 13.5h4V9.8h4V6h4V2.5" />`,
  }
  return html`<svg class="glyph" viewBox="0 0 16 16" aria-hidden="true">${drawn[mode]}</svg>`
}

/** People read sentences, and do not look them up. */
const MOST_WORDS = 5

/** More terms are shown in two columns. */
const MANY = 6

async function body(visit: ExplorerVisit, record: Shown, used: Promise<Content>): Promise<Body> {
  const { terms } = polynymOf(record)
  const [around, uses] = await Promise.all([surroundings(visit, 'polynym', record, terms), used])
  const others = around.senses.map((each): Related => ({ resource: 'polynym', shared: [each['name']], record: each }))
  return {
    scripts: [RECORD],
    beside: html`<h2>${label('mode', MODES[record['mode']] ?? 'Its words')}</h2>
      <ol class=${['words', record['mode'] !== 'step' && 'unordered', terms.length > MANY && 'many'].filter(Boolean).join(' ')} dir="auto">
        ${terms.map(
          (term) =>
            html`<li>${term.split(/\s+/).length > MOST_WORDS ? term : word(term)}${unfolded(around.nested.get(term) ?? [])}</li>`,
        )}
      </ol>
      <p class="by"><a href=${`/feel/?polynym=${record['polynym_id']}`}>Which one is a text near to?</a></p>`,
    below: html`${uses} ${sharing([...others, ...around.related], visit.kinds)}`,
  }
}

const MODES: Readonly<Record<string, string>> = { part: 'Its parts', type: 'Its types', step: 'Its steps' }

/** A polynym as a small picture and its terms, which link to its page. */
export function polynymTile(record: Shown): Content {
  return html`<a class="card tile signed" href=${recordAddress('polynym', record)}>
    ${ornament(drawSmallPolynym(record))}
    <span><b>${record['name']}</b> ${polynymOf(record).terms.join(' · ')}</span>
  </a>`
}

/** The words so far, drawn as the polynym that they would make. */
function picture(values: Readonly<Record<string, string>>): Content {
  const terms = Array.from({ length: 12 }, (_, i) => values[`p${i + 1}`] ?? '').filter((term) => term !== '')
  if (terms.length < 2) return html`<p class="soft">Two words, and it is drawn here.</p>`
  const slots = Object.fromEntries(terms.map((term, i) => [`p${i + 1}`, term]))
  const mode = values['mode'] || 'part'
  return inPage(drawPolynym({ name: values['name'] || '?', mode, depth: terms.length, ...slots }))
}
