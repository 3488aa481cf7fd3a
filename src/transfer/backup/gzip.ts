/**
 * Unpacks a gzip file in bounded memory, and synchronously: a transaction cannot wait for a stream. A small file is unpacked
 * at once. For a large one Node's stream runs in another thread, and this one waits for each piece.
 */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { AGE_HEADER } from './age-stream.ts'
import { BadBackup } from './format.ts'
import { faultOf, hasCode, type Unpacked } from './gzip-fault.ts'

const SMALL = 1024 * 1024
const SMALL_UNPACKED = 16 * 1024 * 1024
const FIRST_BYTE = 0x1f
const PATIENCE_MS = 60_000

/** `identities` are the secret keys of an encrypted file. */
export function* unpacked(path: string, identities?: readonly string[]): Generator<Buffer, undefined> {
  const stat = statSync(path)
  if (!stat.isFile()) throw new BadBackup(`${path} is not a file`)
  if (stat.size === 0) return
  const beginning = beginningOf(path)
  if (beginning.toString('latin1') === AGE_HEADER) {
    if (!identities) throw new BadBackup(`${path} is encrypted: give the file with its secret key with --key`)
    yield* unpackedInPieces(path, identities)
    return
  }
  if (beginning[0] !== FIRST_BYTE) throw new BadBackup(`${path} is not a Nymdex backup`)
  const small = stat.size <= SMALL ? unpackedAtOnce(path) : undefined
  if (small) yield small
  else yield* unpackedInPieces(path)
}

function beginningOf(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const beginning = Buffer.alloc(AGE_HEADER.length)
    return beginning.subarray(0, readSync(file, beginning))
  } finally {
    closeSync(file)
  }
}

/** Nothing when it is too large for that. */
function unpackedAtOnce(path: string): Buffer | undefined {
  const packed = readFileSync(path)
  try {
    const { buffer, engine } = gunzipSync(packed, { info: true, maxOutputLength: SMALL_UNPACKED }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    if (engine.bytesWritten < packed.length) throw new BadBackup(`${path} is damaged`)
    return buffer
  } catch (error) {
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE')) return undefined
    if (error instanceof BadBackup) throw error
    throw new BadBackup(`${path} is ${faultOf(error)}`)
  }
}

function* unpackedInPieces(path: string, identities?: readonly string[]): Generator<Buffer, undefined> {
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const { port1: port, port2 } = new MessageChannel()
  const worker = new Worker(new URL(`./gunzip-worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: { path, identities, port: port2, signal },
    transferList: [port2],
  })
  worker.unref()
  try {
    for (let answers = 0; ; answers++) {
      port.postMessage('next')
      Atomics.wait(signal, 0, answers, PATIENCE_MS)
      const received = receiveMessageOnPort(port)
      if (!received) throw new Error('the thread that unpacks a backup does not answer')
      const answer: Unpacked = received.message
      if (answer === 'end') return
      if (typeof answer === 'string') throw new BadBackup(`${path} is ${answer}`)
      const { buffer, byteOffset, byteLength } = answer.piece
      yield Buffer.from(buffer, byteOffset, byteLength)
    }
  } finally {
    port.close()
    void worker.terminate()
  }
}
