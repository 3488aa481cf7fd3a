/** A large catalogue of made-up words, the same each time: in SQLite through the engine, in PostgreSQL as a copy of it. */
import SQLite from 'better-sqlite3'
import pg from 'pg'
import { catalogue } from '../../src/catalogue/index.ts'
import type { AnyResource, JsonObject } from '../../src/declare/index.ts'
import { accountNamed, type Engine, insertRecord } from '../../src/engine/index.ts'
import { Chance } from '../../test/robust/chance.ts'

export const POLYNYMS = 100_000
const QUADRANYMS = 30_000
const TEXTS = 10_000
const USERS = 200
const BATCH = 2000

const chance = new Chance(6)
const syllables = 'ba ce di fo gu la me ni po ru sa te vi wo zu bran clor drim flen grus plast skel thorn'.split(' ')
const common = 'the of a and to in is that for with on as by at'.split(' ')
const words = [...new Set(Array.from({ length: 30_000 }, () => makeWord()))]

function makeWord(): string {
  return Array.from({ length: 2 + chance.below(3) }, () => chance.pick(syllables)).join('')
}

/** Few words are frequent and most are rare, as in any language. */
function word(): string {
  if (chance.happens(5)) return chance.pick(common)
  const place = Math.floor(words.length ** (chance.below(1e6) / 1e6))
  return words[Math.min(place, words.length - 1)]!
}

const some = (least: number, most: number) => Array.from({ length: least + chance.below(most - least + 1) }, word)
const areas = Array.from({ length: 200 }, (_, i) => `area ${i}`)
const sources = Array.from({ length: 2000 }, (_, i) => `${words[i]} ${words[i + 2000]}`)
const realms = Array.from({ length: 60 }, (_, i) => `Realm ${i}`)

function head(i: number): Record<string, string> {
  return {
    name: `${some(1, 3).join(' ')} ${i % 7 === 0 ? '' : i}`,
    ...(chance.happens(10) ? {} : { src: chance.pick(sources) }),
    ...(chance.happens(10) ? {} : { area: chance.pick(areas) }),
  }
}

function polynym(i: number): JsonObject {
  const depth = chance.happens(100) ? 12 : 2 + chance.below(6)
  const terms = Array.from({ length: depth }, (_, k) => [`p${k + 1}`, some(1, 2).join(' ')])
  return { ...head(i), mode: chance.pick(['part', 'part', 'type', 'type', 'step']), ...Object.fromEntries(terms) }
}

function quadranym(i: number): JsonObject {
  const terms = Object.fromEntries(['e', 'r', 'o', 's'].map((slot) => [slot, word()]))
  return { ...head(i), ...terms, ...(chance.happens(3) ? {} : { realm: chance.pick(realms) }) }
}

/** Every other one has two tokens. */
function text(i: number): { body: string; qode: string } {
  const rest = some(5, 12).join(' ')
  return i % 2 === 0
    ? { body: `topic ${rest} ${i}`, qode: `q1n_NN ${rest} ${i}` }
    : { body: `topic ${rest} topic ${i}`, qode: `q1n_NN ${rest} q1n_NN ${i}` }
}

/** A few are liked. */
const votes = () => (chance.happens(60) ? [...new Set([1 + chance.below(USERS), 1 + chance.below(USERS)])] : [])

export async function fill(engine: Engine): Promise<void> {
  const { store } = engine
  const resources = new Map<string, AnyResource>(catalogue.map((resource) => [resource.name, resource]))
  const owners = await store.write(function* () {
    const made = []
    for (let i = 0; i < USERS; i++) made.push(yield* accountNamed(engine, `user${i}`))
    return made
  })
  const plan: readonly (readonly [string, number, (i: number) => JsonObject])[] = [
    ['quadranym', QUADRANYMS, quadranym],
    ['polynym', POLYNYMS, polynym],
    ['fortune', TEXTS, (i) => ({ ...text(i), q1: [1 + chance.below(QUADRANYMS)] })],
    ['quote', TEXTS, (i) => ({ ...text(i), quadranym: 1 + chance.below(QUADRANYMS), src: chance.pick(sources) })],
    [
      'polyset',
      2000,
      (i) => ({
        ...head(i),
        name: `${word()} ${i}`,
        polynyms: Array.from({ length: 5 }, () => 1 + chance.below(POLYNYMS)),
      }),
    ],
  ]
  for (const [name, count, make] of plan) {
    const resource = resources.get(name)!
    for (let from = 0; from < count; from += BATCH) {
      await store.write(function* () {
        for (let i = from; i < from + BATCH; i++) {
          const id = yield* insertRecord(engine, resource, make(i), chance.pick(owners))
          const voters = 'votes' in resource.fields ? votes() : []
          for (const voter of voters) yield* store.votes.vote(resource, id, voter)
        }
      })
    }
  }
}

/** Row by row over the wire would take minutes; as JSON, some thousand at a time, it takes seconds. */
export async function copyToPostgres(file: string, url: string): Promise<void> {
  const from = new SQLite(file, { readonly: true })
  const to = new pg.Client({ connectionString: url })
  await to.connect()
  // Tables come after those they refer to, in the file that created them.
  const tables = from
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
    .pluck()
    .all() as string[]
  for (const table of tables.filter((name) => !/^(sqlite_|migration$)/.test(name))) {
    const insert = `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $1)`
    let rows: unknown[] = []
    const flush = async () => {
      if (rows.length > 0) await to.query(insert, [JSON.stringify(rows)])
      rows = []
    }
    for (const row of from.prepare(`SELECT * FROM "${table}"`).iterate()) {
      if (rows.push(row) === BATCH) await flush()
    }
    await flush()
  }
  await to.query('VACUUM ANALYZE')
  await to.end()
  from.close()
}
