/** `nymdex serve --workers 2`: processes of their own, on the database of the other servers. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
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

export class WorkerServer implements LoadedServer {
  /** Its own log has them. */
  readonly bugs: unknown[] = []
  readonly #process: ChildProcess
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true })
  readonly #tokenOf: (name: string) => Promise<string>

  private constructor(process: ChildProcess, port: number, tokenOf: (name: string) => Promise<string>) {
    this.#process = process
    this.#port = port
    this.#tokenOf = tokenOf
  }

  static async on(database: string, tokenOf: (name: string) => Promise<string>): Promise<WorkerServer> {
    const env = { ...process.env, ...SETTINGS, DATABASE_URL: database }
    const child = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const { port } = new URL(await listening(child))
    const server = new WorkerServer(child, Number(port), tokenOf)
    child.stdout!.on('data', (chunk) => {
      for (const line of String(chunk).split('\n')) if (/"level":"?(error|50|60)/.test(line)) server.bugs.push(line)
    })
    return server
  }

  /** Requests go over several connections, so to both workers. */
  async ask(path: string, { as, ...sent }: Sent = {}): Promise<BytesReply> {
    const token = as && (await this.#tokenOf(as))
    return await send(path, sent, { port: this.#port, agent: this.#agent, token })
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await exited
  }
}
