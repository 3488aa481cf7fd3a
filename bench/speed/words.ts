/** Made-up words, the same each time; few are frequent and most are rare, as in any language. */
import { Chance } from '../../test/robust/chance.ts'

const SYLLABLES = 'ba ce di fo gu la me ni po ru sa te vi wo zu bran clor drim flen grus plast skel thorn'.split(' ')
const COMMON = 'the of a and to in is that for with on as by at'.split(' ')
const KNOWN = 30_000

export class Words {
  readonly chance: Chance
  /** From the most frequent to the rarest. */
  readonly all: readonly string[]
  readonly areas = Array.from({ length: 200 }, (_, i) => `area ${i}`)
  readonly realms = Array.from({ length: 60 }, (_, i) => `Realm ${i}`)
  readonly sources: readonly string[]

  constructor(seed: number) {
    this.chance = new Chance(seed)
    this.all = [...new Set(Array.from({ length: KNOWN }, () => this.#make()))]
    this.sources = Array.from({ length: 2000 }, (_, i) => `${this.all[i]} ${this.all[i + 2000]}`)
  }

  #make(): string {
    return Array.from({ length: 2 + this.chance.below(3) }, () => this.chance.pick(SYLLABLES)).join('')
  }

  /** The n-th word is 1/n as frequent as the first. */
  one(): string {
    const { chance, all } = this
    if (chance.happens(5)) return chance.pick(COMMON)
    const place = Math.floor(all.length ** (chance.below(1e6) / 1e6))
    return all[Math.min(place, all.length) - 1]!
  }

  some(least: number, most: number): string {
    const count = least + this.chance.below(most - least + 1)
    let text = this.one()
    for (let i = 1; i < count; i++) text += ` ${this.one()}`
    return text
  }
}
