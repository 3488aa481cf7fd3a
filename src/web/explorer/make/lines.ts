/** Lines of stories and tales: chosen one by one, moved, removed, and shown as they will be told. */
import { indexes } from '../../../language/index.ts'
import { inOurWords } from '../../form-errors.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Shown } from '../../kinds/index.ts'
import { inOrder, type Span, type Topic, tokens } from '../../texts/tokens.ts'
import { type Resolved, resolveAll, written } from './references.ts'

/** A line in the form. */
export interface Line {
  readonly phrase: string
  readonly quadranym: string
}

const BLANK: Line = { phrase: '', quadranym: '' }
const BLANKS = 3
const MOST_AT_ONCE = 100
/** The number of different records that a form may name. */
const MOST_LOOKED_UP = 200
const TOO_MANY_NAMES = `Name no more than ${MOST_LOOKED_UP} different phrases, and as many quadranyms.`
/** A form may send a thousand members, and a line has two; longer forms render slowly. */
const MOST_IN_FORM = 300
/** What a form sends instead of lines that it leaves unchanged. */
export const LINES_KEPT = 'lines_kept'

export function hasLines(kind: string): kind is 'story' | 'tale' {
  return kind === 'story' || kind === 'tale'
}

/** This many topics get a field each, even if the text skips some. */
const FEW_TOPICS = 50

/** How many topics of a fable the form offers. One large index must not make a long form. */
export function topicsOf(fable: Shown): number {
  return fable['length'] <= FEW_TOPICS ? fable['length'] : indexes(fable['qode'], { untagged: true }).length
}

/** Undefined if there are more than a form can send; then they stay unchanged. */
export async function linesOfRecord(
  visit: ExplorerVisit,
  kind: 'story' | 'tale',
  id: number,
): Promise<readonly Line[] | undefined> {
  const { status, json } = await visit.ask(`/api/${kind}line/?${kind}=${id}&page_size=${MOST_IN_FORM}`)
  if (status !== 200 || json.count > MOST_IN_FORM) return undefined
  return json.results.map(({ phrase, quadranym }: Shown) => ({
    phrase: phrase ? written(visit.kinds.get('phrase'), phrase) : '',
    quadranym: written(visit.kinds.get('quadranym'), quadranym),
  }))
}

export function linesOfForm(form: ReadonlyMap<string, readonly string[]>): readonly Line[] {
  const [phrases, quadranyms] = [form.get('line_phrase') ?? [], form.get('line_quadranym') ?? []]
  return Array.from({ length: Math.max(phrases.length, quadranyms.length) }, (_, i) => ({
    phrase: phrases[i]?.trim() ?? '',
    quadranym: quadranyms[i]?.trim() ?? '',
  }))
}

/** "up:2", "remove:0", "more": buttons that change the form and save nothing. */
export function changedLines(lines: readonly Line[], action: string): readonly Line[] {
  const [what = '', where = ''] = action.split(':')
  const i = Number(where)
  const line = lines[i]
  if (what === 'more') return [...lines, ...Array(BLANKS).fill(BLANK)]
  if (!line) return lines
  if (what === 'remove') return lines.toSpliced(i, 1)
  if (what === 'insert') return lines.toSpliced(i + 1, 0, BLANK)
  const to = what === 'up' ? i - 1 : what === 'down' ? i + 1 : i
  const other = lines[to]
  return other ? lines.with(i, other).with(to, line) : lines
}

export interface ResolvedLines {
  /** In the form that the API takes. */
  readonly json: readonly unknown[]
  /** The lines that can be told, in order. */
  readonly told: readonly { readonly phrase: Shown | undefined; readonly quadranym: Shown }[]
  /** By the position of the line. */
  readonly faults: ReadonlyMap<number, string>
  readonly lines: readonly Line[]
}

/**
 * Blank lines of a story do not count. In a tale each line has its topic, so only blank lines at the end do not count.
 */
export async function resolveLines(
  visit: ExplorerVisit,
  kind: 'story' | 'tale',
  given: readonly Line[],
): Promise<ResolvedLines> {
  const isBlank = ({ phrase, quadranym }: Line) => phrase === '' && quadranym === ''
  const counted = kind === 'story' ? given.filter((line) => !isBlank(line)) : given.slice(0, lastFilled(given) + 1)
  const faults = new Map<number, string>()
  const different = (of: keyof Line) =>
    [...new Set(counted.map((line) => line[of]))].filter((text) => text !== '').slice(0, MOST_LOOKED_UP)
  const known = {
    phrase: await resolveAll(visit, 'phrase', kind === 'story' ? different('phrase') : []),
    quadranym: await resolveAll(visit, 'quadranym', different('quadranym')),
  }
  const one = (line: number, of: keyof Line, text: string): Shown | undefined => {
    const found: Resolved =
      text === '' ? { fault: `Choose a ${of}.` } : (known[of].get(text) ?? { fault: TOO_MANY_NAMES })
    if ('record' in found) return found.record
    faults.set(line, found.fault)
    return undefined
  }
  const resolved = counted.map(({ phrase, quadranym }, i) => ({
    phrase: kind === 'story' ? one(i, 'phrase', phrase) : undefined,
    quadranym: one(i, 'quadranym', quadranym),
  }))
  const told = resolved.flatMap(({ phrase, quadranym }) => {
    return quadranym && (phrase || kind === 'tale') ? [{ phrase, quadranym }] : []
  })
  return {
    told,
    faults,
    json: told.map(({ phrase, quadranym }) => {
      const topic = quadranym['quadranym_id']
      return phrase ? { phrase: phrase['phrase_id'], quadranym: topic } : topic
    }),
    lines: counted.map((line, i) => {
      const { phrase, quadranym } = resolved[i]!
      return {
        phrase: phrase ? written(visit.kinds.get('phrase'), phrase) : line.phrase,
        quadranym: quadranym ? written(visit.kinds.get('quadranym'), quadranym) : line.quadranym,
      }
    }),
  }
}

function lastFilled(lines: readonly Line[]): number {
  return lines.findLastIndex(({ quadranym }) => quadranym !== '')
}

interface LinesView {
  readonly kind: 'story' | 'tale'
  /** Undefined if they stay unchanged. */
  readonly lines: readonly Line[] | undefined
  readonly faults: ReadonlyMap<number, string>
  readonly errors: readonly string[]
  /** How many topics the chosen fable of a tale has. */
  readonly topics: number | undefined
}

export function lineFields({ kind, lines, faults, errors, topics }: LinesView): Content {
  if (!lines) {
    return html`<fieldset class="lines">
      <legend>Lines</legend>
      <input type="hidden" name=${LINES_KEPT} value="yes" />
      <p class="note">It has more lines than a form can send. They stay as they are; the API can change them.</p>
    </fieldset>`
  }
  const least = kind === 'story' ? Math.max(lines.length, BLANKS) : Math.max(lines.length, topics ?? 2)
  const shown = [...lines, ...Array<Line>(Math.max(0, least - lines.length)).fill(BLANK)]
  return html`<fieldset class="lines" data-swap-part="lines">
    <legend>${kind === 'story' ? 'Lines' : 'Topics'}</legend>
    <span class="help">${kind === 'story' ? 'Each line is a phrase, told with a quadranym. The phrase named - begins a new paragraph.' : 'The quadranym for each topic of the fable.'}</span>
    ${errors.map((error) => html`<p class="wrong">${humanised(inOurWords(error))}</p>`)}
    <ol>
      ${shown.map((line, i) => lineRow(kind, line, i, shown.length, faults.get(i)))}
    </ol>
    <p class="chips">
      ${kind === 'story' && html`<button class="btn small" name="action" value="more" data-key="more">Add lines</button>`}
      ${kind === 'tale' && html`<button class="btn small" name="action" value="topics" data-key="topics">Show the topics of the fable</button>`}
      <button class="btn small" name="action" value="preview" data-key="preview">Show how it reads</button>
    </p>
  </fieldset>`
}

/** "Line 0, phrase: ..." counts from zero. */
function humanised(error: string): string {
  return error.replace(/^Line ([0-9]+)/, (_, rank) => `Line ${Number(rank) + 1}`)
}

function lineRow(kind: string, line: Line, i: number, count: number, fault: string | undefined): Content {
  const number = i + 1
  const about = fault ? { 'aria-describedby': `line-${i}-wrong`, 'aria-invalid': 'true' } : {}
  const act = (
    what: string,
    label: string,
    sign: string,
    disabled = false,
  ) => html`<button class="btn small" name="action"
    value=${`${what}:${i}`} data-key=${`${what}-${i}`} disabled=${disabled} aria-label=${`${label} line ${number}`} title=${label}>${sign}</button>`
  const pick = (
    of: 'phrase' | 'quadranym',
  ) => html`<span class="pick"><input name=${`line_${of}`} value=${line[of]} autocomplete="off" list=${`some-${of}`}
    data-pick=${of} data-key=${`${of}-${i}`} aria-label=${kind === 'story' ? `${of} of line ${number}` : `quadranym of topic ${number}`}
    placeholder=${of === 'phrase' ? 'phrase' : 'quadranym'} ...${about} /></span>`
  return html`<li class="line-row">
    ${kind === 'story' && pick('phrase')} ${pick('quadranym')}
    <span class="moves">
      ${act('up', 'Move up', '↑', i === 0)} ${act('down', 'Move down', '↓', i === count - 1)}
      ${kind === 'story' && act('insert', 'Add a line after', '+')}
      ${kind === 'story' && act('remove', 'Remove', '×')}
    </span>
    ${fault && html`<span class="wrong" id=${`line-${i}-wrong`}>${fault}</span>`}
  </li>`
}

/** The told text, as far as it can be told. */
export async function preview(
  visit: ExplorerVisit,
  kind: 'story' | 'tale',
  lines: ResolvedLines,
  fable?: Shown,
): Promise<Content> {
  const content = kind === 'story' ? await toldStory(visit, lines.told) : await toldTale(visit, lines.told, fable)
  return html`<section class="preview" data-swap-part="preview" aria-live="polite" aria-label="How it reads">
    ${content ?? html`<p class="soft">${kind === 'story' ? 'The lines you choose are told here.' : 'Choose a fable and a quadranym, and it is told here.'}</p>`}
  </section>`
}

async function toldStory(visit: ExplorerVisit, told: ResolvedLines['told']): Promise<Content> {
  if (told.length === 0) return undefined
  const lines: Shown[] = []
  for (let from = 0; from < told.length; from += MOST_AT_ONCE) {
    const some = told.slice(from, from + MOST_AT_ONCE)
    const phrases = some.map(({ phrase }) => phrase!['phrase_id'])
    const quadranyms = some.map(({ quadranym }) => quadranym['quadranym_id'])
    const half = Math.ceil(some.length / 2)
    // The service takes up to fifty quadranyms at once.
    for (const [start, end] of [
      [0, half],
      [half, some.length],
    ] as const) {
      if (start === end) continue
      const json = { phrases: phrases.slice(start, end), quadranyms: quadranyms.slice(start, end), by: 'zip' }
      const asked = await visit.ask('/api/qode/verse/', { method: 'POST', json })
      if (asked.status !== 200) return html`<p class="wrong">${JSON.stringify(asked.json)}</p>`
      lines.push(...linesOf(asked.json))
    }
  }
  const paragraphs: Content[][] = [[]]
  lines.forEach(({ text, spans }, i) => {
    const { phrase, quadranym } = told[i]!
    if (phrase!['name'] === '-') paragraphs.push([])
    else
      paragraphs.at(-1)!.push(
        tokens(text, spans, () => quadranym as Topic),
        ' ',
      )
  })
  return paragraphs.filter((each) => each.length > 0).map((each) => html`<p class="text">${each}</p>`)
}

/** Each line with its own spans; the service counts them through the whole verse. */
function linesOf({ spans, stanzas }: Shown): { text: string; spans: any[] }[] {
  let next = 0
  return stanzas[0].map(({ text, offset }: { text: string; offset: number }) => {
    const [first, end] = [next, offset + [...text].length]
    while (next < spans.length && spans[next].offset < end) next++
    return { text, spans: spans.slice(first, next).map((span: Span) => ({ ...span, offset: span.offset - offset })) }
  })
}

async function toldTale(visit: ExplorerVisit, told: ResolvedLines['told'], fable: Shown | undefined): Promise<Content> {
  if (!fable || told.length === 0) return undefined
  const some = told.slice(0, fable['length'])
  const query = some.map(({ quadranym }) => `quadranym=${quadranym['quadranym_id']}`).join('&')
  const { status, json } = await visit.ask(`/api/fable/${fable['fable_id']}/spin/?${query}`)
  if (status !== 200) return undefined
  return html`<p class="text">${tokens(
    json.text,
    json.spans,
    inOrder(some.map(({ quadranym }) => quadranym as Topic)),
  )}</p>`
}
