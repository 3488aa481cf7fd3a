/** Live streams of several processes on one database: clients that come and go lose nothing and get nothing twice. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { Chance } from '../robust/chance.ts'
import { BIN, listening } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { NIGHTLY } from '../support/nightly.ts'
import { Served } from '../support/servers.ts'
import { Listener } from './listener.ts'

const WRITES = NIGHTLY ? 60 : 30
const LISTENERS = 6
/** One event in this many is the last one of its connection. */
const LEAVES = 8

/** The numbers of all changes up to the last one, by a client that disconnects now and then. */
async function follow(ports: readonly number[], last: Promise<number>, chance: Chance): Promise<number[]> {
  const seen: number[] = []
  let lastEventId: string | undefined
  let end = Number.POSITIVE_INFINITY
  void last.then((seq) => (end = seq))
  while (!seen.includes(end)) {
    const listener = await Listener.open(chance.pick(ports), { query: '?since=0', lastEventId })
    try {
      while (!seen.includes(end)) {
        const { event, data, id } = await listener.next()
        if (event === 'change') seen.push(data.seq)
        lastEventId = id
        if (event === 'change' && chance.happens(LEAVES)) break
      }
    } catch {
      // The server has ended the stream: the client connects again.
    }
    listener.close()
  }
  return seen
}

for (const name of ENGINES) {
  describe(`Live streams of two processes (${name})`, () => {
    let fresh: FreshDatabase
    let authorization: string
    const children: ChildProcess[] = []
    const bases: string[] = []
    before(async () => {
      fresh = await freshDatabase(name, { sample: false, tables: true })
      const desk = await Served.on(fresh.url, { keeps: 'nothing' })
      authorization = `Token ${await desk.tokenOf('gus')}`
      await desk.stop()
      const env = {
        PATH: process.env['PATH'],
        // The machine may be busy with other tests.
        NYMDEX_QUEUE_MS: '60000',
        NYMDEX_DATABASE_SECONDS: '60',
        NYMDEX_DRAIN_SECONDS: '600',
        PORT: '0',
        DATABASE_URL: fresh.url,
      }
      for (let i = 0; i < 2; i++) children.push(spawn(process.execPath, [BIN, 'serve', '--sample', 'off'], { env }))
      for (const child of children) {
        child.stderr!.pipe(process.stderr)
        bases.push((await listening(child)).replace(/\/$/, ''))
      }
    })
    after(async () => {
      for (const child of children) {
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) {
          await new Promise((exited) => child.once('exit', exited))
        }
      }
      await fresh.drop()
    })

    const portOf = (base: string) => Number(new URL(base).port)
    let made = 0
    async function write(base: string): Promise<void> {
      const headers = { authorization, 'content-type': 'application/json' }
      const body = JSON.stringify({ name: `queue ${++made}` })
      const { status } = await fetch(`${base}/api/queue/`, { method: 'POST', headers, body })
      assert.equal(status, 201)
    }
    const latest = async () => ((await (await fetch(`${bases[0]}/api/changes/?limit=1`)).json()) as any).latest

    test('{live.events} {live.resume} every listener gets every change once, whichever process commits it', async () => {
      const chance = new Chance(5)
      const ports = bases.map(portOf)
      const { promise: last, resolve: tell } = Promise.withResolvers<number>()
      const following = Array.from({ length: LISTENERS }, (_, i) => follow(ports, last, new Chance(i)))
      for (let i = 0; i < WRITES; i++) await write(chance.pick(bases))
      const seq = await latest()
      tell(seq)
      // For those that have it already.
      await write(bases[0]!)
      for (const seen of await Promise.all(following)) {
        assert.deepEqual(
          seen.slice(0, seq),
          Array.from({ length: seq }, (_, i) => i + 1),
        )
      }
    })

    test('{live.stop} a server that is told to stop ends its streams, and clients go on elsewhere', async () => {
      const [listener, other] = await Promise.all(bases.map((base) => Listener.open(portOf(base))))
      await write(bases[1]!)
      const [{ data }] = await Promise.all([listener!.next('change'), other!.next('change')])
      children[0]!.kill('SIGTERM')
      await listener!.ended
      // A client that comes back too early is sent away again in a way that browsers retry.
      const early = await Listener.open(portOf(bases[0]!), { lastEventId: listener!.lastId })
      await early.ended
      assert.equal(early.status, 200)
      await write(bases[1]!)
      const again = await Listener.open(portOf(bases[1]!), { lastEventId: listener!.lastId })
      assert.equal((await again.next('change')).data.seq, data.seq + 1)
      assert.equal((await other!.next('change')).data.seq, data.seq + 1)
      again.close()
      other!.close()
    })
  })
}
