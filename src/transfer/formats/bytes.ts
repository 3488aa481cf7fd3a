/** Reads the bytes of a file, a chunk at a time, and decodes them as text. */
import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import { Unreadable } from '../item.ts'

export const CHUNK = 64 * 1024

/** The maximum length of a record, so that a damaged file cannot fill the memory. */
export const LONGEST = 2 * 1024 * 1024

/** Every chunk reuses the same memory: copy what you keep. */
export function* chunksOf(path: string, size = CHUNK): Generator<Buffer, undefined> {
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(size)
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk)) yield chunk.subarray(0, count)
  } finally {
    closeSync(file)
  }
}

export function textOf(bytes: Buffer): string | Unreadable {
  return isUtf8(bytes) ? bytes.toString() : new Unreadable('not UTF-8 text')
}
