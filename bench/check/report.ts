/** The progress and the result of the random load. */
import type { LoadReport } from '../../test/speed/load.ts'

const STEPS = 20

export class Progress {
  readonly #title: string
  readonly #all: number
  readonly #started = performance.now()
  #shown = 0

  constructor(title: string, all: number) {
    this.#title = title
    this.#all = all
  }

  get seconds(): number {
    return (performance.now() - this.#started) / 1000
  }

  /** One line for each twentieth. */
  show(done: number): void {
    if (done < ((this.#shown + 1) * this.#all) / STEPS) return
    this.#shown = Math.floor((done * STEPS) / this.#all)
    const rate = Math.round(done / this.seconds)
    console.log(`${this.#title}: ${done} of ${this.#all} requests, ${rate} a second`)
  }
}

export function printReport(engine: string, { kinds, faults, compared }: LoadReport, seconds: number): void {
  console.log(`\n${engine}, ${seconds.toFixed(0)} s:`)
  console.log('kind              requests  a second  mean ms  refused')
  const rows = [...kinds].sort(([, a], [, b]) => b.requests - a.requests)
  let requests = 0
  for (const [kind, { requests: count, ms, refused }] of rows) {
    requests += count
    const figures = [count, (count / seconds).toFixed(1), (ms / count).toFixed(2), refused]
    console.log(kind.padEnd(16) + figures.map((each, i) => String(each).padStart([10, 10, 9, 9][i]!)).join(''))
  }
  console.log(`${requests} requests; ${compared} times all servers were compared; differences: ${faults.length}`)
  for (const fault of faults) console.log(`  ${fault}`)
}
