/** The thread behind gzip.ts: unpacks a file with Node's stream, and sends a piece each time it is asked for the next. */
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { type MessagePort, workerData } from 'node:worker_threads'
import { createGunzip } from 'node:zlib'
import { faultOf, type Unpacked } from './gzip.ts'

const PIECE = 256 * 1024

const { path, port, signal }: { readonly path: string; readonly port: MessagePort; readonly signal: Int32Array } =
  workerData
const gunzip = createGunzip({ chunkSize: PIECE })
// An error reaches the loop below.
pipeline(createReadStream(path, { highWaterMark: PIECE }), gunzip, () => {})

let asked = once(port, 'message')

async function answer(unpacked: Unpacked): Promise<void> {
  await asked
  asked = once(port, 'message')
  port.postMessage(unpacked)
  Atomics.add(signal, 0, 1)
  Atomics.notify(signal, 0)
}

try {
  for await (const piece of gunzip) await answer({ piece })
  // Node ignores zeros after the last member.
  const isWhole = gunzip.bytesWritten === statSync(path).size
  await answer(isWhole ? 'end' : 'damaged')
} catch (error) {
  await answer(faultOf(error))
}
