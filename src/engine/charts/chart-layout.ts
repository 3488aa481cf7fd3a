/**
 * Where the nodes of a network are drawn: connected ones attract each other, all repel each other, and what moves cools
 * down (Fruchterman and Reingold, 1991). It uses only additions, multiplications, divisions and square roots, which are
 * the same on every machine, and no chance: the same network always looks the same.
 */
import { setImmediate } from 'node:timers/promises'

export interface Point {
  readonly x: number
  readonly y: number
}

/** The places of two nodes in the list. */
export type Tie = readonly [number, number]

const STEPS = 100
/** The area is a square of this size. */
export const SIDE = 1000
/** Nodes are first placed on a spiral: each turns by the golden angle. */
const TURN = { cosine: -0.7373688780783197, sine: 0.6754902942615238 }
/** How strongly nodes are drawn to the middle, so that parts that nothing connects stay together. */
const GRAVITY = 0.6
/** Two nodes at the same place do not repel each other without limit. */
const NEAREST = 0.01
/** The layout lets other requests run after this many milliseconds. */
const SLICE_MS = 4

export async function layOut(count: number, ties: readonly Tie[]): Promise<Point[]> {
  const x = new Float64Array(count)
  const y = new Float64Array(count)
  placeOnSpiral(x, y)
  const wanted = Math.sqrt((SIDE * SIDE) / Math.max(1, count))
  let slice = performance.now()
  for (let step = 0; step < STEPS; step++) {
    moveAll(x, y, ties, { wanted, reach: (SIDE / 8) * (1 - step / STEPS) + 1 })
    if (performance.now() - slice < SLICE_MS) continue
    await setImmediate()
    slice = performance.now()
  }
  return fitted(x, y)
}

function placeOnSpiral(x: Float64Array, y: Float64Array): void {
  let [cosine, sine] = [1, 0]
  for (let i = 0; i < x.length; i++) {
    const distance = (SIDE / 2) * Math.sqrt((i + 0.5) / x.length)
    x[i] = distance * cosine
    y[i] = distance * sine
    ;[cosine, sine] = [cosine * TURN.cosine - sine * TURN.sine, cosine * TURN.sine + sine * TURN.cosine]
  }
}

/** `wanted` is the distance that connected nodes like, and `reach` how far a node may move now. */
function moveAll(
  x: Float64Array,
  y: Float64Array,
  ties: readonly Tie[],
  { wanted, reach }: { readonly wanted: number; readonly reach: number },
): void {
  const [moveX, moveY] = [new Float64Array(x.length), new Float64Array(x.length)]
  const square = wanted * wanted
  for (let i = 0; i < x.length; i++) {
    const [ownX, ownY] = [x[i] ?? 0, y[i] ?? 0]
    let [sumX, sumY] = [moveX[i] ?? 0, moveY[i] ?? 0]
    for (let j = i + 1; j < x.length; j++) {
      const byX = ownX - (x[j] ?? 0)
      const byY = ownY - (y[j] ?? 0)
      const force = square / (byX * byX + byY * byY + NEAREST)
      sumX += byX * force
      sumY += byY * force
      moveX[j] = (moveX[j] ?? 0) - byX * force
      moveY[j] = (moveY[j] ?? 0) - byY * force
    }
    moveX[i] = sumX - ownX * GRAVITY
    moveY[i] = sumY - ownY * GRAVITY
  }
  for (const [i, j] of ties) {
    const [byX, byY] = [(x[i] ?? 0) - (x[j] ?? 0), (y[i] ?? 0) - (y[j] ?? 0)]
    const force = Math.sqrt(byX * byX + byY * byY) / wanted
    moveX[i] = (moveX[i] ?? 0) - byX * force
    moveY[i] = (moveY[i] ?? 0) - byY * force
    moveX[j] = (moveX[j] ?? 0) + byX * force
    moveY[j] = (moveY[j] ?? 0) + byY * force
  }
  for (let i = 0; i < x.length; i++) {
    const [byX, byY] = [moveX[i] ?? 0, moveY[i] ?? 0]
    const length = Math.sqrt(byX * byX + byY * byY)
    const share = length > reach ? reach / length : 1
    x[i] = (x[i] ?? 0) + byX * share
    y[i] = (y[i] ?? 0) + byY * share
  }
}

/** Stretched to whole numbers from 0 to SIDE. */
function fitted(x: Float64Array, y: Float64Array): Point[] {
  const [left, top] = [Math.min(...x), Math.min(...y)]
  const size = Math.max(Math.max(...x) - left, Math.max(...y) - top, 1)
  return Array.from(x, (each, i) => ({
    x: Math.round(((each - left) * SIDE) / size),
    y: Math.round((((y[i] ?? 0) - top) * SIDE) / size),
  }))
}
