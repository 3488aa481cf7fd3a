/**
 * The thread behind gzip.ts: decrypts a file if it has a key, unpacks it with Node's stream, and sends a piece each time it
 * is asked for the next.
 */
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { pipeline, type Readable, Transform } from 'node:stream'
import { type MessagePort, workerData } from 'node:worker_threads'
import { createGunzip } from 'node:zlib'
import { decryptedStream } from './age-stream.ts'
import { faultOf, type Unpacked } from './gzip-fault.ts'

const PIECE = 256 * 1024

interface Given {
  readonly path: string
  readonly identities: readonly string[] | undefined
  readonly port: MessagePort
  readonly signal: Int32Array
}

const { path, identities, port, signal }: Given = workerData

let asked = once(port, 'message')

async function answer(unpacked: Unpacked): Promise<void> {
  await asked
  asked = once(port, 'message')
  port.postMessage(unpacked)
  Atomics.add(signal, 0, 1)
  Atomics.notify(signal, 0)
}

/** The size of a decrypted file is known when it has been read. */
let size = identities ? 0 : statSync(path).size

async function packedFile(): Promise<Readable> {
  if (!identities) return createReadStream(path, { highWaterMark: PIECE })
  const counting = new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length
      done(undefined, piece)
    },
  })
  return pipeline(await decryptedStream(path, identities), counting, () => {})
}

try {
  const gunzip = createGunzip({ chunkSize: PIECE })
  // An error reaches the loop below.
  pipeline(await packedFile(), gunzip, () => {})
  for await (const piece of gunzip) await answer({ piece })
  // Node ignores zeros after the last member.
  await answer(gunzip.bytesWritten === size ? 'end' : 'damaged')
} catch (error) {
  await answer(faultOf(error))
}
