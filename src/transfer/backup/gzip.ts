/**
 * Unpacks a gzip file member by member, synchronously and in bounded memory, which zlib's own functions do not offer
 * together. A file that was repacked as one large member is read piece by piece.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import { BadBackup } from './format.ts'
import { Inflater } from './inflater.ts'

/** Larger than any member that we write. */
const WINDOW = 2 * 1024 * 1024
/** A larger member is unpacked in pieces. */
const MOST = 16 * 1024 * 1024
/** A piece of this many packed bytes becomes at most 16 MiB. */
const PIECE = 16 * 1024
const TRAILER = 8

export function* unpacked(path: string): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    const source = new Source(file, path)
    while (source.fill(WINDOW)) yield* source.member()
  } finally {
    closeSync(file)
  }
}

class Source {
  readonly #file: number
  readonly #path: string
  readonly #size: number
  /** Bytes that were read but not yet unpacked, and where in the file they end. */
  #window: Buffer = Buffer.alloc(0)
  #end = 0

  constructor(file: number, path: string) {
    this.#file = file
    this.#path = path
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new BadBackup(`${path} is not a file`)
    this.#size = stat.size
  }

  /** Whether the window has this many bytes, or all that are left. False if none are left. */
  fill(bytes: number): boolean {
    if (this.#window.length < bytes && this.#end < this.#size) {
      const more = Buffer.allocUnsafe(Math.min(this.#size - this.#end, bytes - this.#window.length + 2 * WINDOW))
      const read = readSync(this.#file, more, 0, more.length, this.#end)
      this.#end = read === 0 ? this.#size : this.#end + read
      this.#window = Buffer.concat([this.#window, more.subarray(0, read)])
      return this.fill(bytes)
    }
    return this.#window.length > 0
  }

  *member(): Generator<Buffer> {
    const start = headerLength(this.#window)
    if (start === undefined) {
      const first = this.#end === this.#window.length
      if (first && this.#window[0] !== 0x1f) throw new BadBackup(`${this.#path} is not a Nymdex backup`)
      throw this.#window.length < 12 ? this.#cutShort() : this.#damaged()
    }
    this.#drop(start)
    const content = this.#inflate()
    if (content) {
      this.#checkTrailer(crc32(content), content.length)
      yield content
    } else yield* this.#inflateInPieces()
  }

  /** The whole member; undefined if it is too large. */
  #inflate(): Buffer | undefined {
    try {
      const options = { info: true, chunkSize: 256 * 1024, maxOutputLength: MOST }
      const { buffer, engine } = inflateRawSync(this.#window, options) as unknown as {
        readonly buffer: Buffer
        readonly engine: { readonly bytesWritten: number }
      }
      this.#drop(engine.bytesWritten)
      return buffer
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'ERR_BUFFER_TOO_LARGE') return undefined
      if (code !== 'Z_BUF_ERROR') throw this.#damaged()
      if (this.#end < this.#size) return undefined
      throw this.#endsWell() ? this.#damaged() : this.#cutShort()
    }
  }

  *#inflateInPieces(): Generator<Buffer> {
    const inflater = new Inflater()
    let [crc, length] = [0, 0]
    try {
      for (let ended = false; !ended; ) {
        if (!this.fill(PIECE)) throw this.#cutShort()
        const packed = this.#window.subarray(0, PIECE)
        const inflated = inflater.push(packed)
        if ('broken' in inflated) throw this.#damaged()
        for (const each of inflated.pieces) {
          const piece = Buffer.from(each.buffer, each.byteOffset, each.byteLength)
          crc = crc32(piece, crc)
          length += piece.length
          yield piece
        }
        this.#drop(inflated.used)
        ended = inflated.ended || inflated.used < packed.length
      }
    } finally {
      inflater.close()
    }
    this.#checkTrailer(crc, length)
  }

  #checkTrailer(crc: number, length: number): void {
    this.fill(TRAILER)
    if (this.#window.length < TRAILER) throw this.#cutShort()
    const whole = this.#window.readUInt32LE(0) === crc && this.#window.readUInt32LE(4) === length % 2 ** 32
    if (!whole) throw this.#damaged()
    this.#drop(TRAILER)
  }

  #drop(bytes: number): void {
    this.#window = this.#window.subarray(bytes)
  }

  /** Whether the file ends as a backup must. If so, nothing was cut off, and the fault is inside. */
  #endsWell(): boolean {
    try {
      const end = this.#window.subarray(this.#window.lastIndexOf(Buffer.from([0x1f, 0x8b, 0x08])))
      return gunzipSync(end, { maxOutputLength: MOST }).toString('utf8').startsWith('{"end":true')
    } catch {
      return false
    }
  }

  #cutShort = () => new BadBackup(`${this.#path} is cut short`)
  #damaged = () => new BadBackup(`${this.#path} is damaged`)
}

/** Where the packed bytes begin (RFC 1952); undefined if this is not gzip. */
function headerLength(bytes: Buffer): number | undefined {
  if (bytes.length < 12 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return undefined
  const flags = bytes[3]!
  let at = 10
  if (flags & 4) at += 2 + bytes.readUInt16LE(at)
  for (const named of [8, 16]) if (flags & named) at = bytes.indexOf(0, at) + 1
  return flags & 2 ? at + 2 : at
}
