/** Listeners of the live stream and one writer, in a process of their own: the parent says what they do. */
import { connect, type Socket } from 'node:net'
import { Wire } from '../speed/wire.ts'

export type Order =
  | { readonly do: 'open'; readonly count: number }
  | { readonly do: 'write'; readonly seconds: number; readonly rate: number }
  | { readonly do: 'close' }

/** In milliseconds. */
export interface Delays {
  readonly p50: number
  readonly p99: number
  readonly worst: number
}

export interface Written {
  readonly writes: number
  readonly events: number
  /** From the response to the write, which is sent when it is committed, to the event. */
  readonly delays: Delays | undefined
}

const [base, token] = process.argv.slice(2) as [string, string]
const { hostname, port, host } = new URL(base)
const HEAD = `GET /api/changes/ HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`
const MARK = Buffer.from('data: {"seq":')
/** How long the last events may take. */
const LATE_MS = 3000

const sockets: Socket[] = []
/** When each write was answered, by the number of its change; undefined until then. */
const written = new Map<number, number | undefined>()
let delays: number[] = []

function open(count: number): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, openOne))
}

/** Resolves when the stream has begun. */
function openOne(): Promise<void> {
  return new Promise((opened, failed) => {
    const socket = connect(Number(port), hostname, () => socket.write(HEAD))
    sockets.push(socket)
    socket.on('error', failed)
    socket.on('data', (chunk) => {
      if (chunk.includes('event: checkpoint')) opened()
      hear(chunk)
    })
  })
}

/** Events are short, so nearly all come whole. */
function hear(chunk: Buffer): void {
  const now = performance.now()
  for (let at = chunk.indexOf(MARK); at >= 0; at = chunk.indexOf(MARK, at + 1)) {
    const seq = Number.parseInt(chunk.toString('latin1', at + MARK.length, at + MARK.length + 12), 10)
    if (written.has(seq)) delays.push(now - (written.get(seq) ?? now))
  }
}

async function write(seconds: number, rate: number): Promise<Written> {
  delays = []
  written.clear()
  const wire = await Wire.open(base)
  const ask = (method: string, path: string, body = '') =>
    wire.ask(wire.request(method, path, { Authorization: `Token ${token}`, Accept: 'application/json' }, body))
  const { latest } = JSON.parse(String((await ask('GET', '/api/changes/?limit=1')).body))
  const begun = performance.now()
  const count = seconds * rate
  for (let i = 0; i < count; i++) {
    const due = begun + (i * 1000) / rate - performance.now()
    if (due > 0) await new Promise((waited) => setTimeout(waited, due))
    const seq = latest + 1 + i
    written.set(seq, undefined)
    const { status } = await ask('POST', '/api/queue/', JSON.stringify({ name: `${latest} ${i}` }))
    if (status !== 201) throw new Error(`the write was answered ${status}`)
    written.set(seq, performance.now())
  }
  const until = performance.now() + LATE_MS
  while (delays.length < count * sockets.length && performance.now() < until) {
    await new Promise((waited) => setTimeout(waited, 20))
  }
  wire.close()
  return { writes: count, events: delays.length, delays: summary(delays) }
}

function summary(times: number[]): Delays | undefined {
  if (times.length === 0) return undefined
  const sorted = Float64Array.from(times).sort()
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!
  return { p50: at(0.5), p99: at(0.99), worst: sorted.at(-1)! }
}

async function carryOut(order: Order): Promise<Written | undefined> {
  if (order.do === 'write') return await write(order.seconds, order.rate)
  if (order.do === 'open') await open(order.count)
  else for (const socket of sockets.splice(0)) socket.destroy()
  return undefined
}

process.on('message', (order: Order) => {
  carryOut(order).then(
    (result) => process.send!(result ?? {}),
    (error) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit())
