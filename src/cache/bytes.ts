/**
 * Bytes that stay in memory. Node cuts small buffers from slabs of 64 KiB, so a cached one would also keep what others
 * have written to its slab: many times what the limit of the cache allows.
 */

/** A text as bytes, in memory of their own. */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** The pieces one after another, in memory of their own. */
export function ownJoined(pieces: readonly Buffer[]): Buffer {
  const [first] = pieces
  if (first && pieces.length === 1 && first.buffer.byteLength === first.length) return first
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const piece of pieces) {
    whole.set(piece, end)
    end += piece.length
  }
  return whole
}
