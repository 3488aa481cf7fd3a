/**
 * The sentence behind the code of a phrase or a fable: words to read and to press in place of tokens. Scripts send what
 * is written and marked, and get its words and its qode.
 */
import type { PageAnswer } from '../../../http/index.ts'
import { parse, spin } from '../../../language/index.ts'
import type { ExplorerPage, ExplorerVisit } from '../../kinds/index.ts'
import { type Mark, type MarkedTopic, markableWords, settle, tidyMarks } from '../../texts/marks.ts'

export const sentencePage: ExplorerPage = {
  path: '/make/sentence/',
  title: 'Sentence',
  GET: () => ({ location: '/make/' }),
  POST: work,
}

/** In UTF-16 units: longer than any phrase or fable. */
const LONGEST = 20_000
const MOST_MARKS = 1400
/** As many topics as the API tells a text with. */
const MOST_TOPICS = 50

/** The words that stand for tokens: in code they are q1n, q1e and so on. */
const WORDS = [
  'door open close barrier passage',
  'river flow dry water journey',
  'fire spread smother flame warmth',
  'market buy sell stall bargain',
  'garden plant clear soil peace',
].map((words) => words.split(' '))

const EXAMPLES: readonly MarkedTopic[] = Array.from({ length: MOST_TOPICS }, (_, i) => {
  const [name = '', e = '', r = '', o = '', s = ''] = WORDS[i % WORDS.length] ?? []
  return { quadranym_id: i + 1, name, e, r, o, s }
})

interface Sentence {
  readonly text: string
  /** The topic of a mark is the index of its token. */
  readonly marks: readonly Mark[]
}

async function work(visit: ExplorerVisit): Promise<PageAnswer> {
  const given = read((await visit.form()).get('state')?.at(-1) ?? '')
  const { text, marks } = given ?? { text: '', marks: [] }
  const tidied = tidyMarks(text, marks, EXAMPLES)
  const { qode, subs } = settle(text, tidied, EXAMPLES)
  const answer = { text, marks: tidied, words: markableWords(text), qode: qode || text, subs }
  return { bytes: JSON.stringify(answer), type: 'application/json', headers: { 'Cache-Control': 'no-store' } }
}

/** What a script sent: a qode to read, or a text with marks. */
function read(state: string): Sentence | undefined {
  const given = parsed(state)
  if (typeof given?.qode === 'string' && given.qode.length <= LONGEST) return sentenceOf(given.qode)
  if (typeof given?.text !== 'string' || given.text.length > LONGEST || !Array.isArray(given.marks)) return undefined
  return { text: given.text, marks: given.marks.slice(0, MOST_MARKS).filter(isMark) }
}

function parsed(state: string) {
  try {
    return JSON.parse(state)
  } catch {
    return undefined
  }
}

function isMark(given: Mark | undefined): given is Mark {
  const numbers = [given?.offset, given?.length, given?.topic]
  return numbers.every(Number.isSafeInteger) && typeof given?.slot === 'string' && typeof given.tag === 'string'
}

/** Each token becomes a word of the example of its topic. A token without a tag gets the one that its word has here. */
export function sentenceOf(qode: string): Sentence {
  let text = ''
  const untagged = new Set<number>()
  const marks: Mark[] = []
  for (const piece of parse(qode, { untagged: true })) {
    if (piece.kind === 'text') {
      text += piece.text
      continue
    }
    const { index, slot, tag, offset } = piece
    const written = qode.slice(offset, offset + piece.length)
    const example = EXAMPLES[(index - 1) % MOST_TOPICS] ?? EXAMPLES[0]
    const lower = example
      ? spin(`the ${written.replace(/^q[0-9]+/, 'q1')}`, [example], { untagged: true }).text.slice(4)
      : ''
    const word = /(^|[.!?]["”’]?\s+)$/.test(text) ? lower.charAt(0).toUpperCase() + lower.slice(1) : lower
    if (tag === undefined) untagged.add(text.length)
    marks.push({ offset: text.length, length: word.length, topic: index, slot, tag: tag ?? 'NN' })
    text += word
  }
  const found = new Map(markableWords(text).map((word) => [word.offset, word.tag]))
  return {
    text,
    marks: marks.map((mark) =>
      untagged.has(mark.offset) ? { ...mark, tag: found.get(mark.offset) ?? mark.tag } : mark,
    ),
  }
}
