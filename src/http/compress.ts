/** Compressed answers, when the operator wants them from us rather than from a proxy. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Below this the headers outweigh what is saved. */
const WORTHWHILE_BYTES = 1024

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The best encoding the client takes, if the body is worth it. */
export function pickEncoding(accept: string | undefined, body: string | Buffer): Encoding | undefined {
  return body.length < WORTHWHILE_BYTES ? undefined : bestEncoding(accept)
}

export function bestEncoding(accept: string | undefined): Encoding | undefined {
  if (!accept) return undefined
  const taken = new Map(
    accept.split(',').map((entry) => {
      const [name = '', quality = 'q=1'] = entry.split(';').map((part) => part.trim().toLowerCase())
      return [name, Number(quality.replace('q=', ''))]
    }),
  )
  const quality = (encoding: Encoding) => taken.get(encoding) ?? taken.get('*') ?? 0
  const best = quality('gzip') > quality('br') ? 'gzip' : 'br'
  return quality(best) > 0 ? best : undefined
}

export function compress(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  // Answers are made while somebody waits: a middling effort gets most of the gain.
  return encoding === 'br' ? brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : zip(body)
}
