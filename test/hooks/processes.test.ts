/** Hooks with several processes on one database: they share the work, and one continues when another is killed. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { describe, test } from 'node:test'
import { BIN, listening } from '../support/command.ts'
import { ENGINES, freshDatabase } from '../support/databases.ts'
import { Served } from '../support/servers.ts'
import { HookClient, Receiver } from './receiver.ts'

const WRITES = 60

for (const engine of ENGINES) {
  describe(`Hooks and processes (${engine})`, () => {
    test('{hooks.processes} two servers send each message once, in order', async () => {
      const { url, drop } = await freshDatabase(engine, { sample: false, tables: true })
      const options = { keeps: 'everything', settings: { hooks: { allowsPrivate: true } } } as const
      const servers = [await Served.on(url, options), await Served.on(url, options)]
      const clients = servers.map((server) => new HookClient(server))
      const receiver = await Receiver.start()
      const { id, cursor } = await clients[0]!.made({ url: receiver.url })
      for (let i = 0; i < WRITES; i++) await clients[i % 2]!.write(`made ${i}`)
      await receiver.first(WRITES)
      await clients[1]!.hook(id, (hook) => hook.cursor === cursor + WRITES)
      // Stopping ends the turns of both.
      for (const server of servers) {
        await server.stop()
        assert.deepEqual(server.bugs, [])
      }
      assert.deepEqual(
        receiver.seqs,
        Array.from({ length: WRITES }, (_, i) => cursor + 1 + i),
      )
      await receiver.stop()
      await drop()
    })

    test('{hooks.at-least-once} when a server is killed, the next one continues, and nothing is lost', async () => {
      const { url, drop } = await freshDatabase(engine, { sample: false, tables: true })
      const writer = await Served.on(url, { keeps: 'nothing' })
      const client = new HookClient(writer)
      const receiver = await Receiver.start()
      // This server sends nothing, so it refuses the address of the receiver when the hook is made.
      const { id, cursor } = await client.made({ url: 'http://receiver.example/' })
      const { store } = writer
      await store.write(() => store.hooks.change(id, { url: receiver.url }))
      for (let i = 0; i < WRITES; i++) await client.write(`made ${i}`)
      // It is killed while it waits for a response.
      receiver.respond = () => (receiver.got.length === WRITES / 2 ? undefined : { status: 200 })
      const first = serve(url)
      await receiver.first(WRITES / 2 + 1)
      await killed(first)
      const before = receiver.got.length
      const second = serve(url)
      await client.hook(id, (hook) => hook.cursor === cursor + WRITES)
      await killed(second)
      const [sent, again] = [receiver.seqs.slice(0, before), receiver.seqs.slice(before)]
      assert.deepEqual(sent, range(cursor + 1, sent.length))
      assert.deepEqual(again, range(again[0]!, cursor + WRITES + 1 - again[0]!))
      assert.ok(again[0]! <= sent.at(-1)!, 'the message that had no response is sent again')
      const ids = new Map(receiver.got.map(({ json, headers }) => [json.data.seq, headers['webhook-id']]))
      for (const { json, headers } of receiver.got) assert.equal(headers['webhook-id'], ids.get(json.data.seq))
      assert.deepEqual(writer.bugs, [])
      await writer.stop()
      await receiver.stop()
      await drop()
    })
  })
}

function serve(url: string): ChildProcess {
  const env = { PATH: process.env['PATH'], PORT: '0', DATABASE_URL: url, NYMDEX_HOOKS: 'private', NYMDEX_SAMPLE: 'off' }
  const child = spawn(process.execPath, [BIN, 'serve'], { env })
  listening(child).catch(() => {})
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = new Promise((exit) => child.once('exit', exit))
  child.kill('SIGKILL')
  await ended
}

function range(from: number, length: number): number[] {
  return Array.from({ length }, (_, i) => from + i)
}
