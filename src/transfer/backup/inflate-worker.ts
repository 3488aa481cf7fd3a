/**
 * The thread behind inflater.ts: unpacks what it gets, piece by piece, and wakes the waiting thread for each result.
 */
import { type MessagePort, workerData } from 'node:worker_threads'
import { createInflateRaw } from 'node:zlib'
import type { Inflated } from './inflater.ts'

const { port, signal } = workerData as { readonly port: MessagePort; readonly signal: Int32Array }
const inflate = createInflateRaw()
let pieces: Buffer[] = []
let taken = 0

const answer = (inflated: Inflated) => {
  port.postMessage(inflated)
  Atomics.add(signal, 0, 1)
  Atomics.notify(signal, 0)
}
const answerPieces = (ended: boolean) => {
  const used = inflate.bytesWritten - taken
  taken = inflate.bytesWritten
  const sent = pieces
  pieces = []
  answer({ pieces: sent, ended, used })
}

inflate.on('data', (piece: Buffer) => pieces.push(piece))
inflate.on('error', () => answer({ broken: true }))
port.on('message', (packed: Uint8Array) => {
  let answered = false
  const once = (ended: boolean) => {
    if (answered) return
    answered = true
    inflate.off('end', atEnd)
    answerPieces(ended)
  }
  const atEnd = () => once(true)
  inflate.once('end', atEnd)
  // When this is called, the unpacked bytes and the end, if any, have been posted.
  inflate.write(packed, (error) => {
    if (!error) setImmediate(() => once(inflate.readableEnded))
  })
})
