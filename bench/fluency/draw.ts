/**
 * Texts told with other topics, drawn by a seed: the same files give the same draws, whatever the engine makes of them.
 * Any quadranym may be drawn, whether it fits or not; `drawTurned` chooses among them as the site does.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { random as seeded, shuffle } from '../../scripts/random.ts'
import { annotate, FormIndex, indexes, suggest, type TaggedQuadranym } from '../../src/language/index.ts'
import { drawnFor, freshTopics, offersAmong } from '../../src/web/texts/offers.ts'

const root = join(import.meta.dirname, '../..')
const FORTUNES = '/usr/share/games/fortunes'
/** Longer ones would be read as several texts. */
const MOST_CHARACTERS = 400

export interface Draw {
  readonly kind: string
  readonly qode: string
  readonly quadranyms: readonly TaggedQuadranym[]
  /** Whether tokens need no tag, as in phrases and fables. */
  readonly untagged: boolean
  /** The text that somebody wrote, where there is one. */
  readonly body?: string
}

interface Source {
  readonly kind: string
  /** Qode -> the text it was made from, if it was. */
  readonly qodes: ReadonlyMap<string, string | undefined>
  readonly untagged: boolean
}

/** Kind -> how many of fifteen draws are of this kind. */
const SHARES = new Map([
  ['fortune', 6],
  ['quote', 5],
  ['phrase', 3],
  ['fable', 1],
])

/** From the sample catalogue. */
export function drawSample(seed: number, count: number): Draw[] {
  return draw(seed, count, sampleSources())
}

type Named = string | { readonly name: string }

interface SampleText {
  readonly qode: string
  readonly body?: string
  readonly quadranym?: Named
  readonly q1?: readonly Named[]
  readonly q2?: readonly Named[]
}

/**
 * The same with the topics that a page of the site turns to: of as many as it draws, those that fit first, and none of
 * the text's own. What is drawn does not depend on what fits.
 */
export function drawTurned(seed: number, count: number): Draw[] {
  const sources = sampleSources()
  const own = new Map([...SHARES.keys()].flatMap((kind) => sample<SampleText>(kind)).map((text) => [text.qode, text]))
  const quadranyms = sample<TaggedQuadranym>('quadranym')
  const random = seeded(seed)
  return Array.from({ length: count }, () => {
    const { kind, qodes, untagged } = pick(sources, random)
    const [qode] = pick([...qodes], random)
    const places = { qode, grammar: { untagged }, indexes: indexes(qode, { untagged }) }
    const order = quadranyms.map((_, i) => i)
    shuffle(order, random)
    const drawn = order.slice(0, drawnFor(places)).flatMap((i) => quadranyms[i] ?? [])
    const topics = freshTopics(offersAmong(places, drawn), ownTopics(own.get(qode)))
    return { kind, qode, quadranyms: topics.flatMap((topic) => topic ?? []), untagged }
  })
}

function ownTopics(text: SampleText | undefined): { readonly name: string }[] {
  const named = [text?.quadranym ?? [], text?.q1 ?? [], text?.q2 ?? []].flat()
  return named.map((each) => (typeof each === 'string' ? { name: each } : each))
}

function sampleSources(): Source[] {
  return Array.from(SHARES, ([kind, share]): Source[] => {
    const untagged = kind === 'phrase' || kind === 'fable'
    const usable = sample<SampleText>(kind).filter(({ qode }) => isUsable(qode, untagged))
    const qodes = new Map(usable.map(({ qode, body }) => [qode, body]))
    return Array(share).fill({ kind, qodes, untagged })
  }).flat()
}

/** From Debian's fortunes, annotated with the sample catalogue; undefined when they are not installed. */
export function drawFortunes(seed: number, count: number): Draw[] | undefined {
  if (!existsSync(FORTUNES)) return undefined
  const quadranyms = sample<TaggedQuadranym>('quadranym')
  const index = new FormIndex(quadranyms)
  const files = globSync(join(FORTUNES, '*')).filter((file) => !/\.(dat|u8)$/.test(file))
  const bodies = files.sort().flatMap((file) => readFileSync(file, 'utf8').split(/^%$/m))
  const random = seeded(seed)
  const chosen = new Map<string, string>()
  while (chosen.size < count) {
    const body = pick(bodies, random).trim()
    if (!isProse(body)) continue
    const places = suggest(body, index, { limit: 3 }).map(({ place }) => place)
    const { qode } = annotate(
      body,
      places.flatMap((place) => quadranyms[place] ?? []),
    )
    if (isUsable(qode, false)) chosen.set(qode, body)
  }
  return draw(seed, count, [{ kind: "Debian's fortune", qodes: chosen, untagged: false }])
}

function draw(seed: number, count: number, sources: readonly Source[]): Draw[] {
  const quadranyms = sample<TaggedQuadranym>('quadranym')
  const random = seeded(seed)
  const drawn = new Map<string, Draw>()
  while (drawn.size < count) {
    const { kind, qodes, untagged } = pick(sources, random)
    const [qode, body] = pick([...qodes], random)
    const topics = indexes(qode, { untagged }).map(() => pick(quadranyms, random))
    const key = JSON.stringify([qode, topics.map(({ name, e }) => [name, e])])
    if (new Set(topics).size === topics.length)
      drawn.set(key, {
        kind,
        qode,
        quadranyms: topics,
        untagged,
        ...(body === undefined ? {} : { body }),
      })
  }
  return [...drawn.values()]
}

function isUsable(qode: string, untagged: boolean): boolean {
  return qode.length <= MOST_CHARACTERS && indexes(qode, { untagged }).length > 0
}

/** Verses, dialogues, tables and drawings are judged by other rules than sentences. */
function isProse(body: string): boolean {
  return body.length <= 300 && /^["'(\p{Lu}]/u.test(body) && !/\n[ \t]*\n|[ \t]{3}|[|_^~<>{}\\=]|\d{3}|:\n/u.test(body)
}

function pick<T>(list: readonly T[], random: () => number): T {
  const found = list[Math.floor(random() * list.length)]
  if (found === undefined) throw new Error('nothing to draw from')
  return found
}

function sample<T>(name: string): T[] {
  return readFileSync(join(root, `sample/${name}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
