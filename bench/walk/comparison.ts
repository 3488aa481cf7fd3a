/** Sends requests to both servers, compares status, headers and bodies, and groups equal differences. */
import type { Call, Reply, Server } from './pair.ts'

const AROUND = 60
/** Methods of requests that may be sent twice. */
const SAFE = /^(GET|HEAD|OPTIONS)$/
/** Moments in responses about tokens. */
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g

export interface Rules {
  /** Differences at these addresses ("GET /api/") do not count. */
  readonly ignore: RegExp | undefined
  /** Removed from all bodies. If it occurred, ETag and Content-Length are not compared. */
  readonly mask: RegExp | undefined
  /** How many differences are printed whole. */
  readonly shown: number
}

interface Group {
  count: number
  readonly first: string
  readonly text: string
}

export class Comparison {
  readonly #before: Server
  readonly #after: Server
  readonly #rules: Rules
  readonly #groups = new Map<string, Group>()
  readonly statuses = new Map<number, number>()
  requests = 0
  ignored = 0
  different = 0

  constructor(before: Server, after: Server, rules: Rules) {
    this.#before = before
    this.#after = after
    this.#rules = rules
  }

  /** The response of the server "before". */
  async ask(call: Call): Promise<Reply> {
    const [before, after] = await Promise.all([this.#before.ask(call), this.#after.ask(call)])
    this.requests++
    this.statuses.set(before.status, (this.statuses.get(before.status) ?? 0) + 1)
    const address = `${call.method ?? 'GET'} ${call.path}${noteOf(call)}`
    const text = this.#differenceOf(before, after)
    if (text === undefined) return before
    if (this.#rules.ignore?.test(address)) this.ignored++
    else if (SAFE.test(call.method ?? 'GET') && !(await this.#differsAgain(call)))
      this.#note(address, `NOT AGAIN\n${text}`)
    else {
      this.different++
      this.#note(address, text)
    }
    return before
  }

  /** A page leaves out what takes too long on a busy machine. */
  async #differsAgain(call: Call): Promise<boolean> {
    const [before, after] = await Promise.all([this.#before.ask(call), this.#after.ask(call)])
    return this.#differenceOf(before, after) !== undefined
  }

  #note(address: string, text: string): void {
    const group = this.#groups.get(text)
    if (group) group.count++
    else {
      this.#groups.set(text, { count: 1, first: address, text })
      if (this.#groups.size <= this.#rules.shown) console.log(`\n${address}\n${text.replace(/^/gm, '  ')}`)
    }
  }

  get groups(): readonly Group[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count)
  }

  #differenceOf(before: Reply, after: Reply): string | undefined {
    const bodies = [this.#masked(before.body), this.#masked(after.body)] as const
    const isMasked = bodies[0] !== before.body || bodies[1] !== after.body
    const told: string[] = []
    if (before.status !== after.status) told.push(`status: ${before.status} | ${after.status}`)
    const [left, right] = [before, after].map(({ headers }) =>
      headers.filter((line) => !(isMasked && /^(ETag|Content-Length):/i.test(line))),
    ) as [string[], string[]]
    for (const line of left.filter((each) => !right.includes(each))) told.push(`- ${line}`)
    for (const line of right.filter((each) => !left.includes(each))) told.push(`+ ${line}`)
    if (told.length === 0 && left.join('\n') !== right.join('\n')) told.push(`order of headers: ${left} | ${right}`)
    if (bodies[0] !== bodies[1]) {
      // They follow from the body.
      for (let i = told.length; i-- > 0; ) if (/^[-+] (ETag|Content-Length):/i.test(told[i]!)) told.splice(i, 1)
      told.push(...bodyDifference(...bodies))
    }
    return told.length === 0 ? undefined : told.join('\n')
  }

  #masked(body: string): string {
    const dated = body.replace(MOMENT, '')
    return this.#rules.mask ? dated.replaceAll(this.#rules.mask, '') : dated
  }
}

/** Where two bodies begin to differ, with some context. */
function bodyDifference(before: string, after: string): [string, string] {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let ends = 0
  const most = Math.min(before.length, after.length) - start
  while (ends < most && before.at(-1 - ends) === after.at(-1 - ends)) ends++
  const cut = (text: string) => {
    const middle = text.slice(start, text.length - ends)
    const shown = middle.length > 2 * AROUND ? `${middle.slice(0, AROUND)} ... ${middle.slice(-AROUND)}` : middle
    return JSON.stringify(
      `${text.slice(Math.max(0, start - 30), start)}[${shown}]${text.slice(text.length - ends).slice(0, 20)}`,
    )
  }
  return [`- body: ${cut(before)}`, `+ body: ${cut(after)}`]
}

/** Everything except method and path that makes the request. */
function noteOf({ headers = {}, json, body }: Call): string {
  const { authorization, cookie, ...others } = headers
  const notes = Object.entries(others).map(([name, value]) => `${name}: ${value}`)
  if (authorization || cookie) notes.push('signed in')
  const payload = json === undefined ? body : JSON.stringify(json)
  if (payload) notes.push(payload.slice(0, 80))
  return notes.length > 0 ? ` (${notes.join('; ')})` : ''
}
