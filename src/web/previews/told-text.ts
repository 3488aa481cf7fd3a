/** The text that a picture shows, as its address asks for it, with the words that come from topics. */
import { type Grammar, indexes as indexesOf, parse } from '../../language/index.ts'
import type { ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { attributionOf } from '../texts/attribution.ts'
import { bodySpans } from '../texts/marked.ts'
import { withOpenWords } from '../texts/open-words.ts'
import { SLOTS, type Span } from '../texts/tokens.ts'
import { ownTopics, viewIn } from '../texts/turning.ts'

export interface ToldText {
  readonly text: string
  readonly spans: readonly Span[]
  readonly attribution: string | undefined
}

/** Kinds that the API tells line by line, or with the topics that they name. */
const TELLERS = new Set(['story', 'tale'])
/** The API spins with no more topics. */
const MOST_TOPICS = 50

/** The parameters of an address. */
export type TextQuery = Pick<ExplorerVisit['query'], 'all' | 'get'>

/** Undefined for a record that is not a text. */
export async function toldText(
  visit: Pick<ExplorerVisit, 'ask'>,
  kind: Kind,
  record: Shown,
  query: TextQuery,
): Promise<ToldText | undefined> {
  const { name } = kind
  if (TELLERS.has(name)) {
    const { status, json } = await visit.ask(`/api/${name}/${record[`${name}_id`]}/tell/`)
    return status === 200 ? { ...withOpenWords(json), attribution: signed(record) } : undefined
  }
  if (typeof record['qode'] !== 'string') return undefined
  return (await turned(visit, name, record, query)) ?? asItIs(record)
}

/** Told with the topics of the address, if there are any. */
async function turned(
  visit: Pick<ExplorerVisit, 'ask'>,
  name: string,
  record: Shown,
  query: TextQuery,
): Promise<ToldText | undefined> {
  const isOpen = record['body'] === undefined
  const grammar: Grammar = { untagged: isOpen }
  const own = ownTopics(record).map(({ quadranym_id }) => String(quadranym_id))
  const many = Math.min(indexesOf(record['qode'], grammar).length, MOST_TOPICS)
  const asked = query.all('quadranym').filter((id) => /^[0-9]{1,15}$/.test(id))
  const view = viewIn(query)
  const isOwn = asked.every((id, i) => id === own[i])
  if (many === 0 || (isOwn && view === 'told')) return undefined
  if (view === 'template') {
    const attribution = isOpen ? signed(record) : attributionOf(record, !isOwn)
    return { ...withTokens(record['qode'], grammar, ({ written }) => written), attribution }
  }
  const chosen = [...asked, ...own.slice(asked.length)].slice(0, many)
  const params = chosen.map((id) => `quadranym=${id}`).join('&')
  const { status, json } = await visit.ask(
    `/api/${name}/${record[`${name}_id`]}/spin/?${params}${view === 'blanks' ? '&as=blanks' : ''}`,
  )
  if (status !== 200) return undefined
  const isTurned = !isOwn && json.text !== record['body']
  return { text: json.text, spans: json.spans, attribution: isOpen ? signed(record) : attributionOf(record, isTurned) }
}

function asItIs(record: Shown): ToldText {
  const { body, qode } = record
  if (body === undefined) {
    const told = withTokens(qode, { untagged: true }, ({ slot }) => SLOTS[slot] ?? '')
    return { ...told, attribution: signed(record) }
  }
  return { text: body, spans: bodySpans(record) ?? [], attribution: attributionOf(record, false) }
}

interface Token {
  readonly slot: string
  readonly written: string
}

/** A qode with its tokens marked, as they are written, or with the name of the slot in place of an open word. */
function withTokens(qode: string, grammar: Grammar, show: (token: Token) => string): Pick<ToldText, 'text' | 'spans'> {
  const spans: Span[] = []
  const letters: string[] = []
  for (const piece of parse(qode, grammar)) {
    const written = qode.slice(piece.offset, piece.offset + piece.length)
    const text = piece.kind === 'text' ? piece.text : show({ slot: piece.slot, written })
    const { length: offset } = letters
    letters.push(...text)
    if (piece.kind !== 'text') {
      spans.push({ offset, length: letters.length - offset, index: piece.index, slot: piece.slot, token: '' })
    }
  }
  return { text: letters.join(''), spans }
}

/** Texts with a name are signed with it. */
function signed({ name, user }: Shown): string {
  return user ? `${name}, by ${user}` : name
}
