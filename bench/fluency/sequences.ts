/** How likely a tag is after the two before it, learnt from texts that the tagger has tagged. */
import { splitWords, tag } from '../../src/language/index.ts'

export interface TaggedText {
  readonly words: readonly string[]
  readonly tags: readonly string[]
}

const START = '^'
/** How much the shorter context counts in the longer one. */
const BACKOFF = 2

export class Sequences {
  readonly #counts = new Map<string, number>()

  constructor(texts: readonly TaggedText[]) {
    for (const { tags } of texts) {
      tags.forEach((_, place) => {
        const [first, second, third] = around(tags, place)
        for (const key of [`${first} ${second} ${third}`, `${first} ${second}`, `/${second} ${third}`, `/${second}`])
          this.#add(key)
        this.#add(`//${third}`)
        this.#add('//')
      })
    }
  }

  /** The natural logarithm of the probability of the tag at this place, after the two tags before it. */
  likelihood(tags: readonly string[], place: number): number {
    const [first, second, third] = around(tags, place)
    const alone = (this.#of(`//${third}`) + 0.5) / (this.#of('//') + 25)
    const pair = (this.#of(`/${second} ${third}`) + BACKOFF * alone) / (this.#of(`/${second}`) + BACKOFF)
    return Math.log(
      (this.#of(`${first} ${second} ${third}`) + BACKOFF * pair) / (this.#of(`${first} ${second}`) + BACKOFF),
    )
  }

  #add(key: string): void {
    this.#counts.set(key, this.#of(key) + 1)
  }

  #of(key: string): number {
    return this.#counts.get(key) ?? 0
  }
}

function around(tags: readonly string[], place: number): readonly [string, string, string] {
  return [tags[place - 2] ?? START, tags[place - 1] ?? START, tags[place] ?? START]
}

export function tagged(text: string): TaggedText {
  const words = splitWords(text).map((word) => word.text)
  return { words, tags: tag(words) }
}
