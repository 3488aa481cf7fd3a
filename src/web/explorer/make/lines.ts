/** Lines of stories and tales: read from a form, changed by its buttons, and looked up in the catalogue. */
import { counted as countInWords, indexes } from '../../../language/index.ts'
import type { ExplorerVisit, Shown } from '../../kinds/index.ts'
import { type Resolved, resolveAll, written } from './references.ts'

/** A line in the form. */
export interface Line {
  readonly phrase: string
  readonly quadranym: string
}

/** The phrase of this name begins a paragraph. */
export const BREAK = '-'
export const BLANK: Line = { phrase: '', quadranym: '' }
/** A new paragraph needs no topic. */
const PARAGRAPH: Line = { phrase: BREAK, quadranym: '' }
export const BLANKS = 3
/** The number of different records that a form may name. */
const MOST_LOOKED_UP = 200
const TOO_MANY_NAMES = `Name no more than ${MOST_LOOKED_UP} different phrases, and as many topics.`
const MISSING: Readonly<Record<keyof Line, string>> = { phrase: 'Choose a phrase.', quadranym: 'Choose a topic.' }
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

/** What is wrong with a topic after the last one of the fable. */
function unusedTopic(fable: Shown): string {
  const count: number = fable['length']
  return `The fable has ${count === 0 ? 'no topic' : `only ${countInWords(count, 'topic')}`}. Empty this field.`
}

/** Undefined if there are more than a form can send; then they stay unchanged. */
export async function linesOfRecord(
  visit: ExplorerVisit,
  kind: 'story' | 'tale',
  id: number,
): Promise<readonly Line[] | undefined> {
  const { status, json } = await visit.ask(`/api/${kind}line/?${kind}=${id}&page_size=${MOST_IN_FORM}`)
  if (status !== 200 || json.count > MOST_IN_FORM) return undefined
  return await inWords(visit, kind, json.results)
}

/** The lines as the form shows them; a paragraph shows no topic. */
async function inWords(visit: ExplorerVisit, kind: 'story' | 'tale', lines: readonly Shown[]): Promise<Line[]> {
  const topics = await written(
    visit,
    'quadranym',
    lines.map(({ quadranym }) => quadranym),
  )
  if (kind === 'tale') return topics.map((quadranym) => ({ phrase: '', quadranym }))
  const phrases = await written(
    visit,
    'phrase',
    lines.map(({ phrase }) => phrase),
  )
  return phrases.map((phrase, i) => (phrase === BREAK ? PARAGRAPH : { phrase, quadranym: topics[i] ?? '' }))
}

export function linesOfForm(form: ReadonlyMap<string, readonly string[]>): readonly Line[] {
  const [phrases, quadranyms] = [form.get('line_phrase') ?? [], form.get('line_quadranym') ?? []]
  return Array.from({ length: Math.max(phrases.length, quadranyms.length) }, (_, i) => ({
    phrase: phrases[i]?.trim() ?? '',
    quadranym: quadranyms[i]?.trim() ?? '',
  }))
}

/** "up:2", "remove:0", "more", "paragraph": buttons that change the form and save nothing. */
export function changedLines(lines: readonly Line[], action: string): readonly Line[] {
  const [what = '', where = ''] = action.split(':')
  const i = Number(where)
  const line = lines[i]
  if (what === 'more') return [...lines, ...Array(BLANKS).fill(BLANK)]
  if (what === 'paragraph')
    return [...lines.slice(0, lines.findLastIndex((each) => !isBlank(each)) + 1), PARAGRAPH, BLANK]
  if (!line) return lines
  // The blank line itself becomes the paragraph.
  if (what === 'break') return lines.toSpliced(isBlank(line) ? i : i + 1, isBlank(line) ? 1 : 0, PARAGRAPH, BLANK)
  if (what === 'remove') return lines.toSpliced(i, 1)
  if (what === 'insert') return lines.toSpliced(i + 1, 0, BLANK)
  const to = what === 'up' ? i - 1 : what === 'down' ? i + 1 : i
  const other = lines[to]
  return other ? lines.with(i, other).with(to, line) : lines
}

export function isBlank({ phrase, quadranym }: Line): boolean {
  return phrase === '' && quadranym === ''
}

export interface ResolvedLines {
  /** In the form that the API takes. */
  readonly json: readonly unknown[]
  /** For a tale: the topic of each line, if it is known. */
  readonly topics: readonly (Shown | undefined)[]
  /** The lines that can be told, in order. */
  readonly told: readonly { readonly phrase: Shown | undefined; readonly quadranym: Shown }[]
  /** By the position of the line. */
  readonly faults: ReadonlyMap<number, string>
  readonly lines: readonly Line[]
}

/**
 * Blank lines of a story do not count. In a tale each line has its topic, so only blank lines after the last one that is
 * filled, or that the fable needs, do not count. Topics that the fable does not use are faults.
 */
export async function resolveLines(
  visit: ExplorerVisit,
  kind: 'story' | 'tale',
  given: readonly Line[],
  fable?: Shown,
): Promise<ResolvedLines> {
  const needed = fable ? topicsOf(fable) : 0
  const counted = kind === 'story' ? given.filter((line) => !isBlank(line)) : linesOfTale(given, needed)
  const faults = new Map<number, string>()
  const topical = withTopics(counted)
  const different = (of: keyof Line) =>
    [...new Set(topical.map((line) => line[of]))].filter((text) => text !== '').slice(0, MOST_LOOKED_UP)
  const known = {
    phrase: await phrasesOf(visit, kind === 'story' ? different('phrase') : []),
    quadranym: await resolveAll(visit, 'quadranym', different('quadranym')),
  }
  const one = (line: number, of: keyof Line, text: string): Shown | undefined => {
    const found: Resolved = text === '' ? { fault: MISSING[of] } : (known[of].get(text) ?? { fault: TOO_MANY_NAMES })
    if ('record' in found) return found.record
    // A paragraph has the topic of another line, which has the fault.
    const isBorrowed = of === 'quadranym' && text !== '' && counted[line]?.quadranym === ''
    if (!isBorrowed) faults.set(line, bothFaults(faults.get(line), found.fault))
    return undefined
  }
  const resolved = topical.map(({ phrase, quadranym }, i) => ({
    phrase: kind === 'story' ? one(i, 'phrase', phrase) : undefined,
    quadranym: one(i, 'quadranym', quadranym),
  }))
  if (fable && fable['length'] <= FEW_TOPICS) {
    counted.slice(needed).forEach((line, i) => {
      if (isBlank(line)) faults.delete(needed + i)
      else faults.set(needed + i, unusedTopic(fable))
    })
  }
  const told = resolved.flatMap(({ phrase, quadranym }) => {
    return quadranym && (phrase || kind === 'tale') ? [{ phrase, quadranym }] : []
  })
  const labels = {
    phrase: await labelled(visit, 'phrase', known.phrase),
    quadranym: await labelled(visit, 'quadranym', known.quadranym),
  }
  return {
    told,
    faults,
    topics: resolved.map(({ quadranym }) => quadranym),
    json: told.map(({ phrase, quadranym }) => {
      const topic = quadranym['quadranym_id']
      return phrase ? { phrase: phrase['phrase_id'], quadranym: topic } : topic
    }),
    lines: counted.map((line) =>
      line.phrase === BREAK
        ? PARAGRAPH
        : {
            phrase: labels.phrase.get(line.phrase) ?? line.phrase,
            quadranym: labels.quadranym.get(line.quadranym) ?? line.quadranym,
          },
    ),
  }
}

/** What is wrong with the phrase of a line, and with its topic. */
function bothFaults(first: string | undefined, second: string): string {
  return first === undefined || first === second ? second : `${first.replace(/[^.?]$/, '$&.')} ${second}`
}

/** The API wants a topic for each line: a paragraph takes that of the line before it, or after it. */
function withTopics(lines: readonly Line[]): readonly Line[] {
  const isTopical = ({ quadranym }: Line) => quadranym !== ''
  return lines.map((line, i) => {
    if (line.phrase !== BREAK || isTopical(line)) return line
    const near = lines.slice(0, i).findLast(isTopical) ?? lines.slice(i + 1).find(isTopical)
    return { ...line, quadranym: near?.quadranym ?? '' }
  })
}

/** Several phrases may begin a paragraph; the oldest of them does it here. */
async function phrasesOf(visit: ExplorerVisit, texts: readonly string[]): Promise<ReadonlyMap<string, Resolved>> {
  const found = await resolveAll(visit, 'phrase', texts)
  if (!texts.includes(BREAK)) return found
  const breaking = await breakPhrase(visit)
  return breaking ? new Map([...found, [BREAK, { record: breaking }]]) : found
}

async function breakPhrase(visit: ExplorerVisit): Promise<Shown | undefined> {
  const { json } = await visit.ask(`/api/phrase/?name=${BREAK}&ordering=id&page_size=1`)
  return json?.results?.[0]
}

/** Makes the phrase that begins a paragraph, if the lines need one and the catalogue has none. */
export async function ensureBreak(visit: ExplorerVisit, lines: readonly Line[]): Promise<void> {
  if (!lines.some(({ phrase }) => phrase === BREAK) || (await breakPhrase(visit))) return
  await visit.ask('/api/phrase/', { method: 'POST', json: { name: BREAK, qode: BREAK } })
}

async function labelled(
  visit: ExplorerVisit,
  kind: string,
  known: ReadonlyMap<string, Resolved>,
): Promise<ReadonlyMap<string, string>> {
  const found = [...known].flatMap(([text, each]) => ('record' in each ? [{ text, record: each.record }] : []))
  const labels = await written(
    visit,
    kind,
    found.map(({ record }) => record),
  )
  return new Map(found.map(({ text }, i) => [text, labels[i] ?? text]))
}

function linesOfTale(lines: readonly Line[], needed: number): readonly Line[] {
  const length = Math.max(needed, lines.findLastIndex(({ quadranym }) => quadranym !== '') + 1)
  return Array.from({ length }, (_, i) => lines[i] ?? BLANK)
}
