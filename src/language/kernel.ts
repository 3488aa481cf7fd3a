/**
 * The two loops in which the tagger spends its time, as a WebAssembly module that this file writes byte by byte. They
 * compute with 16-bit integers alone, so every machine gets the same results. plain-kernel.ts says the same in
 * TypeScript.
 */

/** Works on the numbers in `memory`. Its arguments are byte offsets in it, and counts. */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer }
  /**
   * For each block of 64 sums: to = from + vector[0] * matrix[0] + vector[1] * matrix[1] and so on, where matrix[i] is a
   * line of 64 weights. Each product keeps its upper 16 bits, rounded. A sum that is too large becomes the largest number.
   */
  addProducts(to: number, from: number, matrix: number, vector: number, count: number, blocks: number): void
  /**
   * One step of 64 gated recurrent units. `sums` are blocks of 64 numbers: of the reset gate, of the update gate, of what
   * the state adds to the candidate; `candidate` is what the word adds to it. The new state is written to `to`.
   */
  updateState(to: number, state: number, sums: number, candidate: number, table: number): void
}

/** How many numbers are in a block. */
export const LANES = 64

/** What this file uses of WebAssembly; the types of Node do not declare it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: object }
}

/** A kernel with a memory of this many bytes; undefined where WebAssembly with SIMD is not available. */
export function wasmKernel(bytes: number): Kernel | undefined {
  try {
    const module = new WebAssembly.Module(moduleOf(Math.ceil(bytes / PAGE_BYTES)))
    const { exports } = new WebAssembly.Instance(module)
    return isKernel(exports) ? exports : undefined
  } catch {
    return undefined
  }
}

function isKernel(exports: object): exports is Kernel {
  return 'memory' in exports && 'addProducts' in exports && 'updateState' in exports
}

type Code = readonly number[]

const PAGE_BYTES = 65536
const LINE_BYTES = LANES * 2
const VECTORS = LINE_BYTES / 16

const I32 = 0x7f
const V128 = 0x7b
const END = 0x0b

const get = (local: number): Code => [0x20, local]
const set = (local: number, value: Code): Code => [...value, 0x21, local]
const constant = (value: number): Code => [0x41, ...signed(value)]
const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a]
const subtract = (a: Code, b: Code): Code => [...a, ...b, 0x6b]
const multiply = (a: Code, b: Code): Code => [...a, ...b, 0x6c]
const and = (a: Code, b: Code): Code => [...a, ...b, 0x71]
const shiftRight = (a: Code, bits: number): Code => [...a, ...constant(bits), 0x75]
const less = (a: Code, b: Code): Code => [...a, ...b, 0x48]
const advance = (local: number, by: number): Code => set(local, add(get(local), constant(by)))
const load16 = (address: Code, offset = 0): Code => [...address, 0x2e, 1, ...unsigned(offset)]
const store16 = (address: Code, value: Code): Code => [...address, ...value, 0x3b, 1, 0]
/** Repeats the body for as long as the condition holds after it. */
const repeat = (body: readonly Code[], condition: Code): Code => [
  0x03,
  0x40,
  ...body.flat(),
  ...condition,
  0x0d,
  0,
  END,
]

const simd = (operation: number): Code => [0xfd, ...unsigned(operation)]
const loadVector = (address: Code, offset: number): Code => [...address, ...simd(0x00), 4, ...unsigned(offset)]
const loadInAllLanes = (address: Code): Code => [...address, ...simd(0x08), 1, 0]
const storeVector = (address: Code, offset: number, value: Code): Code => [
  ...[...address, ...value, ...simd(0x0b), 4, ...unsigned(offset)],
]
const addSaturated = (a: Code, b: Code): Code => [...a, ...b, ...simd(0x8f)]
const multiplyRounded = (a: Code, b: Code): Code => [...a, ...b, ...simd(0x82)]

function moduleOf(pages: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [functionType(6), functionType(5)]),
    ...section(3, [[0], [1]]),
    ...section(5, [[1, ...unsigned(pages), ...unsigned(pages)]]),
    ...section(7, [exported('memory', 2, 0), exported('addProducts', 0, 0), exported('updateState', 0, 1)]),
    ...section(10, [addProducts(), updateState()]),
  ])
}

function addProducts(): Code {
  const [to, from, matrix, vector, count, blocks] = [0, 1, 2, 3, 4, 5]
  const [at, end, factor, sums] = [6, 7, 8, 9]
  const forEachVector = (make: (offset: number, sum: number) => Code): Code =>
    Array.from({ length: VECTORS }, (_, i) => make(16 * i, sums + i)).flat()
  const products = repeat(
    [
      set(factor, loadInAllLanes(get(at))),
      forEachVector((offset, sum) =>
        set(sum, addSaturated(get(sum), multiplyRounded(get(factor), loadVector(get(matrix), offset)))),
      ),
      advance(matrix, LINE_BYTES),
      advance(at, 2),
    ],
    less(get(at), get(end)),
  )
  const block = [
    set(at, get(vector)),
    forEachVector((offset, sum) => set(sum, loadVector(get(from), offset))),
    products,
    forEachVector((offset, sum) => storeVector(get(to), offset, get(sum))),
    advance(from, LINE_BYTES),
    advance(to, LINE_BYTES),
    advance(blocks, -1),
  ]
  return functionBody(
    [
      [2, I32],
      [1 + VECTORS, V128],
    ],
    [set(end, add(get(vector), multiply(get(count), constant(2)))), repeat(block, get(blocks))],
  )
}

function updateState(): Code {
  const [to, state, sums, candidate, table] = [0, 1, 2, 3, 4]
  const [proposed, left] = [5, 6]
  // The table has a number of two bytes for each four steps.
  const tanh = (value: Code) => load16(add(get(table), and(shiftRight(value, 1), constant(-2))))
  const logistic = (value: Code) => shiftRight(add(tanh(shiftRight(value, 1)), constant(32768)), 1)
  const sum = (block: number) => load16(get(sums), block * LINE_BYTES)
  const product = (a: Code, b: Code) => shiftRight(add(multiply(a, b), constant(2 ** 14)), 15)
  const step = [
    set(proposed, tanh(add(load16(get(candidate)), product(logistic(sum(0)), sum(2))))),
    store16(get(to), add(get(proposed), product(logistic(sum(1)), subtract(load16(get(state)), get(proposed))))),
    ...[to, state, sums, candidate].map((local) => advance(local, 2)),
    advance(left, -1),
  ]
  return functionBody([[2, I32]], [set(left, constant(LANES)), repeat(step, get(left))])
}

function functionType(parameters: number): Code {
  return [0x60, parameters, ...new Array<number>(parameters).fill(I32), 0]
}

function functionBody(locals: readonly Code[], body: readonly Code[]): Code {
  return sized([locals.length, ...locals.flat(), ...body.flat(), END])
}

function exported(name: string, kind: number, index: number): Code {
  return [...sized([...new TextEncoder().encode(name)]), kind, index]
}

function section(id: number, items: readonly Code[]): Code {
  return [id, ...sized([...unsigned(items.length), ...items.flat()])]
}

function sized(bytes: Code): Code {
  return [...unsigned(bytes.length), ...bytes]
}

/** LEB128: seven bits a byte, the lowest first. */
function unsigned(value: number): Code {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

function signed(value: number): Code {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)]
}
