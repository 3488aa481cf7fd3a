/** Texts with their tokens marked: coloured by slot, with an explanation on hover and focus. */
import { type Grammar, parse } from '../../language/index.ts'
import { type Content, html } from '../html.ts'
import { tagInWords } from './tag-words.ts'

/** A word of a told text that comes from a token. Offsets count characters, not UTF-16 units. */
export interface Span {
  readonly offset: number
  readonly length: number
  readonly index: number
  readonly slot: string
  readonly token: string
  /** The word stands for a topic that is not chosen. */
  readonly isOpen?: boolean
}

/** As the API sends a quadranym; only these members are used. */
export interface Topic {
  readonly quadranym_id: number
  readonly name: string
  readonly e: string
  readonly r: string
  readonly o: string
  readonly s: string
}

/** Topics in order; undefined for one that is not known. */
export type Topics = readonly (Topic | undefined)[]

/** The topic that the index of a token means, if it is known. */
export type TopicAt = (index: number) => Topic | undefined

/** Index 1 means the first of the topics. */
export const inOrder =
  (topics: Topics): TopicAt =>
  (index) =>
    topics[index - 1]

export const SLOTS: Readonly<Record<string, string>> = {
  n: 'topic',
  e: 'expansive',
  r: 'reductive',
  o: 'objective',
  s: 'subjective',
}

export interface TokenOptions {
  /** Without links, for a text inside a link. */
  readonly plain?: boolean
  /** The words are left out, for the reader to guess. */
  readonly blanks?: boolean
}

/** A told text with its words marked. */
export function tokens(
  text: string,
  spans: readonly Span[],
  topicAt: TopicAt,
  { plain = false, blanks = false }: TokenOptions = {},
): Content {
  const letters = [...text]
  const parts: Content[] = []
  let done = 0
  for (const span of spans) {
    const { offset, length, index, slot } = span
    const word = letters.slice(offset, offset + length).join('')
    const mark = blanks
      ? blank(word, span)
      : span.isOpen
        ? openWord(word, slot)
        : token(word, slot, topicAt(index), plain)
    parts.push(letters.slice(done, offset).join(''), mark)
    done = offset + length
  }
  return [...parts, letters.slice(done).join('')]
}

/** The terms of a quadranym by slot letter. */
export function termOf(topic: Omit<Topic, 'quadranym_id'>, slot: string): string {
  return slot === 'n' ? topic.name : String(topic[slot as 'e'] ?? '')
}

function token(word: string, slot: string, topic: Topic | undefined, plain: boolean): Content {
  if (plain) return html`<span class=${`tok ${slot}`}>${word}</span>`
  const tip = topic ? tipOf(topic, slot) : SLOTS[slot]
  const href = topic ? `/quadranym/${topic.quadranym_id}/` : `/word/${encodeURIComponent(word)}/`
  return html`<a class=${`tok ${slot}`} href=${href} data-tip=${tip}>${word || '\u00a0'}</a>`
}

export function openWord(word: string, slot: string): Content {
  return html`<span class=${`tok open ${slot}`}>${word}</span>`
}

function blank(word: string, { slot, index, token }: Span): Content {
  const tag = token.split(/[_^]/)[1]
  const tip = `${SLOTS[slot]} of topic ${index}${tag ? `, ${tagInWords(tag)}` : ''}`
  return html`<span class=${`tok ${slot} blank`} tabindex="0" data-tip=${tip}>${word}</span>`
}

/** "open, the expansive of door" */
function tipOf(topic: Topic, slot: string): string {
  return slot === 'n' ? `${topic.name}, the topic` : `${termOf(topic, slot)}, the ${SLOTS[slot]} of ${topic.name}`
}

/** A qode as it is written, its tokens coloured. */
export function template(qode: string, topicAt: TopicAt, grammar: Grammar = {}): Content {
  return parse(qode, grammar).map((piece) => {
    if (piece.kind === 'text') return piece.text
    const topic = topicAt(piece.index)
    const written = qode.slice(piece.offset, piece.offset + piece.length)
    const tip = topic ? tipOf(topic, piece.slot) : `${SLOTS[piece.slot]} of topic ${piece.index}`
    if (!topic) return html`<span class=${`tok ${piece.slot}`} tabindex="0" data-tip=${tip}>${written}</span>`
    return html`<a class=${`tok ${piece.slot}`} href=${`/quadranym/${topic.quadranym_id}/`} data-tip=${tip}>${written}</a>`
  })
}
