/** kernel.ts in plain TypeScript: the same results, more slowly, where WebAssembly is not available. */
import { type Kernel, LANES } from './kernel.ts'

export function plainKernel(bytes: number): Kernel {
  const buffer = new ArrayBuffer(bytes)
  const numbers = new Int16Array(buffer)
  const at = (address: number) => numbers[address >> 1] ?? 0
  return {
    memory: { buffer },
    addProducts(to, from, matrix, vector, count, blocks) {
      for (let block = 0; block < blocks; block++) {
        for (let lane = 0; lane < LANES; lane++) {
          const column = 2 * (block * LANES + lane)
          let sum = at(from + column)
          for (let i = 0; i < count; i++) {
            const weight = at(matrix + 2 * ((block * count + i) * LANES + lane))
            sum = saturated(sum + saturated(product(at(vector + 2 * i), weight)))
          }
          numbers[(to + column) >> 1] = sum
        }
      }
    },
    updateState(to, state, sums, candidate, table) {
      const tanh = (value: number) => at(table + ((value >> 1) & -2))
      const logistic = (value: number) => (tanh(value >> 1) + 32768) >> 1
      for (let lane = 0; lane < 2 * LANES; lane += 2) {
        const sum = (block: number) => at(sums + block * 2 * LANES + lane)
        const proposed = tanh(at(candidate + lane) + product(logistic(sum(0)), sum(2)))
        numbers[(to + lane) >> 1] = proposed + product(logistic(sum(1)), at(state + lane) - proposed)
      }
    },
  }
}

/** Of two numbers, at least one of which has 15 bits after the point. */
function product(a: number, b: number): number {
  return (a * b + 2 ** 14) >> 15
}

function saturated(value: number): number {
  return Math.max(-32768, Math.min(32767, value))
}
