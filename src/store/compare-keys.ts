/** Compares cells as the databases do: numbers by size, texts by code point. */
import type { Cell } from '../declare/index.ts'

/** `directions` has -1 for a descending column; columns beyond it ascend. */
export function compareKeys(a: readonly Cell[], b: readonly Cell[], directions: readonly number[]): number {
  for (let i = 0; i < a.length; i++) {
    const order = compareCells(a[i]!, b[i]!)
    if (order !== 0) return order * (directions[i] ?? 1)
  }
  return 0
}

function compareCells(a: Cell, b: Cell): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  return Number(a) - Number(b)
}

/** JavaScript compares UTF-16 units, which puts characters beyond U+FFFF before some that they should follow. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [left, right] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (left !== right) return byCodePoint(left) - byCodePoint(right)
  }
  return a.length - b.length
}

const FIRST_HALF = 0xd800
const BEHIND_HALVES = 0xe000

function byCodePoint(unit: number): number {
  if (unit < FIRST_HALF) return unit
  return unit < BEHIND_HALVES ? unit + 0x2000 : unit - 0x800
}
