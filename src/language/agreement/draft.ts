/** A text whose tokens are filled, and the repairs that rules make in it. */
import type { Case } from '../capitals.ts'
import type { Token } from '../qode.ts'

/** A word that was filled in. */
export interface FilledWord {
  readonly token: Token
  /** Where it is in the text, in UTF-16 units. */
  readonly offset: number
  readonly length: number
  /** The word as it is inside a sentence, before its place gave it capitals. */
  readonly plain: string
  readonly wanted: Case
  /** False if it is still a token, or a blank. */
  readonly isFilled: boolean
  /** A verb that was put in without a change where the token asks for a noun. */
  readonly isVerb?: boolean
}

/** Something that was changed beyond the tokens. */
export interface Repair {
  /** The position of `now` in the text, in UTF-16 units. */
  readonly offset: number
  readonly was: string
  readonly now: string
  /** The name of the rule. */
  readonly rule: string
}

export interface Edit {
  readonly offset: number
  readonly end: number
  readonly now: string
}

/** Edits that a rule makes together, or not at all. The first is the leftmost. */
export type Edits = readonly [Edit, ...Edit[]]

export class Draft {
  text: string
  words: readonly FilledWord[]
  repairs: readonly Repair[] = []

  constructor(text: string, words: readonly FilledWord[]) {
    this.text = text
    this.words = words
  }

  /** Makes the edits, which are in the order of the text. Those that touch others, or an earlier repair, are not made. */
  make(found: readonly Edits[], rule: string): void {
    const edits: Edit[] = []
    let end = 0
    let next = 0
    for (const group of found) {
      const last = Math.max(...group.map((edit) => edit.end))
      while (next < this.repairs.length && endOf(this.repairs[next]) < group[0].offset) next++
      const isFree = next === this.repairs.length || (this.repairs[next]?.offset ?? 0) > last
      if (group[0].offset < end || !isFree) continue
      edits.push(...group)
      end = last
    }
    if (edits.length > 0) this.#apply(edits, rule)
  }

  #apply(edits: readonly Edit[], rule: string): void {
    const parts: string[] = []
    const made: Repair[] = []
    let done = 0
    let shift = 0
    for (const { offset, end, now } of edits) {
      const was = this.text.slice(offset, end)
      parts.push(this.text.slice(done, offset), now)
      made.push({ offset: offset + shift, was, now, rule })
      shift += now.length - was.length
      done = end
    }
    this.text = parts.join('') + this.text.slice(done)
    this.words = moved(this.words, edits)
    this.repairs = [...moved(this.repairs, edits), ...made].sort((a, b) => a.offset - b.offset)
  }
}

const endOf = (repair: Repair | undefined) => (repair ? repair.offset + repair.now.length : 0)

/** What follows an edit moves; a word that it changes gets longer or shorter. */
function moved<T extends { readonly offset: number; readonly length?: number }>(
  things: readonly T[],
  edits: readonly Edit[],
): T[] {
  let next = 0
  let shift = 0
  return things.map((thing) => {
    const { offset, length } = thing
    for (let edit = edits[next]; edit && edit.end <= offset; edit = edits[++next]) shift += deltaOf(edit)
    if (length === undefined) return { ...thing, offset: offset + shift }
    let longer = 0
    for (let i = next; i < edits.length; i++) {
      const edit = edits[i]
      if (!edit || edit.end > offset + length || edit.offset === offset + length) break
      longer += deltaOf(edit)
    }
    return { ...thing, offset: offset + shift, length: length + longer }
  })
}

const deltaOf = ({ offset, end, now }: Edit) => now.length - (end - offset)
