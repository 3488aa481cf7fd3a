/** The place of a filled word: the words before and after it. */
import { type Case, endsBeforeSentence, LOOK_BACK } from '../capitals.ts'
import type { Draft, Edit, FilledWord } from './draft.ts'

/** A word next to another, with nothing but space between them. */
export interface Neighbour {
  readonly text: string
  readonly lower: string
  readonly offset: number
  readonly end: number
  /** The token that it came from. Its text is not for a rule of another word to change. */
  readonly filled: FilledWord | undefined
}

/** Longer words are not looked at: this keeps the work linear. */
const LONGEST = 30
const WORD_BEFORE = /(?<![\p{L}\p{M}\p{N}'’-])([\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*)\s{1,4}$/u
const WORD_AFTER = /^\s{1,4}([\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*)/u
const CLAUSE_END = /^["'”’)\]]*(?:[.,;:!?…—–]|\s*$|\s+(?:--|[—–])|\s*\n)/u

export class Place {
  readonly draft: Draft
  readonly index: number
  readonly filled: FilledWord
  /** Its tag; empty if it has none. */
  readonly tag: string

  constructor(draft: Draft, index: number, filled: FilledWord) {
    this.draft = draft
    this.index = index
    this.filled = filled
    this.tag = filled.token.tag ?? ''
  }

  get offset(): number {
    return this.filled.offset
  }

  get end(): number {
    return this.filled.offset + this.filled.length
  }

  get wanted(): Case {
    return this.filled.wanted
  }

  /** The word that ends before this position. */
  before(offset = this.offset): Neighbour | undefined {
    const start = Math.max(0, offset - LONGEST)
    const found = WORD_BEFORE.exec(this.draft.text.slice(start, offset))
    const [, text] = found ?? []
    return found && text !== undefined ? this.#neighbour(text, start + found.index) : undefined
  }

  /** The word that begins after this position. */
  after(end = this.end): Neighbour | undefined {
    const found = WORD_AFTER.exec(this.draft.text.slice(end, end + LONGEST))
    const [whole = '', text] = found ?? []
    return text !== undefined ? this.#neighbour(text, end + whole.length - text.length) : undefined
  }

  #neighbour(text: string, offset: number): Neighbour {
    const { words } = this.draft
    const end = offset + text.length
    // A rule looks at two words before its own and one after it at most.
    const filled = [-3, -2, -1, 1, 2]
      .map((step) => words[this.index + step])
      .find((word) => isWithin(word, offset, end))
    return { text, lower: text.toLowerCase(), offset, end, filled }
  }

  /** Whether a clause ends here. */
  endsClause(end = this.end): boolean {
    return CLAUSE_END.test(this.draft.text.slice(end, end + LONGEST))
  }

  /** The characters that follow. */
  follows(pattern: RegExp): boolean {
    return pattern.test(this.draft.text.slice(this.end, this.end + LONGEST))
  }

  /** The characters before this position. */
  textBefore(offset: number): string {
    return this.draft.text.slice(Math.max(0, offset - LOOK_BACK), offset)
  }

  beginsSentence(offset = this.offset): boolean {
    return endsBeforeSentence(this.textBefore(offset))
  }

  /** Another word in place of a neighbour, in its letter case. */
  replace({ offset, end, text }: Neighbour, now: string): Edit {
    return { offset, end, now: inCaseLike(text, now, this.wanted === 'SHOUTED') }
  }

  /** Another form of the word itself. */
  rewrite(now: string): Edit {
    const { offset, end } = this
    return { offset, end, now: inCaseLike(this.draft.text.slice(offset, end), now, this.wanted === 'SHOUTED') }
  }

  /** Without a neighbour and the space after it; the next word takes over its capital. */
  remove({ offset, text }: Neighbour, next: number): readonly [Edit, ...Edit[]] {
    const gone = { offset, end: next, now: '' }
    const [first = ''] = this.draft.text.slice(next, next + 2)
    const isCapital = text !== text.toLowerCase() && this.wanted !== 'SHOUTED'
    if (!isCapital || first === first.toUpperCase()) return [gone]
    return [gone, { offset: next, end: next + first.length, now: first.toUpperCase() }]
  }

  /** A word before the one at this position, which gives its capital to it. */
  insert(offset: number, word: string): readonly [Edit, ...Edit[]] {
    const shouted = this.wanted === 'SHOUTED'
    const [first = ''] = this.draft.text.slice(offset, offset + 2)
    const isCapital = !shouted && first !== first.toLowerCase() && this.beginsSentence(offset)
    const added = { offset, end: offset, now: `${inCaseLike(isCapital ? first : '', word, shouted)} ` }
    const isName = offset === this.offset && /^\p{Lu}/u.test(this.filled.plain)
    return isCapital && !isName ? [added, { offset, end: offset + first.length, now: first.toLowerCase() }] : [added]
  }
}

function isWithin(word: FilledWord | undefined, offset: number, end: number): word is FilledWord {
  return word !== undefined && word.offset < end && offset < word.offset + word.length
}

/** One capital letter is a capital; whether it is shouted, only the place knows. */
function inCaseLike(model: string, word: string, shouted: boolean): string {
  if (shouted || (model.length > 1 && model === model.toUpperCase() && model !== model.toLowerCase())) {
    return word.toUpperCase()
  }
  const [first = ''] = model
  return first !== first.toLowerCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word
}
