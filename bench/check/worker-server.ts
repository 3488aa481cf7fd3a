/** `nymdex serve --workers 2`: processes of their own, on the database of the other servers. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { createInterface } from 'node:readline'
import type { LoadedServer } from '../../test/speed/load.ts'
import { listening, PROGRAM } from '../../test/support/command.ts'
import { type BytesReply, send } from '../../test/support/servers.ts'
import type { Sent } from '../../test/support/site.ts'

/** As the servers in this process have them: nobody is refused, and no wait ends early. */
const SETTINGS = {
  PORT: '0',
  NYMDEX_WORKERS: '2',
  NYMDEX_SAMPLE: 'off',
  NYMDEX_WRITE_LIMIT: 'off',
  NYMDEX_NEW_ACCOUNT_LIMIT: 'off',
  NYMDEX_READ_LIMIT: 'off',
  NYMDEX_QUEUE_MS: '60000',
  NYMDEX_DATABASE_SECONDS: '60',
  NYMDEX_QUERY_SECONDS: '60',
}

const DAY_MS = 24 * 60 * 60 * 1000

/** What it takes from the servers that it is compared with. */
interface Beside {
  tokenOf(this: void, name: string): Promise<string>
  /** Where their clock is stopped. */
  readonly now: Date
}

export class WorkerServer implements LoadedServer {
  /** Its own log has them. */
  readonly bugs: unknown[] = []
  readonly #process: ChildProcess
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true })
  readonly #tokenOf: Beside['tokenOf']
  readonly #untilMidnight: string

  private constructor(process: ChildProcess, port: number, { tokenOf, now }: Beside) {
    this.#process = process
    this.#port = port
    this.#tokenOf = tokenOf
    this.#untilMidnight = String(Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000))
  }

  static async on(database: string, others: Beside): Promise<WorkerServer> {
    const env = { ...process.env, ...SETTINGS, DATABASE_URL: database }
    const child = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const { port } = new URL(await listening(child))
    const server = new WorkerServer(child, Number(port), others)
    createInterface(child.stdout!).on('line', (line) => {
      if (/"level":[56]0/.test(line)) server.bugs.push(line)
    })
    return server
  }

  /** Requests go over several connections, so to both workers. */
  async ask(path: string, { as, ...sent }: Sent = {}): Promise<BytesReply> {
    const token = as && (await this.#tokenOf(as))
    const reply = await send(path, sent, { port: this.#port, agent: this.#agent, token })
    const control = reply.headers['cache-control']
    if (!control || !path.includes('/daily/')) return reply
    // The seconds until midnight: the clock of the other servers is stopped.
    return { ...reply, headers: { ...reply.headers, 'cache-control': control.replace(/\d+$/, this.#untilMidnight) } }
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await exited
  }
}
