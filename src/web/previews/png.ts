/**
 * SVG as PNG. A few threads draw; a picture that is asked for again is kept in memory. If too many requests wait, others
 * get 503.
 */
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ALWAYS, type Cache, CacheMemory, ownJoined, problems, whilePaused } from '../../http/index.ts'
import { FONT_FAMILY, FONT_FILES, hasLetters } from '../pictures/font.ts'

/** To a thread. */
export interface PngOrder {
  readonly svg: string
  readonly fontFiles: readonly string[]
  readonly fontFamily: string
  readonly needsSystemFonts: boolean
}

/** From a thread. */
export type PngReply = { readonly png: Uint8Array } | { readonly error: string }

const MOST_THREADS = Math.min(2, availableParallelism())
/** A picture takes about 50 ms, so the last in the queue waits about a second. */
const MOST_WAITING = 32
/** A request that waits longer gets 503, and the thread is replaced. */
const LONGEST_MS = 10_000
/** An idle thread ends after this time, and gives its memory back. */
const IDLE_MS = 60_000
const CACHED_BYTES = 16 * 2 ** 20

const cached: Cache<string, Buffer, unknown> = new CacheMemory(CACHED_BYTES).cache()
/** The pictures that are being drawn, so that each is drawn once. */
const running = new Map<string, Promise<Buffer>>()
const idle: PngThread[] = []
const waiting: (() => void)[] = []
let busy = 0

/** The same SVG always gives the same PNG. */
export async function drawPng(svg: string): Promise<Buffer> {
  const key = createHash('sha256').update(svg).digest('base64url')
  const known = cached.peek(key)
  if (known) return known
  const drawing = running.get(key) ?? begin(key, svg)
  // Other requests continue meanwhile: the main thread is free.
  return await whilePaused(() => drawing)
}

function begin(key: string, svg: string): Promise<Buffer> {
  const drawing = inTurn(svg).then((png) => {
    cached.set(key, png, ALWAYS, png.length)
    return png
  })
  running.set(key, drawing)
  const end = () => running.delete(key)
  drawing.then(end, end)
  return drawing
}

async function inTurn(svg: string): Promise<Buffer> {
  if (busy < MOST_THREADS) busy++
  else {
    if (waiting.length >= MOST_WAITING) throw problems.overloaded()
    // A finished picture hands over its place, so the number of busy threads stays.
    await new Promise<void>((turn) => waiting.push(turn))
  }
  const thread = idle.pop() ?? new PngThread()
  try {
    const png = await thread.draw(svg)
    idle.push(thread)
    return png
  } catch (error) {
    thread.end()
    throw error
  } finally {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }
}

class PngThread {
  readonly #worker = new Worker(new URL(`./png-thread${extname(import.meta.url)}`, import.meta.url))
  #resolve: (reply: PngReply) => void = () => {}
  #reject: (error: unknown) => void = () => {}
  #timer: NodeJS.Timeout | undefined

  constructor() {
    this.#worker.on('message', (reply: PngReply) => this.#resolve(reply))
    this.#worker.on('error', (error) => this.#reject(error))
    this.#worker.on('exit', () => {
      this.#reject(new Error('the thread that draws pictures has ended'))
      this.#leave()
    })
    // After the listeners: to listen for messages would make the process wait for the thread again.
    this.#worker.unref()
  }

  async draw(svg: string): Promise<Buffer> {
    const order: PngOrder = {
      svg,
      fontFiles: FONT_FILES,
      fontFamily: FONT_FAMILY,
      needsSystemFonts: !hasLetters(svg),
    }
    clearTimeout(this.#timer)
    const reply = await new Promise<PngReply>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#timer = setTimeout(() => reject(problems.overloaded()), LONGEST_MS)
      this.#worker.postMessage(order)
    })
    clearTimeout(this.#timer)
    if ('error' in reply) throw new Error(reply.error)
    this.#timer = setTimeout(() => this.end(), IDLE_MS).unref()
    return ownJoined([Buffer.from(reply.png)])
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#leave()
    void this.#worker.terminate()
  }

  #leave(): void {
    const place = idle.indexOf(this)
    if (place >= 0) idle.splice(place, 1)
  }
}
