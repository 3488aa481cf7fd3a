import { charactersIn, fits, partsOfSpeech, spin, tokens as tokensIn } from '../../language/index.ts'
import { recordAddress } from '../addresses.ts'
import { RECORD } from '../assets.ts'
import { type Content, html } from '../html.ts'
import { label } from '../label.ts'
import { recordLink } from '../links.ts'
import { drawQuadranym, drawSmallQuadranym, inPage, isBlank, POLES } from '../pictures/index.ts'
import { shortened } from '../texts/marked.ts'
import { tagInWords } from '../texts/tag-words.ts'
import { type Topic, termOf, tokens } from '../texts/tokens.ts'
import { AREA, MAKER, REALM } from './common-facets.ts'
import type { Body, ExplorerVisit, KindFile, Shown } from './kind.ts'
import { SENSES, sharing, surroundings, unfolded, word } from './surroundings.ts'

export const quadranym: KindFile = {
  name: 'quadranym',
  part: 'sets',
  offered: { title: 'Realms of life', member: 'realm' },
  facets: { ...REALM, ...AREA, ...MAKER },
  gistOf: ({ e, r, o, s }) => `${shownTerm(e)} and ${shownTerm(r)}, ${shownTerm(o)} and ${shownTerm(s)}`,
  senseOf: ({ e, r }) => `${shownTerm(e)}, ${shownTerm(r)}`,
  companyOf: ({ name, e, r, o, s }, isIt) =>
    Object.entries({ n: name, e, r, o, s })
      .filter(([, text]) => !isBlank(text) && !isIt(text))
      .map(([slot, text]) => ({ slot, text })),
  insideOf: ({ e, r, o, s }) =>
    html`<div class="poles">
      <span class="e">${shownTerm(e)}</span><span class="s">${shownTerm(s)}</span><i></i><span class="o">${shownTerm(o)}</span
      ><span class="r">${shownTerm(r)}</span>
    </div>`,
  draw: drawQuadranym,
  ways: (id) => ({ 'Open its words': `/nested/?quadranym=${id}` }),
  usesLink: 'Sets, sayings and stories with it',
  body,
  form: {
    about: 'A topic between four words: what it opens to, what it closes to, the thing, and how it feels.',
    shelf: 'Sets',
    words: {
      e: { label: 'Expansive', help: 'What it opens to.' },
      r: { label: 'Reductive', help: 'What it closes to.' },
      o: { label: 'Objective', help: 'The thing, seen from outside.' },
      s: { label: 'Subjective', help: 'How it is from inside.' },
      pos: { label: 'Part of speech of the name' },
      epos: { label: 'Part of speech of the expansive' },
      rpos: { label: 'Part of speech of the reductive' },
      opos: { label: 'Part of speech of the objective' },
      spos: { label: 'Part of speech of the subjective' },
    },
    picture: ({ name, e = '', r = '', o = '', s = '' }) => inPage(drawQuadranym({ name: name || '?', e, r, o, s })),
  },
}

/** An unknown term is empty, or underscores. */
function shownTerm(term: string): string {
  return /^_*$/.test(term) ? '–' : shortened(term, 48)
}

async function body(visit: ExplorerVisit, record: Shown, used: Promise<Content>): Promise<Body> {
  const words = (['e', 'r', 'o', 's'] as const).map((slot) => record[slot] as string)
  const [around, uses, saying] = await Promise.all([
    surroundings(visit, 'quadranym', record, words),
    used,
    sayingWith(visit, record as Topic),
  ])
  return {
    scripts: [RECORD],
    beside: html`<h2>Its words</h2>
      <dl class="words">
        ${Object.entries(POLES).map(([slot, title]) => {
          const term: string = record[slot]
          const pos = record[`${slot}pos`] ? [record[`${slot}pos`]] : partsOfSpeech(term)
          return html`<div>
            <dt>${label(title)}${pos.length > 0 && html` <small>${pos.map(tagInWords).join(' or ')}</small>`}</dt>
            <dd>${word(term, slot)}${unfolded(around.nested.get(term) ?? [])}</dd>
          </div>`
        })}
      </dl>
      ${saying}`,
    below: html`${senses(around.senses, record)} ${uses} ${sharing(around.related, visit.kinds)}`,
  }
}

function senses(records: readonly Shown[], { name }: Shown): Content {
  if (records.length === 0) return undefined
  return html`<h2>Other ${label('sense', 'senses')} of ${name}</h2>
    <ul class="grid">
      ${records.slice(0, SENSES).map((each) => html`<li>${tile(each)}</li>`)}
    </ul>
    ${records.length > SENSES && html`<p class="more"><a href=${`/quadranym/?name=${encodeURIComponent(name)}`}>All ${records.length + 1} senses</a></p>`}`
}

/** A quadranym as a small picture that links to its page. */
export function tile(record: Shown): Content {
  return html`<a class="card tile" href=${recordAddress('quadranym', record)}>${inPage(drawSmallQuadranym(record as Topic))}</a>`
}

/** A phrase that reads well with it; at most two are tried, the same ones each time. */
async function sayingWith(visit: ExplorerVisit, topic: Topic): Promise<Content> {
  const draw = (seed: string) => visit.ask(`/api/phrase/random/?seed=${topic.quadranym_id}${seed}`)
  const first = readsWith((await draw('')).json, topic)
  const drawn = first?.well ? first : (readsWith((await draw('-2')).json, topic) ?? first)
  if (!drawn) return undefined
  const { phrase } = drawn
  const { text, spans } = spin(phrase['qode'], [topic], UNTAGGED)
  const letters = charactersIn(text)
  const counted = spans.map((span) => {
    const offset = letters(span.offset)
    return { ...span, offset, length: letters(span.offset + span.length) - offset }
  })
  return html`<h2>Said with it</h2>
    <p class="text">${tokens(text, counted, () => topic)}</p>
    <p class="by">
      The ${label('phrase')} ${recordLink('phrase', phrase)}. <a href=${`${recordAddress('phrase', phrase)}?quadranym=${topic.quadranym_id}`}>Turn it</a>
    </p>`
}

const UNTAGGED = { untagged: true }

/** Undefined if the phrase needs a term that the quadranym does not have. */
function readsWith(phrase: Shown, topic: Topic): { phrase: Shown; well: boolean } | undefined {
  const marks = phrase['qode'] ? tokensIn(phrase['qode'], UNTAGGED) : []
  if (marks.length === 0 || marks.some(({ slot }) => isBlank(termOf(topic, slot)))) return undefined
  return { phrase, well: fits(marks, topic) }
}
