/**
 * Two servers that get the same requests. Secrets differ between them (tokens, cookies), so a request names a secret as
 * `{{name}}`, and responses have the name in place of the value.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { freePort, type Running, start } from '../speed/servers.ts'

/** The same on both servers, so that links and ETags are, too. */
const HOST = 'walk.example'
/** The clock, the ids that the server gives to requests (it sends ours back), and the time until midnight. */
const CHANGING = /^(Date: |X-Request-Id: (?!walk$)|Cache-Control: public, max-age=\d+$)/
const RANDOM = /(nymdex_(?:csrf|session)=|name="csrfmiddlewaretoken" value=")[\w-]{40,}/g
const PASSWORD = 'correct horse battery'

export interface Call {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string
  /** Secrets to take from the response: the first group of each pattern. */
  readonly take?: Readonly<Record<string, RegExp>>
}

export interface Reply {
  readonly status: number
  /** `Name: value`, in the order sent. */
  readonly headers: readonly string[]
  readonly body: string
}

export class Server {
  readonly name: string
  readonly #running: Running
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 })
  readonly #secrets = new Map<string, string>()

  private constructor(name: string, running: Running) {
    this.name = name
    this.#running = running
  }

  /** A server of a checkout, on a new database with the sample catalogue and a user "staff". */
  static async start(name: string, root: string, database: string, extra: NodeJS.ProcessEnv = {}): Promise<Server> {
    const port = await freePort()
    const env = {
      ...process.env,
      DATABASE_URL: `sqlite:${database}`,
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      NYMDEX_SAMPLE: 'on',
      NYMDEX_DRAIN_SECONDS: '0',
      // A busy machine should only take longer.
      NYMDEX_QUEUE_MS: '60000',
      NYMDEX_QUERY_SECONDS: '60',
      NYMDEX_WRITE_LIMIT: 'off',
      NYMDEX_NEW_ACCOUNT_LIMIT: 'off',
      NYMDEX_SIGNIN_LIMIT: 'off',
      NYMDEX_SIGNIN_ADDRESS_LIMIT: 'off',
      NYMDEX_SIGNIN_NAME_LIMIT: 'off',
      NYMDEX_SIGNUP_LIMIT: 'off',
      ...extra,
    }
    const program = join(root, 'bin/nymdex.js')
    const adding = spawn(process.execPath, [program, 'user', 'add', 'walkstaff', '--staff', '--password-stdin'], {
      env,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    adding.stdin.end(`${PASSWORD}\n`)
    const [status] = await once(adding, 'exit')
    if (status !== 0) throw new Error(`${name}: "nymdex user add" failed`)
    return new Server(name, await start(name, [process.execPath, program, 'serve'], { port, first: '/healthz', env }))
  }

  async ask({ method = 'GET', path, headers = {}, json, body, take = {} }: Call): Promise<Reply> {
    const payload = json === undefined ? body : JSON.stringify(json)
    const sent: Record<string, string> = { host: HOST, 'x-request-id': 'walk', ...headers }
    if (json !== undefined) sent['content-type'] = 'application/json'
    for (const [name, value] of Object.entries(sent)) sent[name] = this.#fill(value)
    if (payload !== undefined) sent['content-length'] = String(Buffer.byteLength(this.#fill(payload)))
    const reply = await this.#send(method, path, sent, payload && this.#fill(payload))
    for (const [name, pattern] of Object.entries(take)) {
      const found = pattern.exec([...reply.headers, reply.body].join('\n'))
      if (found) this.#secrets.set(name, found[1]!)
    }
    return {
      status: reply.status,
      headers: reply.headers.map((line) => this.#mask(line)),
      body: this.#mask(reply.body),
    }
  }

  #fill(text: string): string {
    return text.replace(/\{\{(\w+)\}\}/g, (whole, name) => this.#secrets.get(name) ?? whole)
  }

  #mask(text: string): string {
    let masked = text
    for (const [name, value] of this.#secrets) masked = masked.replaceAll(value, `{{${name}}}`)
    return masked.replace(RANDOM, '$1{{random}}')
  }

  #send(method: string, path: string, headers: Record<string, string>, payload: string | undefined): Promise<Reply> {
    const { port } = new URL(this.#running.base)
    return new Promise((done, failed) => {
      const options = { host: '127.0.0.1', port, method, path, headers, agent: this.#agent, timeout: 30_000 }
      const sent = request(options, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk) => chunks.push(chunk))
        reply.on('error', failed)
        reply.on('end', () =>
          done({
            status: reply.statusCode!,
            headers: pairs(reply.rawHeaders).filter((line) => !CHANGING.test(line)),
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      })
      sent.on('timeout', () => sent.destroy(new Error('no response in 30 s')))
      sent.on('error', failed)
      sent.end(payload)
    })
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    await this.#running.stop()
  }
}

function pairs(raw: readonly string[]): string[] {
  return Array.from({ length: raw.length / 2 }, (_, i) => `${raw[2 * i]}: ${raw[2 * i + 1]}`)
}

export const STAFF = basic('walkstaff')

export function basic(name: string): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}` }
}

export const ACCOUNT = { username: 'walker', password: PASSWORD }
