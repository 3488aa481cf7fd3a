/**
 * A long random run of commands by three users against a model of plain objects: after every command the server must
 * agree with the model, and at the end both must have the same records on every page.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { NIGHTLY } from '../support/nightly.ts'
import { onEachEngine, type Reply, type Sent, type Site } from '../support/site.ts'
import { Chance } from './chance.ts'
import { slots, UNIQUE } from './rules.ts'

const SEED = 4711
const STEPS = NIGHTLY ? 1000 : 800
const STAFF = 'staff-cyd'
const USERS = ['ada', 'ben', STAFF]

type Json = any
type Values = Record<string, any>

interface Kept {
  readonly id: number
  owner: string
  /** Members as they were given: references are ids, empty ones are missing. */
  values: Values
  /** Newest first. */
  voters: string[]
}

/** Members that are given, and changed, together. */
interface Part {
  readonly given: Record<string, Json>
  readonly values: Values
  readonly lines?: readonly Values[]
}

const HEAD = ['name', 'user', 'src', 'area', 'wiki', 'likes', 'voters']

/** In the order of the root index. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  fable: [...HEAD, 'qode', 'subs', 'length', 'width', 'realm'],
  fortune: ['body', 'qode', 'q1', 'q2', 'subs', 'depth'],
  phrase: [...HEAD, 'qode', 'subs', 'width', 'realm'],
  polynym: [...HEAD, 'mode', 'depth', ...slots('p', 12)],
  polymap: [...HEAD, 'pa', 'pb', ...slots('r', 12)],
  polyset: [...HEAD, 'polynyms', 'length', 'width', 'depth'],
  quadranym: [...HEAD, 'e', 'r', 'o', 's', 'pos', 'epos', 'rpos', 'opos', 'spos', 'realm'],
  quadraset: [...HEAD.slice(0, 5), 'quadranyms', 'length'],
  queue: ['name'],
  quote: ['body', 'qode', 'quadranym', 'subs', 'width', 'src'],
  story: [...HEAD, 'length', 'realm'],
  tale: [...HEAD, 'length', 'fable'],
  storyline: ['rank', 'story', 'phrase', 'quadranym'],
  taleline: ['rank', 'tale', 'quadranym'],
  vectornym: [...HEAD, 'length', 'width', 'depth', ...slots('v', 9), 'realm'],
  winner: ['by', 'user', 'app', 'score', 'round'],
}
const NAMES = Object.keys(MEMBERS)
const COLLECTIONS = [...NAMES, 'quadranym-id']
const VOTED = NAMES.filter((name) => MEMBERS[name]!.includes('voters'))
/** Which members refer to what. */
const REFERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fortune: { q1: 'quadranym', q2: 'quadranym' },
  polymap: { pa: 'polynym', pb: 'polynym' },
  polyset: { polynyms: 'polynym' },
  quadraset: { quadranyms: 'quadranym' },
  quote: { quadranym: 'quadranym' },
  tale: { fable: 'fable' },
  storyline: { story: 'story', phrase: 'phrase', quadranym: 'quadranym' },
  taleline: { tale: 'tale', quadranym: 'quadranym' },
  vectornym: Object.fromEntries(slots('v', 9).map((slot) => [slot, 'polynym'])),
}
const LINES: Readonly<Record<string, string>> = { story: 'storyline', tale: 'taleline' }
const ORDER: Readonly<Record<string, readonly string[]>> = {
  fortune: ['body'],
  polynym: ['name', 'src'],
  quote: ['body'],
  storyline: ['story', 'rank'],
  taleline: ['tale', 'rank'],
  winner: ['app', '-score'],
}
/** Members without which a record is refused. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  fable: ['name', 'qode'],
  fortune: ['body'],
  phrase: ['name', 'qode'],
  polynym: ['name', 'mode'],
  polymap: ['name', 'pa', 'pb'],
  polyset: ['name', 'polynyms'],
  quadranym: ['name'],
  quadraset: ['name', 'quadranyms'],
  queue: ['name'],
  quote: ['body', 'quadranym', 'src'],
  story: ['name'],
  tale: ['name', 'fable'],
  storyline: ['rank', 'story', 'phrase', 'quadranym'],
  taleline: ['rank', 'tale', 'quadranym'],
  vectornym: ['name'],
  winner: ['user', 'app', 'score', 'round'],
}

/** What must have happened in the end, and what is tried: also votes that do not exist. */
const WANTED = [
  ...['create', 'PUT', 'PATCH', 'delete', 'read', 'list'].flatMap((does) =>
    COLLECTIONS.map((name) => `${does} ${name}`),
  ),
  ...['vote', 'unvote'].flatMap((does) => VOTED.map((name) => `${does} ${name}`)),
]
const OFTEN = COLLECTIONS.flatMap((name) => [`create ${name}`, `create ${name}`, `create ${name}`, `PATCH ${name}`])
const UNDO = Array.from({ length: 20 }, () => 'undo')
const COMMANDS = [...WANTED, ...OFTEN, ...UNDO, 'vote fortune', 'vote quadranym-id', 'unvote quadraset']

/** Names that sort differently by letter case, by UTF-16 unit or by the rules of a language. */
const NAMED = ['alpha', 'Alpha', 'ÁLFA', 'Beta', 'zeta', '_x', '雨', '\uff5ea', '😀', 'Été', 'été', 'x'.repeat(190)]
const WORDS = ['sun', 'Moon', 'Été, or so', '雨']
const REALMS = ['Spatial', 'Social', 'made up']

const NOT_SIGNED_IN = { detail: 'Authentication credentials were not provided.' }
const FORBIDDEN = { detail: 'You do not have permission to perform this action.' }
const NOT_FOUND = { detail: 'Not found.' }
const STALE = { detail: 'The record has changed since it was read.' }
const NOWHERE = 987654

onEachEngine('A random run', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('{record.embedded} {record.likes} {record.voters} {order.id} {page.members} {undo.change} {undo.once} all commands do what the model does', async () => {
    const run = new Run(site)
    for (let step = 0; step < STEPS; step++) {
      try {
        await run.command()
      } catch (error) {
        throw new Error(`step ${step} of seed ${SEED}: ${run.doing}`, { cause: error })
      }
    }
    for (const name of COLLECTIONS) await run.checkEveryPage(name)
    run.checkCoverage()
  })
})

/** The content of the catalogue, and what follows from it. */
class Model {
  tables = new Map<string, Map<number, Kept>>(NAMES.map((name) => [name, new Map()]))

  table(name: string): Map<number, Kept> {
    return this.tables.get(resourceOf(name))!
  }

  /** A record as the collection of that name shows it. */
  show(name: string, kept: Kept): Record<string, Json> {
    if (name === 'quadranym-id') return { name: kept.values['name'], quadranym_id: kept.id }
    const { values, owner, voters, id } = kept
    const whole: Record<string, Json> = { ...values, user: values['user'] ?? owner, ...textOf(name, values) }
    if (voters.length > 0) Object.assign(whole, { likes: voters.length, voters })
    for (const [member, target] of Object.entries(REFERS[name] ?? {})) {
      if (whole[member] === undefined) continue
      const find = (each: number) => this.show(target, this.table(target).get(each)!)
      whole[member] = Array.isArray(whole[member]) ? whole[member].map(find) : find(whole[member])
    }
    Object.assign(whole, this.#sums(name, whole, id))
    const members = MEMBERS[name]!.filter((member) => whole[member] !== undefined)
    return Object.fromEntries([...members.map((member) => [member, whole[member]]), [`${name}_id`, id]])
  }

  #sums(name: string, whole: Record<string, Json>, id: number): object {
    const filled = (prefix: string, count: number) =>
      slots(prefix, count).flatMap((slot) => (whole[slot] === undefined ? [] : [whole[slot]]))
    const sums = (polynyms: Json[]) => ({
      length: polynyms.length,
      width: polynyms.reduce((sum, { depth }) => sum + depth, 0),
      depth: Math.max(...polynyms.map(({ depth }) => depth)),
    })
    if (name === 'polynym') return { depth: filled('p', 12).length }
    if (name === 'polyset') return sums(whole['polynyms'])
    if (name === 'vectornym') return sums(filled('v', 9))
    if (name === 'quadraset') return { length: whole['quadranyms'].length }
    if (name === 'story') return { length: this.linesOf('story', id).length }
    if (name === 'tale') return { length: whole['fable'].length }
    return {}
  }

  linesOf(name: string, parent: number): Kept[] {
    return [...this.table(LINES[name]!).values()].filter(({ values }) => values[name] === parent)
  }

  /** What no other record may share. */
  identity(name: string, { values, owner }: Pick<Kept, 'values' | 'owner'>): string {
    const whole: Values = { ...values, user: values['user'] ?? owner, ...textOf(name, values) }
    return JSON.stringify(UNIQUE[name]!.map((member) => whole[member] ?? ''))
  }

  isTaken(name: string, candidate: Pick<Kept, 'values' | 'owner'>, except?: number): boolean {
    const wanted = this.identity(name, candidate)
    return [...this.table(name).values()].some((kept) => kept.id !== except && this.identity(name, kept) === wanted)
  }

  /** Where a record is used, except in its own lines. */
  usesOf(target: string, id: number): { name: string; kept: Kept }[] {
    const uses = new Map<Kept, { name: string; kept: Kept }>()
    for (const name of NAMES) {
      for (const [member, to] of Object.entries(REFERS[name] ?? {})) {
        if (to !== target || LINES[target] === name) continue
        const holders = [...this.table(name).values()].filter(({ values }) =>
          [{ ...values, ...textOf(name, values) }[member]].flat().includes(id),
        )
        for (const kept of holders.sort((a, b) => a.id - b.id)) uses.set(kept, { name, kept })
      }
    }
    return [...uses.values()]
  }

  /** Deletes a record with everything that cannot exist without it, and removes it from the rest. */
  remove(name: string, id: number, report: { deleted: string[]; changed: string[] }): void {
    for (const { name: holder, kept } of this.usesOf(name, id)) {
      if (!this.table(holder).has(kept.id)) continue
      if (withoutMember(holder, kept.values, id)) report.changed.push(`${holder}/${kept.id}`)
      else this.remove(holder, kept.id, report)
    }
    if (LINES[name]) for (const line of this.linesOf(name, id)) this.remove(LINES[name], line.id, report)
    this.table(name).delete(id)
    report.deleted.push(`${name}/${id}`)
  }

  inOrder(name: string): Kept[] {
    const resource = resourceOf(name)
    const keys = ORDER[resource] ?? ['name']
    const keyed = [...this.table(name).values()].map((kept) => {
      const whole: Values = { ...kept.values, ...textOf(resource, kept.values) }
      return { kept, keys: keys.map((key) => (key.startsWith('-') ? -whole[key.slice(1)] : sortKey(whole[key] ?? ''))) }
    })
    const compare = (a: number | Buffer, b: number | Buffer) =>
      typeof a === 'number' ? a - Number(b) : Buffer.compare(a, b as Buffer)
    return keyed
      .sort((a, b) => {
        const place = a.keys.findIndex((key, i) => compare(key, b.keys[i]!) !== 0)
        return place < 0 ? a.kept.id - b.kept.id : compare(a.keys[place]!, b.keys[place]!)
      })
      .map(({ kept }) => kept)
  }
}

function resourceOf(collection: string): string {
  return collection === 'quadranym-id' ? 'quadranym' : collection
}

/** Letter case is ignored, and UTF-8 bytes compare like code points. */
function sortKey(value: string | number): number | Buffer {
  return typeof value === 'number' ? value : Buffer.from([...value.toLowerCase()].slice(0, 200).join(''))
}

interface Word {
  readonly word: string
  /** The quadranym the word is a term of. */
  readonly of?: number | undefined
  readonly slot: string
}

/** What follows from the words of a fortune or quote: quadranyms with several words come first. */
function textOf(name: string, values: Values): Values {
  if (name !== 'fortune' && name !== 'quote') return {}
  const words = values['words'] as readonly Word[]
  const order = name === 'quote' ? [values['quadranym']] : (values['order'] as readonly number[])
  const count = (id: number) => words.filter((word) => word.of === id).length
  const [q2, q1] = [order.filter((id) => count(id) > 1), order.filter((id) => count(id) === 1)]
  const sorted = name === 'quote' ? order : [...q2, ...q1]
  const subs = words.map(({ of, slot }) => (of === undefined ? '' : slot)).join('')
  const qode = words.map(({ word, of, slot }) => (of === undefined ? word : `q${sorted.indexOf(of) + 1}${slot}_NN`))
  const common = { body: bodyOf(words), qode: subs ? `${qode.join(' ')}.` : '', subs }
  return name === 'quote' ? { ...common, width: subs.length } : { ...common, q1, q2, depth: sorted.length }
}

const bodyOf = (words: readonly Word[]) => `${words.map(({ word }) => word).join(' ')}.`

function mayChange(user: string, resource: string, { owner }: Kept): boolean {
  return user === STAFF || (resource !== 'winner' && owner === user)
}

/** The parent of a line. */
function lineParent(resource: string): string {
  return Object.keys(LINES).find((name) => LINES[name] === resource) ?? ''
}

function notUnique(resource: string): object {
  const members = UNIQUE[resource]!
  if (members.length === 1) return { [members[0]!]: ['This field must be unique.'] }
  return { non_field_errors: [`The fields ${members.join(', ')} must make a unique set.`] }
}

function merged(parts: readonly Part[]): Part {
  const [lines] = parts.flatMap((part) => (part.lines ? [part.lines] : []))
  return {
    given: Object.assign({}, ...parts.map(({ given }) => given)),
    values: Object.assign({}, ...parts.map(({ values }) => values)),
    ...(lines ? { lines } : {}),
  }
}

/** All slots of a kind: those after the last are sent blank and stored as nothing. */
function filledSlots(prefix: string, count: number, contents: readonly (string | number)[]): Part {
  const all = (empty: string | undefined) =>
    Object.fromEntries(slots(prefix, count).map((slot, i) => [slot, contents[i] ?? empty]))
  return { given: all(''), values: all(undefined) }
}

/** Removes a record from its holder; false if that cannot exist without it. */
function withoutMember(name: string, values: Values, gone: number): boolean {
  if (name === 'fortune') {
    values['words'] = values['words'].map((word: Word) => (word.of === gone ? { ...word, of: undefined } : word))
    values['order'] = values['order'].filter((id: number) => id !== gone)
    return true
  }
  const member = { polyset: 'polynyms', quadraset: 'quadranyms' }[name]
  if (!member || values[member].length === 1) return false
  values[member] = values[member].filter((id: number) => id !== gone)
  return true
}

/** The commands, on the server and on the model. */
class Run {
  readonly #site: Site
  readonly #chance = new Chance(SEED)
  readonly #model = new Model()
  readonly #succeeded = new Set<string>()
  /** ETags that were read, and their records. */
  readonly #read = new Map<string, { etag: string; text: string }>()
  readonly #highest = new Map<string, number>()
  /** The sets of changes so far, and what the model was before each. */
  readonly #sets: { readonly set: number; readonly before: Model['tables'] }[] = []
  #latest = 0
  /** The last request, for the message if something differs. */
  doing = ''

  constructor(site: Site) {
    this.#site = site
  }

  /** What has not happened yet is tried more often. */
  async command(): Promise<void> {
    const open = this.#chance.happens(4) ? WANTED.filter((each) => !this.#succeeded.has(each)) : []
    const [does, name] = this.#chance.pick(open.length > 0 ? open : COMMANDS).split(' ') as [string, string]
    if (does === 'undo') return await this.#undo()
    const before = structuredClone(this.#model.tables)
    await this.#carryOut(does, name)
    if (does !== 'read' && does !== 'list') await this.#learnSet(before)
  }

  async #carryOut(does: string, name: string): Promise<void> {
    if (does === 'create') return await this.#create(name)
    if (does === 'PUT') return await this.#replace(name)
    if (does === 'PATCH') return await this.#change(name)
    if (does === 'delete') return await this.#delete(name)
    if (does === 'read') return await this.#readOne(name)
    if (does === 'list') return await this.#list(name)
    return await this.#vote(name, does === 'vote')
  }

  async #ask(user: string | undefined, method: string, path: string, sent: Sent = {}): Promise<Reply> {
    this.doing = `${user ?? 'nobody'}: ${method} ${path} ${JSON.stringify(sent)}`
    return await this.#site.ask(path, { ...sent, method, ...(user ? { as: user } : {}) })
  }

  /** Any user, mostly one who may. */
  #user(owner = STAFF): string | undefined {
    if (this.#chance.happens(25)) return undefined
    return this.#chance.pick([...USERS, STAFF, owner])
  }

  /** Mostly a record that exists. */
  #id(name: string): number {
    const ids = [...this.#model.table(name).keys()]
    return ids.length === 0 || this.#chance.happens(30) ? NOWHERE : this.#chance.pick(ids)
  }

  #expect(reply: Reply, status: number, body: unknown): void {
    assert.equal(reply.text, body === undefined ? '' : JSON.stringify(body))
    assert.equal(reply.status, status)
  }

  async #create(name: string): Promise<void> {
    const user = this.#user()
    const resource = resourceOf(name)
    const parts = this.#parts(resource)
    if (!parts) return
    const { given, values, lines } = merged(parts)
    const fault = this.#chance.happens(10) ? this.#spoil(resource, given, 'whole') : undefined
    const reply = await this.#ask(user, 'POST', `/api/${name}/`, { json: given })
    if (!user) return this.#expect(reply, 401, NOT_SIGNED_IN)
    if (resource === 'winner' && user !== STAFF) return this.#expect(reply, 403, FORBIDDEN)
    if (fault) return this.#expect(reply, 400, fault)
    const owner = this.#ownerOf(resource, values, user)
    if (owner !== user && user !== STAFF && resource !== 'winner') return this.#expect(reply, 403, FORBIDDEN)
    const candidate = { values, owner }
    if (this.#model.isTaken(resource, candidate)) return this.#expect(reply, 400, notUnique(resource))
    const id = Number(/\/(\d+)\/$/.exec(reply.headers.location ?? '')?.[1])
    assert.ok(id > (this.#highest.get(resource) ?? 0), `${reply.status} ${reply.text}`)
    this.#highest.set(resource, id)
    const kept = { id, ...candidate, voters: [] }
    this.#model.table(name).set(id, kept)
    if (lines) await this.#learnLines(resource, kept, lines)
    this.#expect(reply, 201, this.#model.show(name, kept))
    assert.equal(reply.headers.location, `${this.#site.base}/api/${name}/${id}/`)
    this.#succeeded.add(`create ${name}`)
  }

  async #replace(name: string): Promise<void> {
    const parts = this.#parts(resourceOf(name))
    if (!parts) return
    await this.#update('PUT', name, this.#id(name), merged(parts))
  }

  async #change(name: string): Promise<void> {
    const resource = resourceOf(name)
    const id = this.#id(name)
    const parts = this.#parts(resource, this.#model.table(name).get(id))
    if (!parts) return
    await this.#update('PATCH', name, id, merged(this.#chance.some(parts, 3)))
  }

  async #update(method: 'PUT' | 'PATCH', name: string, id: number, { given, values, lines }: Part): Promise<void> {
    const resource = resourceOf(name)
    const user = this.#user(this.#model.table(name).get(id)?.owner)
    const path = `/api/${name}/${id}/`
    // A PUT to a view must not clear what the view does not show, so it is a change.
    const changes = method === 'PATCH' || name !== resource
    const fault = this.#chance.happens(10) ? this.#spoil(resource, given, changes ? 'part' : 'whole') : undefined
    const condition = this.#chance.happens(4) ? this.#read.get(path) : undefined
    const headers = condition ? { 'if-match': condition.etag } : {}
    const reply = await this.#ask(user, method, path, { json: given, headers })
    if (!user) return this.#expect(reply, 401, NOT_SIGNED_IN)
    const kept = this.#model.table(name).get(id)
    if (!kept) return this.#expect(reply, 404, NOT_FOUND)
    if (!mayChange(user, resource, kept)) return this.#expect(reply, 403, FORBIDDEN)
    const stale = condition && condition.text !== JSON.stringify(this.#model.show(name, kept))
    if (stale) {
      this.#succeeded.add('stale')
      return this.#expect(reply, 412, STALE)
    }
    if (fault) return this.#expect(reply, 400, fault)
    const wanted = changes ? { ...kept.values, ...values } : values
    const owner = this.#ownerOf(resource, wanted, kept.owner)
    if (lineParent(resource) !== '' && owner !== user && user !== STAFF) return this.#expect(reply, 403, FORBIDDEN)
    if (this.#model.isTaken(resource, { values: wanted, owner }, id))
      return this.#expect(reply, 400, notUnique(resource))
    Object.assign(kept, { values: wanted, owner })
    if (lines) {
      for (const line of this.#model.linesOf(resource, id)) this.#model.table(LINES[resource]!).delete(line.id)
      await this.#learnLines(resource, kept, lines)
    }
    this.#expect(reply, 200, this.#model.show(name, kept))
    this.#succeeded.add(`${method} ${name}`)
  }

  async #delete(name: string): Promise<void> {
    const id = this.#id(name)
    const user = this.#user(this.#model.table(name).get(id)?.owner)
    const resource = resourceOf(name)
    const cascade = this.#chance.happens(3)
    const reply = await this.#ask(user, 'DELETE', `/api/${name}/${id}/${cascade ? '?cascade=true' : ''}`)
    if (!user) return this.#expect(reply, 401, NOT_SIGNED_IN)
    const kept = this.#model.table(name).get(id)
    if (!kept) return this.#expect(reply, 404, NOT_FOUND)
    if (!mayChange(user, resource, kept) || (cascade && user !== STAFF)) return this.#expect(reply, 403, FORBIDDEN)
    const address = (place: string) => `${this.#site.base}/api/${place}/`
    const uses = this.#model.usesOf(resource, id)
    if (!cascade && uses.length > 0) {
      const { detail, count, used_by, ...rest } = reply.json
      assert.deepEqual([reply.status, typeof detail, count, rest], [409, 'string', uses.length, {}])
      assert.equal(used_by.length, Math.min(20, uses.length))
      const places = uses.map((use) => address(`${use.name}/${use.kept.id}`))
      assert.deepEqual(new Set([...used_by, ...places]), new Set(places))
      this.#succeeded.add('in use')
      return
    }
    const report = { deleted: [] as string[], changed: [] as string[] }
    this.#model.remove(resource, id, report)
    this.#succeeded.add(`delete ${name}`)
    if (!cascade) return this.#expect(reply, 204, undefined)
    assert.equal(reply.status, 200)
    const sorted = ({ deleted, changed }: { deleted: string[]; changed: string[] }) => [deleted.sort(), changed.sort()]
    const expected = { deleted: report.deleted.map(address), changed: report.changed.map(address) }
    assert.deepEqual(Object.keys(reply.json).sort(), ['changed', 'deleted'])
    assert.deepEqual(sorted(reply.json), sorted(expected))
    if (report.changed.length > 0) this.#succeeded.add('cascade')
  }

  async #vote(name: string, gives: boolean): Promise<void> {
    const user = this.#user()
    const id = this.#id(name)
    const reply = await this.#ask(user, gives ? 'POST' : 'DELETE', `/api/${name}/${id}/vote/`)
    if (!VOTED.includes(name)) return this.#expect(reply, 404, NOT_FOUND)
    if (!user) return this.#expect(reply, 401, NOT_SIGNED_IN)
    const kept = this.#model.table(name).get(id)
    if (!kept) return this.#expect(reply, 404, NOT_FOUND)
    if (!gives) kept.voters = kept.voters.filter((voter) => voter !== user)
    else if (!kept.voters.includes(user)) kept.voters = [user, ...kept.voters]
    this.#expect(reply, 200, this.#model.show(name, kept))
    this.#succeeded.add(`${gives ? 'vote' : 'unvote'} ${name}`)
  }

  /** A command is one set of changes, if it changes anything. */
  async #learnSet(before: Model['tables']): Promise<void> {
    const { latest, results } = (await this.#site.ask(`/api/changes/?since=${this.#latest}&limit=1`)).json
    this.#latest = latest
    for (const { set } of results) this.#sets.push({ set, before })
  }

  /** The undo of the last set gives the copy of the model. The undo of an older one can itself be undone. */
  async #undo(): Promise<void> {
    const last = this.#sets.at(-1)
    if (!last) return
    if (this.#chance.happens(3)) return await this.#undoOlder(this.#chance.pick(this.#sets).set)
    const before = structuredClone(this.#model.tables)
    const reply = await this.#ask(STAFF, 'POST', `/api/changes/set/${last.set}/undo/`)
    assert.equal(reply.status, 200, reply.text)
    this.#model.tables = structuredClone(last.before)
    await this.#learnSet(before)
    assert.equal(this.#sets.at(-1)!.set, reply.json.set)
    const names = new Set<string>(reply.json.results.map(({ resource }: Json) => resource))
    for (const name of names) await this.checkEveryPage(name)
    this.#succeeded.add('undo')
  }

  async #undoOlder(set: number): Promise<void> {
    const reply = await this.#ask(STAFF, 'POST', `/api/changes/set/${set}/undo/`)
    this.#succeeded.add(reply.status === 200 ? 'undo older' : 'undo refused')
    if (reply.status !== 200) return assert.equal(reply.status, 409, reply.text)
    const back = await this.#ask(STAFF, 'POST', `/api/changes/set/${reply.json.set}/undo/`)
    assert.equal(back.status, 200, back.text)
    this.#latest = (await this.#site.ask('/api/changes/?limit=1')).json.latest
  }

  async #readOne(name: string): Promise<void> {
    const id = this.#id(name)
    const path = `/api/${name}/${id}/`
    const reply = await this.#ask(this.#user(), 'GET', path)
    const kept = this.#model.table(name).get(id)
    if (!kept) return this.#expect(reply, 404, NOT_FOUND)
    this.#expect(reply, 200, this.#model.show(name, kept))
    this.#read.set(path, { etag: reply.headers.etag!, text: reply.text })
    this.#succeeded.add(`read ${name}`)
  }

  async #list(name: string): Promise<void> {
    const size = 1 + this.#chance.below(6)
    const count = this.#model.table(name).size
    const page = 1 + this.#chance.below(Math.ceil(count / size) + 1)
    await this.#checkPage(name, page, size)
  }

  async #checkPage(name: string, page: number, size: number): Promise<void> {
    const all = this.#model.inOrder(name)
    const last = Math.max(1, Math.ceil(all.length / size))
    const reply = await this.#ask(undefined, 'GET', `/api/${name}/?page=${page}&page_size=${size}`)
    if (page > last) return this.#expect(reply, 404, { detail: 'Invalid page.' })
    const link = (to: number) => `${this.#site.base}/api/${name}/?page=${to}&page_size=${size}`
    this.#expect(reply, 200, {
      count: all.length,
      next: page < last ? link(page + 1) : null,
      previous: page > 1 ? link(page - 1) : null,
      results: all.slice((page - 1) * size, page * size).map((kept) => this.#model.show(name, kept)),
    })
    this.#succeeded.add(`list ${name}`)
  }

  async checkEveryPage(name: string): Promise<void> {
    const size = 7
    const pages = Math.max(1, Math.ceil(this.#model.table(name).size / size))
    for (let page = 1; page <= pages; page++) await this.#checkPage(name, page, size)
  }

  checkCoverage(): void {
    const often = ['in use', 'cascade', 'stale', 'undo', 'undo older', 'undo refused']
    const never = [...WANTED, ...often].filter((each) => !this.#succeeded.has(each))
    assert.deepEqual(never, [])
  }

  /** Lines belong to the owner of the story or tale, winners to the player they name. */
  #ownerOf(resource: string, values: Values, byDefault: string): string {
    if (resource === 'winner') return values['user']
    const parent = lineParent(resource)
    return parent === '' ? byDefault : this.#model.table(parent).get(values[parent])!.owner
  }

  /** Only their own collection shows the ids of lines that were given with their story or tale. */
  async #learnLines(resource: string, parent: Kept, lines: readonly Values[]): Promise<void> {
    const table = this.#model.table(LINES[resource]!)
    const doing = this.doing
    const page = await this.#ask(undefined, 'GET', `/api/${LINES[resource]}/?page_size=1000`)
    this.doing = doing
    const idMember = `${LINES[resource]}_id`
    const news = page.json.results.filter((line: Json) => !table.has(line[idMember]))
    assert.equal(news.length, lines.length)
    for (const [rank, values] of lines.entries()) {
      const id = news[rank][idMember]
      assert.ok(id > (this.#highest.get(LINES[resource]!) ?? 0))
      this.#highest.set(LINES[resource]!, id)
      table.set(id, { id, owner: parent.owner, values: { rank, [resource]: parent.id, ...values }, voters: [] })
    }
  }

  /** Makes one member wrong, and returns the expected error. */
  #spoil(resource: string, given: Record<string, Json>, how: 'whole' | 'part'): object {
    const member = this.#chance.pick(REQUIRED[resource]!)
    const target = REFERS[resource]?.[member]
    if (how === 'whole' && this.#chance.happens(2)) {
      delete given[member]
      return { [member]: ['This field is required.'] }
    }
    if (target) {
      given[member] = member.endsWith('s') ? [NOWHERE] : NOWHERE
      return { [member]: [`Invalid pk "${NOWHERE}" - object does not exist.`] }
    }
    if (['rank', 'score', 'round'].includes(member)) {
      given[member] = 'seven'
      return { [member]: ['A valid integer is required.'] }
    }
    if (member === 'mode' || member === 'user') {
      given[member] = 'Nowhere'
      const message =
        member === 'mode' ? '"Nowhere" is not a valid choice.' : 'Object with username=Nowhere does not exist.'
      return { [member]: [message] }
    }
    given[member] = ' '
    return { [member]: ['This field may not be blank.'] }
  }

  /** A whole record of a kind, in parts; undefined if what it would refer to does not exist. */
  #parts(resource: string, current?: Kept): Part[] | undefined {
    const chance = this.#chance
    const some = (name: string, most: number): number[] => chance.some([...this.#model.table(name).keys()], most)
    const one = (name: string) => some(name, 1)[0]!
    const targets = new Set(Object.values(REFERS[resource] ?? {}))
    if ([...targets].some((target) => this.#model.table(target).size === 0)) return undefined
    switch (resource) {
      case 'polynym':
        return [...this.#head(), this.#choice('mode', ['type', 'part', 'step']), ...this.#terms(current)]
      case 'quadranym':
        return [
          ...this.#head(),
          ...['e', 'r', 'o', 's'].map((slot) => this.#text(slot, WORDS, { shown: true })),
          ...['pos', 'epos', 'spos'].map((slot) => this.#text(slot, ['NN', 'VB', 'ADJ'])),
          this.#text('realm', REALMS),
        ]
      case 'polyset':
        return [...this.#head(), this.#references('polynyms', 'polynym', some('polynym', 4))]
      case 'quadraset':
        return [...this.#head(), this.#references('quadranyms', 'quadranym', some('quadranym', 4))]
      case 'vectornym': {
        const ids = [one('polynym'), ...some('polynym', 8)]
        return [...this.#head(), filledSlots('v', 9, ids), this.#text('realm', REALMS)]
      }
      case 'polymap':
        return [...this.#head(), this.#relations(one('polynym'), one('polynym'))]
      case 'phrase':
        return [...this.#head(), this.#tokens(1), this.#text('realm', REALMS)]
      case 'fable':
        return [...this.#head(), this.#tokens(3), this.#text('realm', REALMS)]
      case 'queue':
        return [this.#name()]
      case 'story':
        return [...this.#head(), this.#text('realm', REALMS), ...this.#lines('story')]
      case 'tale':
        return [...this.#head(), this.#reference('fable', one('fable')), ...this.#lines('tale')]
      case 'storyline':
      case 'taleline': {
        const rank = chance.below(6)
        const members = Object.keys(REFERS[resource]!)
        return [{ given: { rank }, values: { rank } }, ...members.map((member) => this.#reference(member, one(member)))]
      }
      case 'fortune':
        return [this.#fortune(chance.happens(4) ? [] : some('quadranym', 3))]
      case 'quote':
        return [this.#quote(one('quadranym')), this.#choice('src', NAMED)]
      default: {
        const numbers = { score: chance.below(9), round: chance.below(3) }
        const user = chance.pick(USERS)
        return [
          this.#text('by', WORDS, { shown: true }),
          this.#choice('app', ['flip', 'Flip', 'match', 'quiz']),
          { given: { user: user.toUpperCase() }, values: { user } },
          { given: { score: numbers.score }, values: { score: numbers.score } },
          { given: { round: String(numbers.round) }, values: { round: numbers.round } },
        ]
      }
    }
  }

  #head(): Part[] {
    return [this.#name(), this.#text('src', NAMED), this.#text('area', WORDS), this.#text('wiki', WORDS)]
  }

  #name(): Part {
    const name = (this.#chance.happens(2) ? `${this.#chance.below(50)} ` : '') + this.#chance.pick(NAMED)
    return { given: { name: this.#chance.happens(5) ? `  ${name}\n` : name }, values: { name } }
  }

  #choice(member: string, texts: readonly string[]): Part {
    const text = this.#chance.pick(texts)
    return { given: { [member]: text }, values: { [member]: text } }
  }

  /** Empty half of the time; then it is left out, unless it is always shown. */
  #text(member: string, texts: readonly string[], { shown = false } = {}): Part {
    if (this.#chance.happens(2)) return this.#choice(member, texts)
    return { given: { [member]: '' }, values: { [member]: shown ? '' : undefined } }
  }

  #reference(member: string, id: number): Part {
    const whole = this.#chance.happens(3) ? this.#model.show(member, this.#model.table(member).get(id)!) : id
    return { given: { [member]: whole }, values: { [member]: id } }
  }

  /** A repeat is kept once. */
  #references(member: string, target: string, ids: number[]): Part {
    return { given: { [member]: [...ids, { [`${target}_id`]: ids[0] }] }, values: { [member]: ids } }
  }

  /** All terms, or, for an existing record, one that it has or could have next. */
  #terms(current: Kept | undefined): Part[] {
    const count = 2 + this.#chance.below(3)
    const all = filledSlots(
      'p',
      12,
      Array.from({ length: count }, () => this.#chance.pick(WORDS)),
    )
    if (!current) return [all]
    const filled = slots('p', 12).filter((slot) => current.values[slot] !== undefined).length
    const slot = `p${1 + this.#chance.below(Math.min(12, filled + 1))}`
    return [this.#chance.happens(2) ? all : { given: { [slot]: 'new' }, values: { [slot]: 'new' } }]
  }

  #relations(a: number, b: number): Part {
    const terms = (id: number) => {
      const { values } = this.#model.table('polynym').get(id)!
      return slots('p', 12).flatMap((slot) => values[slot] ?? [])
    }
    const rows = Array.from(
      { length: this.#chance.below(3) },
      () => `${this.#chance.pick(terms(a))},${this.#chance.pick(['IsA', 'PartOf'])},${this.#chance.pick(terms(b))}`,
    )
    const filled = filledSlots('r', 12, rows)
    return { given: { pa: a, pb: b, ...filled.given }, values: { pa: a, pb: b, ...filled.values } }
  }

  /** A text of its own, with a tag or without. */
  #tokens(topics: number): Part {
    const count = 1 + this.#chance.below(4)
    const tokens = Array.from({ length: count }, () => ({
      index: 1 + this.#chance.below(topics),
      slot: this.#chance.pick([...'neros']),
      tag: this.#chance.pick(['', '_NN', '^VBZ']),
    }))
    const qode = `${this.#chance.pick(WORDS)} ${tokens.map(({ index, slot, tag }) => `q${index}${slot}${tag}`).join(' ')}`
    const subs = tokens.map(({ slot }) => slot).join('')
    const length = topics > 1 ? { length: Math.max(...tokens.map(({ index }) => index)) } : {}
    return { given: { qode }, values: { qode, subs, width: subs.length, ...length } }
  }

  #words(quadranyms: readonly number[]): Word[] {
    const plain = Array.from({ length: 2 + this.#chance.below(3) }, () => undefined)
    const marked = quadranyms.flatMap((of) => Array.from({ length: 1 + this.#chance.below(2) }, () => of))
    return this.#chance.shuffle([...plain, ...marked]).map((of) => ({
      word: this.#chance.pick(['rain', 'Été', '雨', "don't", 'well-known']),
      of,
      slot: this.#chance.pick([...'neros']),
    }))
  }

  #fortune(quadranyms: number[]): Part {
    const words = this.#words(quadranyms)
    // Numbers with gaps; the server leaves none.
    const number = (of: number) => 2 * quadranyms.indexOf(of) + 3
    const qode = words.map(({ word, of, slot }) => (of === undefined ? word : `q${number(of)}${slot}_NN`)).join(' ')
    const cut = this.#chance.below(quadranyms.length + 1)
    const [q2, q1] = [quadranyms.slice(0, cut), quadranyms.slice(cut)]
    return { given: { body: bodyOf(words), qode: `${qode}.`, q1, q2 }, values: { words, order: quadranyms } }
  }

  #quote(quadranym: number): Part {
    const words = this.#words([quadranym])
    const values = { words, quadranym }
    const { body, qode } = textOf('quote', values)
    return { given: { body, qode, quadranym: { quadranym_id: quadranym } }, values }
  }

  #lines(resource: 'story' | 'tale'): Part[] {
    const needed = resource === 'story' ? ['phrase', 'quadranym'] : ['quadranym']
    if (!this.#chance.happens(3) || needed.some((name) => this.#model.table(name).size === 0)) return []
    const lines = Array.from({ length: this.#chance.below(3) }, () =>
      Object.fromEntries(needed.map((name) => [name, this.#chance.pick([...this.#model.table(name).keys()])])),
    )
    const given = resource === 'story' ? lines : lines.map(({ quadranym }) => quadranym)
    return [{ given: { lines: given }, values: {}, lines }]
  }
}
