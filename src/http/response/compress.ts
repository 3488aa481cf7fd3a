/** Compresses responses, if the operator wants the server to do it instead of a proxy. */
import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { bytesIn, type WholeBody } from '../exchange/message.ts'

export type Encoding = 'br' | 'gzip'

/** Below this size the headers outweigh the gain. */
const WORTHWHILE_BYTES = 1024

/** Responses are compressed while a client waits: a medium effort gets most of the gain. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** The best encoding that the client accepts, if the body is worth it. */
export function pickEncoding(accept: string | undefined, body: WholeBody): Encoding | undefined {
  return bytesIn(body)! < WORTHWHILE_BYTES ? undefined : bestEncoding(accept)
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
  return encoding === 'br' ? brotli(body, BROTLI) : zip(body)
}

/** Compresses as fast as the client reads. */
export function compressPieces(pieces: readonly Buffer[], encoding: Encoding): AsyncIterable<Buffer> {
  const compressor: Transform = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip()
  // The reader of the compressed bytes gets the error.
  return pipeline(Readable.from(pieces), compressor, () => {})
}
