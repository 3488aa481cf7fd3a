/** Progress of a long command: one moving line at a terminal, a plain line now and then elsewhere. */
import { shownOn } from './terminal.ts'

const REDRAW_MS = 100
const PLAIN_MS = 10_000
const BAR = 24

interface State {
  /** What is being worked on. */
  readonly title: string
  /** Records so far. */
  readonly records: number
  /** From 0 to 1; undefined if the total is unknown. */
  readonly part: number | undefined
}

export class ProgressLine {
  readonly #stream: NodeJS.WriteStream
  /** The first value shown of a rising count; rate and time left are computed from it. */
  #first: (State & { readonly at: number }) | undefined
  #last = 0
  #told = Date.now()
  #drawn = false

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream
  }

  show(state: State): void {
    const now = Date.now()
    if (!this.#first || state.records < this.#last) this.#first = { ...state, at: now }
    this.#last = state.records
    if (now - this.#told < (this.#stream.isTTY ? REDRAW_MS : PLAIN_MS)) return
    this.#told = now
    const line = describe(state, this.#first, (now - this.#first.at) / 1000)
    if (!this.#stream.isTTY) {
      this.#stream.write(`${line}\n`)
      return
    }
    this.#stream.write(`\r\x1b[K${shownOn(this.#stream, line).slice(0, (this.#stream.columns || 80) - 1)}`)
    this.#drawn = true
  }

  /** A line that stays, above the moving one. */
  say(line: string): void {
    this.clear()
    this.#stream.write(`${shownOn(this.#stream, line)}\n`)
  }

  clear(): void {
    if (this.#drawn) this.#stream.write('\r\x1b[K')
    this.#drawn = false
  }
}

function describe({ title, records, part }: State, first: State, seconds: number): string {
  const rate = seconds > 0 ? `, ${Math.round((records - first.records) / seconds).toLocaleString('en')}/s` : ''
  const count = `${records.toLocaleString('en')} records${rate}`
  if (part === undefined || part <= 0) return `${title}  ${count}`
  const filled = Math.round(Math.min(part, 1) * BAR)
  const bar = '#'.repeat(filled).padEnd(BAR, '.')
  const done = part - (first.part ?? 0)
  const left = done > 0 ? `, ${duration(Math.max(0, (seconds * (1 - part)) / done))} left` : ''
  return `${title}  [${bar}] ${Math.min(100, Math.floor(part * 100))} %  ${count}${left}`
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
