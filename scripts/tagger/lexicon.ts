/** What the model knows about single words: their seen tags, WordNet's parts of speech, clusters of vectors. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash, type Lexicon } from '../../src/language/features.ts'
import { type Clusters, clusterWords, type Vectors } from './clusters.ts'
import type { Tagged } from './corpora.ts'

export interface TrainedLexicon extends Lexicon {
  /** Hash of the lower-cased word to its entry. */
  readonly entries: ReadonlyMap<number, number>
  readonly choices: readonly (readonly number[])[]
  readonly choiceOf: readonly number[]
  readonly kinds: readonly number[]
  readonly forms: readonly number[]
  readonly clusters: readonly number[]
  readonly classes: readonly number[]
  readonly finite: readonly number[]
}

const SEEN_ENOUGH_FOR_KIND = 3
/** A word this frequent has only the tags it was seen with; a share this small is a mistake of the annotators. */
const SEEN_ENOUGH_FOR_CHOICES = 300
const SLIP = 0.003
const FINITE = new Set(['VBZ', 'VBD', 'VBP', 'MD'])

export function makeLexicon(
  data: readonly Tagged[],
  tags: readonly string[],
  wordnet: string | undefined,
  vectors: Vectors | undefined,
): TrainedLexicon {
  const counts = countTags(data, tags)
  const kindNumbers = new Map<string, number>()
  const formNumbers = new Map<number, number>()
  const choiceNumbers = new Map<string, number>()
  const numberIn = <Key>(map: Map<Key, number>, key: Key) => {
    if (!map.has(key)) map.set(key, map.size)
    return map.get(key)!
  }
  numberIn(kindNumbers, '')
  numberIn(formNumbers, 0)
  const rare = new Set(tagsOfRareWords(counts))
  numberIn(choiceNumbers, [...rare].join(' '))
  const finite = [0]
  const columns = { choiceOf: [0], kinds: [0], forms: [0], clusters: [0], classes: [0] }
  const entries = new Map<number, number>()
  const entryOf = (word: string) => {
    const key = hash(word)
    if (!entries.has(key)) {
      entries.set(key, columns.kinds.length)
      for (const column of Object.values(columns)) column.push(0)
    }
    return entries.get(key)!
  }
  for (const [word, count] of counts) {
    const total = count.reduce((sum, n) => sum + n, 0)
    if (total < SEEN_ENOUGH_FOR_KIND) continue
    const shares = [...count].map((n, tag) => [n / total, tags[tag]!] as const).sort((a, b) => b[0] - a[0])
    const kind = numberIn(kindNumbers, nameOfKind(shares))
    if (kind === finite.length) finite.push(finiteness(shares))
    columns.kinds[entryOf(word)] = kind
    const often = total >= SEEN_ENOUGH_FOR_CHOICES
    const seen = [...count.keys()].filter((tag) =>
      often ? count[tag]! / total > SLIP : count[tag]! > 0 || rare.has(tag),
    )
    columns.choiceOf[entryOf(word)] = numberIn(choiceNumbers, seen.join(' '))
  }
  for (const [word, form] of wordnet ? readWordnet(wordnet) : []) {
    // Most forms made by rule are not used by anybody.
    if (!counts.has(word) && vectors && !vectors.common.has(word)) continue
    columns.forms[entryOf(word)] = numberIn(formNumbers, form)
  }
  const clustered: Clusters = vectors ? clusterWords(vectors, counts) : new Map()
  for (const [word, [cluster, wordClass]] of clustered) {
    columns.clusters[entryOf(word)] = cluster + 1
    columns.classes[entryOf(word)] = wordClass + 1
  }
  const choices = [...choiceNumbers.keys()].map((key) => key.split(' ').map(Number))
  return { ...columns, entries, choices, finite, find: (lowerHash) => entries.get(lowerHash) ?? 0 }
}

export type TagCounts = ReadonlyMap<string, Float64Array>

function countTags(data: readonly Tagged[], tags: readonly string[]): TagCounts {
  const numbers = new Map(tags.map((tag, number) => [tag, number]))
  const counts = new Map<string, Float64Array>()
  for (const sentence of data) {
    sentence.words.forEach((word, i) => {
      const lower = word.toLowerCase()
      let count = counts.get(lower)
      if (!count) {
        count = new Float64Array(tags.length)
        counts.set(lower, count)
      }
      count[numbers.get(sentence.tags[i]!)!]!++
    })
  }
  return counts
}

function tagsOfRareWords(counts: TagCounts): number[] {
  const mass: number[] = []
  let whole = 0
  for (const count of counts.values()) {
    const total = count.reduce((sum, n) => sum + n, 0)
    if (total > 3) continue
    whole += total
    count.forEach((n, tag) => {
      mass[tag] = (mass[tag] ?? 0) + n
    })
  }
  return [...mass.keys()].filter((tag) => mass[tag]! > 0.0002 * whole)
}

type Shares = readonly (readonly [share: number, tag: string])[]

/** The main tag and its certainty, then the others. */
function nameOfKind(shares: Shares): string {
  const [[share, tag], ...others] = shares.filter(([share]) => share >= 0.03).slice(0, 4) as [Shares[0], ...Shares]
  const sure = share > 0.97 ? '!' : share > 0.75 ? '+' : ''
  return [tag + sure, ...others.map(([, other]) => other).sort()].join(' ')
}

function finiteness(shares: Shares): number {
  const seen = shares.filter(([share, tag]) => share >= 0.03 && FINITE.has(tag))
  const share = seen.reduce((sum, [part]) => sum + part, 0)
  return share > 0.85 ? 3 : share > 0.4 ? 2 : share > 0 ? 1 : 0
}

/**
 * Words and their regular forms with bits for their possible tags; their frequency in WordNet's own texts counts too.
 */
function readWordnet(folder: string): Map<string, number> {
  const senses = new Map<string, [noun: number, verb: number, adjective: number, adverb: number]>()
  for (const line of readFileSync(join(folder, 'index.sense'), 'latin1').split('\n')) {
    const [, lemma, type, times] = /^([a-z][a-z'-]*)%(\d)\S* \d+ \d+ (\d+)/i.exec(line) ?? []
    if (!lemma) continue
    const word = lemma.toLowerCase()
    const count = senses.get(word) ?? [0, 0, 0, 0]
    count[[0, 0, 1, 2, 3, 2][Number(type)]!]! += Number(times) + 0.1
    senses.set(word, count)
  }
  const forms = new Map<string, number>()
  const add = (word: string, bits: number) => forms.set(word, (forms.get(word) ?? 0) | bits)
  for (const [word, count] of senses) {
    const total = count.reduce((sum, n) => sum + n, 0)
    const often = (n: number) => (n === 0 ? 0 : n > total * 0.75 ? 3 : n > total * 0.1 ? 2 : 1)
    count.forEach((n, part) => {
      add(word, often(n) << (2 * part))
    })
    const [noun, verb, adjective] = count
    const doubled = /^[^aeiou]*[aeiou][bdgklmnprtvz]$/.test(word) ? word + word.at(-1) : word
    const softened = word.replace(/(?<=[^aeiou])y$/, 'i')
    const stem = softened !== word ? softened : word.endsWith('e') ? word.slice(0, -1) : doubled
    const s = /(?:s|x|z|ch|sh)$/.test(word) || softened !== word ? `${softened}es` : `${word}s`
    if (noun) add(s, (often(noun) > 1 ? 3 : 1) << 8)
    if (verb) {
      add(s, (often(verb) > 1 ? 3 : 1) << 10)
      add(`${stem}ed`, 1 << 12)
      add(`${/[^eoy]e$/.test(word) ? word.slice(0, -1) : doubled}ing`, 1 << 13)
    }
    if (adjective) {
      add(`${stem}er`, 1 << 14)
      add(`${stem}est`, 1 << 15)
    }
  }
  return forms
}
