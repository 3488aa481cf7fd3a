/**
 * Annotate: paste a text, see which quadranyms fit, mark its words, save it. Everything works with a plain form;
 * annotate.js takes over the form if scripts run, and keeps a draft in the browser.
 */
import type { PageAnswer } from '../../http/index.ts'
import { align, parse, tokens as tokensOf, unitsIn } from '../../language/index.ts'
import { renderError } from '../error.ts'
import { etagOfForm, readEtag } from '../etag-field.ts'
import { signedInAgain } from '../failure.ts'
import type { ExplorerPage, ExplorerVisit, Shown } from '../kinds/index.ts'
import { type Mark, markableWords, settle, tidyMarks } from '../texts/marks.ts'
import type { Topic } from '../texts/tokens.ts'
import { ownTopics } from '../texts/turning.ts'
import { annotator, type Draft, type TextKind, TURN_PATH } from './annotating.ts'
import { resolveEach } from './make/references.ts'
import { turned } from './turned.ts'

export const annotatePages: readonly ExplorerPage[] = [
  { path: '/annotate/', title: 'Annotate', GET: open, POST: (visit) => work(visit), showAgain },
  { path: TURN_PATH, title: 'Turn your own text', GET: open, POST: (visit) => work(visit), showAgain },
  { path: '/annotate/words/', title: 'Words', GET: () => ({ location: '/annotate/' }), POST: words },
  { path: '/annotate/settle/', title: 'Marks', GET: () => ({ location: '/annotate/' }), POST: settled },
]

/** As many quadranyms as the API annotates with. */
const MOST_TOPICS = 50
const TOO_MANY = `Choose no more than ${MOST_TOPICS} quadranyms.`
/** In UTF-16 units: the longest fortune or quote, and the most marks that fit into its qode. */
const LONGEST_TEXT = 8192
const MOST_MARKS = 1400

const EMPTY: Draft = { kind: 'fortune', id: undefined, text: '', src: '', topics: [], marks: [], suggested: [] }

async function open(visit: ExplorerVisit): Promise<PageAnswer> {
  const { query } = visit
  for (const kind of ['fortune', 'quote'] as const) {
    const id = query.get(kind)
    if (id) return await openRecord(visit, kind, id)
  }
  const text = tidy(query.get('text') ?? '')
  const kind = query.get('kind') === 'quote' ? 'quote' : 'fortune'
  const start = { ...EMPTY, kind, text, src: query.get('src') ?? '' } as const
  if (text === '') return annotator(visit, start)
  const wanted = query.all('quadranym').slice(0, MOST_TOPICS)
  const given = await resolveEach(visit, 'quadranym', wanted)
  const topics = given.flatMap((each) => ('record' in each ? [each.record as Topic] : []))
  return await proposed(visit, { ...start, topics })
}

/** The suggested marks, and the text told with other topics for those without scripts. */
async function proposed(visit: ExplorerVisit, draft: Draft): Promise<PageAnswer> {
  const marked = await suggested(visit, draft)
  return annotator(visit, { ...marked, turned: await turned(visit, marked) })
}

async function openRecord(visit: ExplorerVisit, kind: TextKind, id: string): Promise<PageAnswer> {
  const { status, json, headers } = await visit.ask(`/api/${kind}/${encodeURIComponent(id)}/`)
  if (status !== 200) {
    return { status, page: renderError({ status, json, here: visit.path, user: visit.visitor?.name }, visit.kinds) }
  }
  const record: Shown = json
  const topics = ownTopics(record)
  const etag = readEtag(headers['ETag'])
  const draft = { ...EMPTY, kind, id: record[`${kind}_id`], etag, text: record['body'], src: record['src'] ?? '' }
  if (record['qode'] === '') return annotator(visit, await suggested(visit, draft))
  return annotator(visit, { ...draft, topics, marks: marksOf(record['body'], record['qode'], topics) })
}

/** The words of a body for which its qode has tokens. */
function marksOf(body: string, qode: string, topics: readonly Topic[]): Mark[] {
  const alignment = align(body, parse(qode))
  if (!('aligned' in alignment)) return []
  const indexes = [...new Set(alignment.aligned.map(({ token }) => token.index))].sort((a, b) => a - b)
  return alignment.aligned.flatMap(({ token, word, offset }) => {
    const topic = topics[indexes.indexOf(token.index)]
    if (!topic) return []
    const { slot, tag = 'NN' } = token
    return [{ offset, length: word.length, topic: topic.quadranym_id, slot, tag }]
  })
}

/** Browsers send line ends as two characters; the API trims the text. */
function tidy(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim()
}

/** Marks the words with the quadranyms of the draft, or with those that fit best if the draft has none. */
async function suggested(visit: ExplorerVisit, draft: Draft): Promise<Draft> {
  const { text } = draft
  const best = await visit.ask('/api/qode/annotate/', { method: 'POST', json: { text } })
  if (best.status !== 200) return { ...draft, faults: { body: best.json?.text ?? [best.json?.detail] } }
  const offers: readonly { readonly quadranym: Topic }[] = best.json.suggested
  const fitting = offers.map(({ quadranym }) => quadranym)
  if (draft.topics.length === 0) {
    const matched = new Set([...best.json.q2, ...best.json.q1].map((each: Topic) => each.quadranym_id))
    const topics = fitting.filter(({ quadranym_id }) => matched.has(quadranym_id))
    return { ...draft, topics, marks: foundMarks(text, best.json.tokens, topics), suggested: fitting }
  }
  const quadranyms = draft.topics.map(({ quadranym_id }) => quadranym_id)
  const asked = await visit.ask('/api/qode/annotate/', { method: 'POST', json: { text, quadranyms } })
  if (asked.status !== 200)
    return { ...draft, suggested: fitting, faults: { q1: Object.values(asked.json).flat().map(String) } }
  return { ...draft, marks: foundMarks(text, asked.json.tokens, draft.topics), suggested: fitting }
}

interface FoundToken {
  readonly word: string
  readonly offset: number
  readonly index: number
  readonly slot: string
  readonly tag: string
  readonly margin: number
}

function foundMarks(text: string, found: readonly FoundToken[], topics: readonly Topic[]): Mark[] {
  const units = unitsIn(text)
  return found.map(({ word, offset, index, slot, tag, margin }) => {
    return { offset: units(offset), length: word.length, topic: topics[index - 1]!.quadranym_id, slot, tag, margin }
  })
}

/** The form was sent: mark again, or save. */
async function work(visit: ExplorerVisit, isStale = false): Promise<PageAnswer> {
  const form = await visit.form()
  const last = (name: string) => form.get(name)?.at(-1) ?? ''
  const kind: TextKind = last('kind') === 'quote' ? 'quote' : 'fortune'
  const id = /^[1-9][0-9]*$/.test(last('id')) ? Number(last('id')) : undefined
  const text = tidy(last('text'))
  const draft: Draft = { ...EMPTY, kind, id, etag: etagOfForm(form), text, src: last('src').trim() }
  if (text === '') return annotator(visit, { ...draft, faults: { body: ['This field may not be blank.'] } })
  const wanted = [...(form.get('quadranym') ?? []), ...last('add').split('\n')].filter((each) => each.trim() !== '')
  if (wanted.length > MOST_TOPICS) return annotator(visit, { ...draft, faults: { add: [TOO_MANY] } })
  const given = await resolveEach(visit, 'quadranym', wanted)
  const found = given.flatMap((each) => ('record' in each ? [each.record as Topic] : []))
  const topics = [...new Map(found.map((topic) => [topic.quadranym_id, topic])).values()]
  const unknown = given.flatMap((each) => ('fault' in each ? [each.fault] : []))
  if (unknown.length > 0)
    return annotator(visit, { ...(await suggested(visit, { ...draft, topics })), faults: { add: unknown } })
  if (last('step') !== 'save') return await proposed(visit, { ...draft, topics })
  if (tidy(last('marked')) !== text) {
    const again = await suggested(visit, { ...draft, topics })
    return annotator(visit, { ...again, note: 'The text has changed. Check its marks, then save.' })
  }
  const marks = tidyMarks(text, (form.get('mark') ?? []).slice(0, MOST_MARKS).map(readMark), topics)
  const marked = { ...draft, topics, marks }
  return isStale
    ? annotator(visit, { ...marked, refused: { status: 403, detail: signedInAgain(visit) } })
    : await save(visit, marked)
}

/** The user has signed in again since the page was opened. */
async function showAgain(visit: ExplorerVisit): Promise<PageAnswer> {
  return await work(visit, true)
}

function readMark(given: string): Mark {
  const [offset = '', length = '', topic = '', slot = '', tag = ''] = given.split(',')
  return { offset: Number(offset), length: Number(length), topic: Number(topic), slot, tag }
}

async function save(visit: ExplorerVisit, draft: Draft): Promise<PageAnswer> {
  const { kind, id, text, src, topics, marks } = draft
  const { qode, used } = settle(text, marks, topics)
  const again = async (more: Partial<Draft>) => {
    const { suggested: offers } = await suggested(visit, { ...draft, topics: [] })
    return annotator(visit, { ...draft, suggested: offers, ...more })
  }
  if (kind === 'quote' && used.length !== 1) {
    const why =
      used.length === 0 ? 'A quote needs words of one quadranym.' : 'A quote has one quadranym only: choose one.'
    return await again({ faults: { q1: [why] } })
  }
  const json = kind === 'quote' ? { body: text, qode, src, quadranym: used[0] } : { body: text, qode, q1: used, q2: [] }
  const path = `/api/${kind}/${id === undefined ? '' : `${id}/`}`
  const method = id === undefined ? 'POST' : 'PUT'
  const saved = await visit.ask(path, { method, json, ifMatch: draft.etag, isOptional: true })
  if (saved.status === 201 || saved.status === 200) {
    const code = saved.status === 201 ? 'created' : 'saved'
    return { location: `/${kind}/${saved.json[`${kind}_id`]}/`, message: { code } }
  }
  if (saved.status === 400) return await again({ faults: saved.json })
  // The visitor is told, and may save again.
  const { headers } = saved.status === 412 ? await visit.ask(path) : saved
  const etag = saved.status === 412 ? readEtag(headers['ETag']) : draft.etag
  return await again({ etag, refused: { status: saved.status, detail: saved.json?.detail ?? '' } })
}

/** Scripts send one member, a JSON text. */
async function readState(visit: ExplorerVisit): Promise<any> {
  try {
    return JSON.parse((await visit.form()).get('state')?.at(-1) ?? '') ?? {}
  } catch {
    return {}
  }
}

async function words(visit: ExplorerVisit): Promise<PageAnswer> {
  const { text } = await readState(visit)
  const isOurs = typeof text === 'string' && text.length <= LONGEST_TEXT && tokensOf(text).length === 0
  return asJson({ words: isOurs ? markableWords(text) : [] })
}

async function settled(visit: ExplorerVisit): Promise<PageAnswer> {
  const { text, topics, marks } = await readState(visit)
  const given = typeof text === 'string' && text.length <= LONGEST_TEXT
  if (!given || !Array.isArray(topics) || !Array.isArray(marks) || marks.length > MOST_MARKS) return asJson({})
  if (topics.length > MOST_TOPICS) return asJson({})
  const known = topics.filter((each) => ['name', 'e', 'r', 'o', 's'].every((slot) => typeof each?.[slot] === 'string'))
  const tidied = tidyMarks(text, marks.filter(isMark), known)
  return asJson({ ...settle(text, tidied, known), marks: tidied })
}

function isMark(given: any): given is Mark {
  const numbers = [given?.offset, given?.length, given?.topic]
  return numbers.every(Number.isSafeInteger) && typeof given.slot === 'string' && typeof given.tag === 'string'
}

function asJson(value: unknown): PageAnswer {
  return { bytes: JSON.stringify(value), type: 'application/json', headers: { 'Cache-Control': 'no-store' } }
}
