/**
 * What common words are (nouns, verbs, adjectives, adverbs) and which words are derived from them: dark, darkness, darken.
 * scripts/derived-words.ts makes the table from WordNet. It is a module, so that browsers have it too.
 */
import table from './model/derived-words.json' with { type: 'json' }

/** A noun, a verb, an adjective, an adverb. */
export type Kind = 'n' | 'v' | 'a' | 'r'

export interface WordEntry {
  /** The kinds that texts use the word as, and those that only a dictionary knows. */
  readonly kinds: string
  readonly rareKinds: string
  /** Which form of the verb is an adjective: a rising sun, a broken promise. */
  readonly participle?: 'VBG' | 'VBN'
  /** Something can become so: "grow strong". */
  readonly isQuality: boolean
  /** One can be counted: "become a river". It is known of nouns that are nothing else. */
  readonly isCountable: boolean
  /** With a capital it is also a name: March, God. */
  readonly isName: boolean
  /** Kind -> word. */
  readonly derived: ReadonlyMap<string, string>
}

/** How an entry is written: g and d for the participles in -ing and -ed, q for a quality, c for what can be counted, p for a name; rare kinds in capitals. */
const PARTICIPLES = { g: 'VBG', d: 'VBN' } as const
const BETWEEN = '|'
const BASE = 36

let entries: Map<string, string> | undefined

/** Undefined of a word that is not common. */
export function entryOf(word: string): WordEntry | undefined {
  entries ??= readTable(table)
  const written = entries.get(word)
  return written === undefined ? undefined : readEntry(word, written)
}

/**
 * Lists of entries "word signs derived...", joined. A word is written without the letters that it shares with the word
 * before, a derived word without those that it shares with its own word: their number is the first character, in base 36.
 */
function readTable(lists: readonly string[]): Map<string, string> {
  const read = new Map<string, string>()
  for (const list of lists) {
    let word = ''
    for (const entry of list.split(BETWEEN)) {
      const end = entry.indexOf(' ')
      word = withStart(word, entry.slice(0, end))
      read.set(word, entry.slice(end + 1))
    }
  }
  return read
}

function readEntry(word: string, written: string): WordEntry {
  const [signs = '', ...derived] = written.split(' ')
  const participle = signs.includes('g') ? PARTICIPLES.g : signs.includes('d') ? PARTICIPLES.d : undefined
  return {
    kinds: signs.replaceAll(/[^nvar]/g, ''),
    rareKinds: signs.replaceAll(/[^NVAR]/g, '').toLowerCase(),
    ...(participle ? { participle } : {}),
    isQuality: signs.includes('q'),
    isCountable: signs.includes('c'),
    isName: signs.includes('p'),
    derived: new Map(derived.map((each) => [each.charAt(0), withStart(word, each.slice(1))])),
  }
}

function withStart(word: string, written: string): string {
  return word.slice(0, Number.parseInt(written.charAt(0), BASE)) + written.slice(1)
}

/** Writes what `readTable` reads: a list for each first letter. */
export function writeTable(words: ReadonlyMap<string, WordEntry>): string[] {
  const lists = Map.groupBy([...words.keys()].sort(), (word) => word.charAt(0))
  return Array.from(lists.values(), (list) =>
    list
      .map((word, i) => `${withoutStart(list[i - 1] ?? '', word)} ${writeEntry(word, words.get(word))}`)
      .join(BETWEEN),
  )
}

function writeEntry(word: string, entry: WordEntry | undefined): string {
  if (!entry) return ''
  const participle = entry.participle === undefined ? '' : entry.participle === 'VBG' ? 'g' : 'd'
  const others = `${participle}${entry.isQuality ? 'q' : ''}${entry.isCountable ? 'c' : ''}${entry.isName ? 'p' : ''}`
  const signs = `${entry.kinds}${entry.rareKinds.toUpperCase()}${others}`
  const derived = Array.from(entry.derived, ([kind, other]) => `${kind}${withoutStart(word, other)}`)
  return [signs, ...derived].join(' ')
}

function withoutStart(word: string, other: string): string {
  let same = 0
  while (same < BASE - 1 && same < word.length && word[same] === other[same]) same++
  return same.toString(BASE) + other.slice(same)
}
