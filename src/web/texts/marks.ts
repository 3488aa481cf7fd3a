/** Words of a text marked by hand or by suggestion, and the qode they make. */
import { depth, type Quadranym, spin, splitWords, subs, tag } from '../../language/index.ts'

/** A word that becomes a token. Offsets are UTF-16 units, as browsers count them. */
export interface Mark {
  readonly offset: number
  readonly length: number
  /** The id of its quadranym. */
  readonly topic: number
  readonly slot: string
  readonly tag: string
  /** How sure the tag is, if no person has chosen it. */
  readonly margin?: number
}

export interface MarkedTopic extends Quadranym {
  readonly quadranym_id: number
}

export interface Settled {
  readonly qode: string
  readonly subs: string
  readonly depth: number
  /** The quadranyms that have a word, in the order of their indexes. */
  readonly used: readonly number[]
  /** For each mark, the result of its token if it differs from the word. */
  readonly becomes: readonly (string | undefined)[]
}

/** Marks that can be tokens, in the order of the text, without overlaps. */
export function tidyMarks(text: string, marks: readonly Mark[], topics: readonly MarkedTopic[]): Mark[] {
  const known = new Set(topics.map(({ quadranym_id }) => quadranym_id))
  let end = 0
  return [...marks]
    .sort((a, b) => a.offset - b.offset)
    .filter(({ offset, length, topic, slot, tag }) => {
      const fits = offset >= end && length > 0 && offset + length <= text.length && known.has(topic)
      if (!fits || !/^[neros]$/.test(slot) || !/^[A-Z]{1,8}$/.test(tag)) return false
      end = offset + length
      return true
    })
}

/** The qode of tidy marks. Capitals that nothing else explains are derived from the results of the tokens. */
export function settle(text: string, marks: readonly Mark[], topics: readonly MarkedTopic[]): Settled {
  const used = topics.filter(({ quadranym_id: id }) => marks.some(({ topic }) => topic === id))
  const indexes = new Map(used.map(({ quadranym_id }, i) => [quadranym_id, i + 1]))
  const words = marks.map(({ offset, length }) => text.slice(offset, offset + length))
  const write = (capitals: ReadonlySet<number>) => {
    let done = 0
    const parts = marks.map(({ offset, length, topic, slot, tag }, i) => {
      const before = text.slice(done, offset)
      done = offset + length
      return `${before}q${indexes.get(topic)}${slot}${capitals.has(i) ? '^' : '_'}${tag}`
    })
    return `${parts.join('')}${text.slice(done)}`
  }
  const told = (qode: string) => {
    const spun = spin(qode, used, { strict: true })
    return spun.spans.map(({ offset, length }) => spun.text.slice(offset, offset + length))
  }
  const plain = told(write(new Set()))
  const capitals = new Set(words.flatMap((word, i) => (isCapitalised(word, plain[i]) ? [i] : [])))
  const qode = marks.length === 0 ? '' : write(capitals)
  const given = told(qode)
  return {
    qode,
    subs: subs(qode),
    depth: depth(qode),
    used: used.map(({ quadranym_id }) => quadranym_id),
    becomes: words.map((word, i) => (given[i] === word ? undefined : given[i])),
  }
}

/** Whether the two words differ only in the case of their first letter. */
function isCapitalised(word: string, other: string | undefined): boolean {
  if (other === undefined || word === other) return false
  const [first = '', ...rest] = other
  return word === first.toUpperCase() + rest.join('')
}

export interface MarkableWord {
  readonly offset: number
  readonly length: number
  readonly tag: string
}

const NEGATION = /^n['’]t$/i

/** The words that a token can produce, with their parts of speech. */
export function markableWords(text: string): MarkableWord[] {
  const words = splitWords(text)
  const tags = tag(words.map((word) => word.text))
  return words.flatMap(({ text: word, offset }, i) => {
    const next = words[i + 1]
    const isCut = next !== undefined && next.offset === offset + word.length && NEGATION.test(next.text)
    if (!/^\p{L}/u.test(word) || NEGATION.test(word) || isCut) return []
    const found = tags[i]!
    return [{ offset, length: word.length, tag: /^[A-Z]+$/.test(found) ? found : 'NN' }]
  })
}
