/** nginx with deploy/nginx.conf; where it is not installed, a proxy of our own that follows the same rules. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from './postgres.ts'

export interface ReverseProxy {
  readonly url: string
  stop(): Promise<void>
}

/** Where nginx is; undefined if this machine has none. */
export const NGINX = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  .map((folder) => join(folder, 'nginx'))
  .find((path) => existsSync(path))

/** In front of two servers, by their ports. */
export async function startReverseProxy(ports: readonly number[]): Promise<ReverseProxy> {
  return NGINX === undefined ? await OwnProxy.start(ports) : await Nginx.start(NGINX, ports)
}

class Nginx implements ReverseProxy {
  readonly url: string
  readonly #child: ChildProcess
  readonly #folder: string

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.url = url
    this.#child = child
    this.#folder = folder
  }

  static async start(program: string, [one, two]: readonly number[]): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'nymdex-nginx-'))
    const port = await freePort()
    const given = readFileSync('deploy/nginx.conf', 'utf8')
    const site = given
      .replace('/var/cache/nginx/nymdex', join(folder, 'cache'))
      .replace('one:8000', `127.0.0.1:${one}`)
      .replace('two:8000', `127.0.0.1:${two}`)
      .replace('listen 8000', `listen 127.0.0.1:${port}`)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(folder, name)};`)
      .join('\n')
    const asRoot = process.getuid?.() === 0 ? 'user root;' : ''
    const text = `${asRoot} daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
events {}
http {
access_log off;
${temporary}
${site}
}
`
    const path = join(folder, 'nginx.conf')
    writeFileSync(path, text)
    const child = spawn(program, ['-c', path, '-p', folder, '-e', join(folder, 'error.log')], { stdio: 'inherit' })
    const url = `http://127.0.0.1:${port}`
    let isOver = false
    child.once('exit', () => {
      isOver = true
    })
    for (;;) {
      if (isOver) throw new Error(`nginx has ended: ${readFileSync(join(folder, 'error.log'), 'utf8')}`)
      if (await fetch(`${url}/healthz`).catch(() => undefined)) return new Nginx(url, child, folder)
    }
  }

  async stop(): Promise<void> {
    const ended = new Promise((exit) => this.#child.once('exit', exit))
    this.#child.kill('SIGTERM')
    await ended
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const REPEATED = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** Takes turns, asks the other server when one cannot be reached or breaks off, and caches for a while what it may. */
class OwnProxy implements ReverseProxy {
  readonly #ports: readonly number[]
  readonly #server: Server
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 32 })
  readonly #cached = new Map<string, { readonly reply: Reply; readonly until: number }>()
  #turn = 0

  private constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { method = '', url: path = '', headers } = request
      const { status, headers: sent, body } = await this.#answer({ method, path, headers, body: Buffer.concat(chunks) })
      const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...others } = sent
      response.writeHead(status, others).end(body)
    })
  }

  static async start(ports: readonly number[]): Promise<OwnProxy> {
    const proxy = new OwnProxy(ports)
    const port = await freePort()
    await new Promise<void>((listening) => proxy.#server.listen(port, '127.0.0.1', listening))
    return proxy
  }

  get url(): string {
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    this.#server.closeAllConnections()
    await new Promise((closed) => this.#server.close(closed))
  }

  async #answer(asked: Asked): Promise<Reply> {
    const { method, path, headers } = asked
    if (/^\/(healthz|readyz)/.test(path)) return { status: 404, headers: {}, body: Buffer.alloc(0) }
    const isPrivate = headers.authorization !== undefined || /nymdex_session=/.test(headers.cookie ?? '')
    const key = `${headers.accept?.includes('text/html')} ${headers.host}${path}`
    const known = this.#cached.get(key)
    if (method === 'GET' && !isPrivate && known && known.until > Date.now()) return withStatus(known.reply, 'HIT')
    const reply = await this.#pass(asked)
    const [, seconds] = /\bs-maxage=(\d+)/.exec(reply.headers['cache-control'] ?? '') ?? []
    if (method === 'GET' && !isPrivate && seconds)
      this.#cached.set(key, { reply, until: Date.now() + Number(seconds) * 1000 })
    return withStatus(reply, isPrivate ? 'BYPASS' : 'MISS')
  }

  async #pass(asked: Asked): Promise<Reply> {
    const first = this.#turn++
    for (let tries = 0; ; tries++) {
      try {
        return await this.#ask(this.#ports[(first + tries) % this.#ports.length]!, asked)
      } catch (error) {
        // As nginx does: a connection may also be reset before it is open, when it comes as the server closes its port.
        const isUnsent = (error as NodeJS.ErrnoException).syscall === 'connect'
        if (tries === 1 || !(isUnsent || REPEATED.has(asked.method)))
          return { status: 502, headers: {}, body: Buffer.from(String(error)) }
      }
    }
  }

  #ask(port: number, { method, path, headers, body }: Asked): Promise<Reply> {
    const { connection: _, ...others } = headers
    const sent = { ...others, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' }
    return new Promise((answered, failed) => {
      const options = { host: '127.0.0.1', port, method, path, headers: sent, agent: this.#agent }
      const request = httpRequest(options, async (reply) => {
        const chunks: Buffer[] = []
        try {
          for await (const chunk of reply) chunks.push(chunk)
        } catch (error) {
          return failed(error)
        }
        answered({ status: reply.statusCode!, headers: reply.headers, body: Buffer.concat(chunks) })
      })
      request.on('error', failed)
      request.end(body)
    })
  }
}

function withStatus(reply: Reply, status: string): Reply {
  return { ...reply, headers: { ...reply.headers, 'x-cache-status': status } }
}
