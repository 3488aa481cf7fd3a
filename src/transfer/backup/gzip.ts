/**
 * Unpacks a gzip file member by member, synchronously and in constant memory, which zlib's own functions do not offer
 * together. A file that was packed anew as one member is read too, in as much memory as it takes.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import { BadBackup } from './format.ts'

/** More than a member of ours ever takes. */
const WINDOW = 2 * 1024 * 1024
const MOST = 2 ** 30
const TRAILER = 8

export function* unpacked(path: string): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    const source = new Source(file, path)
    while (source.fill(WINDOW)) yield source.member()
  } finally {
    closeSync(file)
  }
}

class Source {
  readonly #file: number
  readonly #path: string
  readonly #size: number
  /** What was read and not yet unpacked, and where in the file it ends. */
  #window: Buffer = Buffer.alloc(0)
  #end = 0

  constructor(file: number, path: string) {
    this.#file = file
    this.#path = path
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new BadBackup(`${path} is not a file`)
    this.#size = stat.size
  }

  /** Has the window this many bytes, or all that are left? False when none are left. */
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

  member(): Buffer {
    const start = headerLength(this.#window)
    if (start === undefined) {
      const first = this.#end === this.#window.length
      if (first && this.#window[0] !== 0x1f) throw new BadBackup(`${this.#path} is not a Nymdex backup`)
      throw this.#window.length < 12 ? this.#cutShort() : this.#damaged()
    }
    const { content, packed } = this.#inflate(start)
    this.fill(start + packed + TRAILER)
    const trailer = this.#window.subarray(start + packed, start + packed + TRAILER)
    if (trailer.length < TRAILER) throw this.#cutShort()
    const whole = trailer.readUInt32LE(0) === crc32(content) && trailer.readUInt32LE(4) === content.length % 2 ** 32
    if (!whole) throw this.#damaged()
    this.#window = this.#window.subarray(start + packed + TRAILER)
    return content
  }

  #inflate(start: number): { content: Buffer; packed: number } {
    for (;;) {
      try {
        const options = { info: true, chunkSize: 256 * 1024, maxOutputLength: MOST }
        const { buffer, engine } = inflateRawSync(this.#window.subarray(start), options) as unknown as {
          readonly buffer: Buffer
          readonly engine: { readonly bytesWritten: number }
        }
        return { content: buffer, packed: engine.bytesWritten }
      } catch (error) {
        if ((error as { code?: string }).code !== 'Z_BUF_ERROR') throw this.#damaged()
        if (this.#end === this.#size) throw this.#endsWell() ? this.#damaged() : this.#cutShort()
        this.fill(this.#window.length * 2)
      }
    }
  }

  /** Is the end of the file what the end of a backup is? Then nothing was cut off, and the fault is inside. */
  #endsWell(): boolean {
    try {
      const end = this.#window.subarray(this.#window.lastIndexOf(Buffer.from([0x1f, 0x8b, 0x08])))
      return gunzipSync(end).toString('utf8').startsWith('{"end":true')
    } catch {
      return false
    }
  }

  #cutShort = () => new BadBackup(`${this.#path} is cut short`)
  #damaged = () => new BadBackup(`${this.#path} is damaged`)
}

/** Where the packed bytes begin (RFC 1952); undefined when this is not gzip. */
function headerLength(bytes: Buffer): number | undefined {
  if (bytes.length < 12 || bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return undefined
  const flags = bytes[3]!
  let at = 10
  if (flags & 4) at += 2 + bytes.readUInt16LE(at)
  for (const named of [8, 16]) if (flags & named) at = bytes.indexOf(0, at) + 1
  return flags & 2 ? at + 2 : at
}
