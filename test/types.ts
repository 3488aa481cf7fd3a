/** Declarations that the compiler must accept and refuse. Nothing here runs; `npm run types` is the test. */
import type { polynym } from '../src/catalogue/polynym.ts'
import type { polyset } from '../src/catalogue/polyset.ts'
import type { quote } from '../src/catalogue/quote.ts'
import type { vectornym } from '../src/catalogue/vectornym.ts'
import {
  countOf,
  derived,
  gathered,
  integer,
  many,
  one,
  owner,
  type RecordOf,
  resource,
  slots,
  text,
  votes,
  type Wire,
} from '../src/declare/index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <T extends true>(): T | undefined => undefined

export const p: Wire<typeof polynym> = { name: 'x', user: 'u', mode: 'part', depth: 2, p1: 'a', p2: 'b', polynym_id: 1 }
export const s: Wire<typeof polyset> = {
  name: 'x',
  user: 'u',
  polynyms: [p],
  length: 1,
  width: 2,
  depth: 2,
  polyset_id: 1,
}
holds<Equal<(typeof s.polynyms)[number]['p12'], string | undefined>>()
holds<Equal<Wire<typeof quote>['quadranym']['quadranym_id'], number>>()
holds<Equal<NonNullable<Wire<typeof vectornym>['v9']>['mode'], string>>()
holds<Equal<RecordOf<typeof polynym>['p'], readonly string[]>>()
holds<Equal<RecordOf<typeof polynym>['votes'], readonly string[]>>()

// @ts-expect-error depth is missing
export const incomplete: Wire<typeof polynym> = { name: 'x', user: 'u', mode: 'part', p1: 'a', polynym_id: 1 }
// @ts-expect-error there is no p13
p.p13

const name = text({ max: 9 })
const does = ''
const size = integer({ min: 0, max: 9 })
const base = { does, order: ['name'], unique: [] } as const
const shell = resource('shell', {
  ...base,
  fields: { name, n: derived.integer() },
  derive: { n: (r) => r.name.length },
})
// @ts-expect-error a derived field without a rule
resource('a', { ...base, fields: { name, n: derived.integer() }, derive: {} })
// @ts-expect-error a rule of the wrong type
resource('b', { ...base, fields: { name, n: derived.integer() }, derive: { n: (r) => r.name } })
// @ts-expect-error an order by an unknown field
resource('c', { does, unique: [], fields: { name }, derive: {}, order: ['nam'] })
// @ts-expect-error an order by a gathered field
resource('d', { does, unique: [], fields: { name, n: gathered.integer() }, derive: { n: () => 1 }, order: ['n'] })
// @ts-expect-error an order by the owner's name
resource('o', { does, unique: [], fields: { name, user: owner() }, derive: {}, order: ['user'] })
// @ts-expect-error an order by votes
resource('v', { does, unique: [], fields: { name, votes: votes() }, derive: {}, order: ['-votes'] })
// @ts-expect-error an order by slots
resource('s', { does, unique: [], fields: { t: slots('t', { from: 1, to: 3, max: 9 }) }, derive: {}, order: ['t'] })
// @ts-expect-error an order by a list of records
resource('l', { does, unique: [], fields: { name, all: many(shell, { min: 1, max: 9 }) }, derive: {}, order: ['all'] })
// @ts-expect-error an order by a count
resource('n', { does, unique: [], fields: { name, n: countOf('shell', 'x') }, derive: {}, order: ['n'] })
// @ts-expect-error no order
resource('z', { does, unique: [], fields: { name }, derive: {}, order: [] })
resource('k', { does, unique: [], fields: { shell: one(shell), size }, derive: {}, order: ['shell', '-size'] })
// @ts-expect-error a unique rule on an unknown field
resource('e', { does, order: ['name'], fields: { name }, derive: {}, unique: [['nam']] })
resource('f', {
  ...base,
  fields: { name, shells: many(shell, { min: 1, max: 9 }), n: derived.integer(), m: gathered.integer() },
  derive: {
    // @ts-expect-error stored values must not depend on embedded records, which change without this one
    n: ({ shells }) => shells.length,
    m: ({ shells }) => shells.reduce((sum, each) => sum + each.n, 0),
  },
})
resource('r', {
  ...base,
  fields: { name, shells: many(shell, { min: 1, max: 9, reads: ['n'] }), m: gathered.integer(), c: gathered.integer() },
  derive: {
    m: ({ shells }) => shells.reduce((sum, each) => sum + each.n, 0),
    // @ts-expect-error `reads` does not have the name
    c: ({ shells }) => shells.reduce((sum, each) => sum + each.name.length, 0),
  },
})
resource('g', {
  ...base,
  fields: { name, t: slots('t', { from: 1, to: 3, max: 9 }) },
  derive: {},
  check: ({ t }) => (t.length > 1 ? {} : { t2: ['Two, please.'] }),
})
