/**
 * What a worker tells the writer about the client of a request that it passes on. A secret of this server shows that it
 * comes from a worker: the writer takes no other requests.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { problems } from '../../engine/index.ts'
import type { Request } from '../exchange/message.ts'
import type { Origin } from './origin.ts'

const SECRET = 'nymdex-passed-secret'
const BASE = 'nymdex-passed-base'
const ADDRESS = 'nymdex-passed-address'
const ID = 'x-request-id'

/** Those of a connection are not passed on, and those above are only ours. */
const OWN: ReadonlySet<string> = new Set([
  SECRET,
  BASE,
  ADDRESS,
  ID,
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
])

/** The headers of the request as the writer gets them: name, value, name, value. */
export function passedHeaders({ rawHeaders }: IncomingMessage, request: Request, secret: string): string[] {
  const { base, address, id } = request
  const lines = [SECRET, secret, BASE, base, ADDRESS, address, ID, id]
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (!OWN.has(name.toLowerCase())) lines.push(name, value)
  }
  return lines
}

export class PassedOrigins {
  readonly #secret: Buffer

  constructor(secret: string) {
    this.#secret = hashOf(secret)
  }

  read({ headers }: IncomingMessage): Origin {
    if (!timingSafeEqual(hashOf(textOf(headers[SECRET])), this.#secret)) {
      throw problems.badRequest('This socket is for other processes of the same server.')
    }
    return { base: textOf(headers[BASE]), address: textOf(headers[ADDRESS]) }
  }
}

const textOf = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')

const hashOf = (text: string) => createHash('sha256').update(text).digest()
