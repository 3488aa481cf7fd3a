/** Made-up records of every collection, as rows for a bulk copy. */
import type { Cell } from '../../src/declare/index.ts'
import type { Copied } from '../../src/store/index.ts'
import { Words } from './words.ts'

export interface Size {
  readonly polynyms: number
  /** Quadranyms, polysets and quotes. */
  readonly others: number
  /** Of each of the rest. */
  readonly rest: number
  readonly users: number
}

const JOINED = '2026-01-01T00:00:00.000Z'
const PARTS_OF_SET = 5
const SLOTS = Array.from({ length: 12 }, (_, i) => i + 1)
const APPS = ['flip', 'spin', 'match', 'guess']

interface Plan {
  readonly count: number
  make(i: number): Omit<Copied, 'id' | 'owner'>
}

/** The tables by name; those of the records get ids from 1 on. */
export function* recordsOf(size: Size, tables: readonly string[], batch: number): Generator<[string, Copied[]]> {
  const words = new Words(8)
  const plans = plansOf(size, words)
  for (const table of tables) {
    const { count, make } = plans[table] ?? { count: 0, make: () => ({ columns: {} }) }
    for (let from = 0; from < count; from += batch) {
      const copies: Copied[] = []
      for (let i = from; i < Math.min(count, from + batch); i++) {
        const owner = 1 + words.chance.below(size.users)
        copies.push(table === 'account' ? make(i) : { id: i + 1, owner: ownerOf(table, i, owner), ...make(i) })
      }
      yield [table, copies]
    }
  }
}

/** A user has one score in each game. */
const ownerOf = (table: string, i: number, any: number) => (table === 'winner' ? 1 + Math.floor(i / APPS.length) : any)

function plansOf({ polynyms, others, rest, users }: Size, words: Words): Record<string, Plan> {
  const { chance } = words
  const anyOf = (count: number) => 1 + chance.below(count)
  const several = (count: number, of: number) => Array.from({ length: count }, () => anyOf(of))
  const votes = () => (chance.happens(60) ? [...new Set(several(2, users))] : [])
  const seldom = (oneIn: number, texts: readonly string[]) => (chance.happens(oneIn) ? '' : chance.pick(texts))
  const head = (name: string) => ({ name, ...sourced() })
  const sourced = () => ({
    src: seldom(10, words.sources),
    area: seldom(10, words.areas),
    wiki: chance.happens(10) ? `https://wiki.example/${words.one()}` : '',
  })
  const named = (i: number) => head(`${words.some(1, 3)} ${i}`)
  const realm = () => seldom(3, words.realms)
  const quoted = (i: number) => {
    const said = words.some(6, 14)
    return { body: `topic ${said} ${i}`, qode: `q1n_NN ${said} ${i}` }
  }
  const slots = (key: string, texts: readonly string[]): Record<string, Cell> =>
    Object.fromEntries(SLOTS.map((n) => [`${key}${n}`, texts[n - 1] ?? '']))
  return {
    account: {
      count: users,
      make: (i) => ({
        columns: {
          id: i + 1,
          name: `user${i + 1}`,
          name_key: `user${i + 1}`,
          password: '',
          staff: 0,
          removed: 0,
          joined: JOINED,
        },
      }),
    },
    polynym: {
      count: polynyms,
      make(i) {
        // Deep ones are so rare that they can be asked for.
        const depth = chance.happens(2000) ? 9 + chance.below(4) : 2 + chance.below(7)
        const terms = Array.from({ length: depth }, () => words.some(1, 2))
        const mode = chance.pick(['part', 'part', 'type', 'type', 'step'])
        return { columns: { ...named(i), mode, ...slots('p', terms) }, votes: votes() }
      },
    },
    quadranym: {
      count: others,
      make(i) {
        const [e, r, o, s] = [words.one(), words.one(), words.one(), words.one()]
        const tags = { pos: 'NN', epos: 'VB', rpos: 'VB', opos: 'NN', spos: 'NN' }
        return { columns: { ...named(i), e, r, o, s, ...tags, realm: realm() }, votes: votes() }
      },
    },
    polyset: {
      count: others,
      make: (i) => ({ columns: named(i), links: { polynyms: several(PARTS_OF_SET, polynyms) }, votes: votes() }),
    },
    quote: {
      count: others,
      make: (i) => ({ columns: { ...quoted(i), quadranym: anyOf(others), src: chance.pick(words.sources) } }),
    },
    fortune: { count: rest, make: (i) => ({ columns: quoted(i), links: { q1: [anyOf(others)], q2: [] } }) },
    quadraset: { count: rest, make: (i) => ({ columns: named(i), links: { quadranyms: several(4, others) } }) },
    fable: {
      count: rest,
      make(i) {
        const qode = `The q1n_NN ${words.some(5, 20)} the q2n_NN ${words.some(5, 20)} ${i}`
        return { columns: { ...named(i), qode, realm: realm() }, votes: votes() }
      },
    },
    phrase: {
      count: rest,
      make: (i) => ({
        columns: { ...named(i), qode: `The q1n_NN ${words.some(3, 9)} ${i}`, realm: realm() },
        votes: votes(),
      }),
    },
    polymap: {
      count: rest,
      make: (i) => ({
        columns: { ...named(i), pa: anyOf(polynyms), pb: anyOf(polynyms), ...slots('r', []) },
        votes: votes(),
      }),
    },
    vectornym: {
      count: rest,
      make: (i) => ({ columns: { ...named(i), realm: realm() }, links: { v: several(3, polynyms) }, votes: votes() }),
    },
    queue: { count: rest, make: (i) => ({ columns: { name: `${words.one()} ${i}` } }) },
    story: { count: rest, make: (i) => ({ columns: { ...named(i), realm: realm() }, votes: votes() }) },
    storyline: {
      count: 2 * rest,
      make: (i) => ({ columns: { rank: i % 2, story: 1 + (i >> 1), phrase: anyOf(rest), quadranym: anyOf(others) } }),
    },
    tale: { count: rest, make: (i) => ({ columns: { ...named(i), fable: anyOf(rest) }, votes: votes() }) },
    taleline: {
      count: 2 * rest,
      make: (i) => ({ columns: { rank: i % 2, tale: 1 + (i >> 1), quadranym: anyOf(others) } }),
    },
    winner: {
      count: rest,
      make: (i) => ({
        columns: { by: words.one(), app: APPS[i % APPS.length]!, score: chance.below(10_000), round: chance.below(50) },
      }),
    },
  }
}
