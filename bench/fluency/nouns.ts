/** Which nouns stand alone in the singular (water, luck) and which need an article (window, idea), as texts use them. */
import { baseForms } from '../../src/language/index.ts'
import type { TaggedText } from './sequences.ts'

/** The words that can come before a noun and make up for an article. */
const DETERMINER = /^(?:DT|PDT|PRP\$|POS|CD|WDT|WP\$)$/
const MODIFIER = /^(?:JJ|JJR|JJS|VBN|VBG|NN|RB)$/
/** More uses than these show a habit. */
const ENOUGH = 4

const NONE = { bare: 0, determined: 0, plural: 0, one: 0 }

interface Uses {
  bare: number
  determined: number
  plural: number
  /** After "a" or "an". */
  one: number
}

export class Nouns {
  readonly #uses = new Map<string, Uses>()

  constructor(texts: readonly TaggedText[]) {
    for (const text of texts) {
      text.tags.forEach((tag, place) => {
        const word = text.words[place]?.toLowerCase() ?? ''
        if (tag === 'NN') this.#of(word)[isBare(text, place) ? 'bare' : 'determined']++
        if (tag === 'NN' && /^an?$/i.test(text.words[place - 1] ?? '')) this.#of(word).one++
        if (tag === 'NNS') for (const lemma of baseForms(word)) this.#of(lemma).plural++
      })
    }
  }

  /** Whether nobody says "a" or "many" of it. */
  isMass(noun: string): boolean {
    const { bare, plural, one } = this.#uses.get(noun) ?? NONE
    return bare >= 6 && plural + one === 0
  }

  /** Of a noun that names no unit, the texts must say more. */
  needsArticle(noun: string, { isUnit }: { readonly isUnit: boolean }): boolean {
    const { bare, determined, plural } = this.#uses.get(noun) ?? NONE
    const all = bare + determined + plural
    if (all < ENOUGH) return isUnit && bare === 0
    return bare / all < (isUnit ? 0.15 : 0.05) && (isUnit || all >= 3 * ENOUGH)
  }

  #of(noun: string): Uses {
    const known = this.#uses.get(noun)
    if (known) return known
    const uses = { ...NONE }
    this.#uses.set(noun, uses)
    return uses
  }
}

/** Whether a noun has no article and nothing in place of one. A noun before another noun is only a part of its name. */
export function isBare({ tags }: Pick<TaggedText, 'tags'>, place: number): boolean {
  if (/^(?:NN|NNS|NNP|NNPS|POS|CD)$/.test(tags[place + 1] ?? '')) return false
  let start = place - 1
  while (start >= 0 && MODIFIER.test(tags[start] ?? '')) start--
  return !DETERMINER.test(tags[start] ?? '')
}
