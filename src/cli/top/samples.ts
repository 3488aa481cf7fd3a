/** Metrics as a server shows them, in the text format of Prometheus. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

export class Samples {
  readonly #byName = new Map<string, Sample[]>()
  /** By the monotonic clock, in seconds. */
  readonly at: number

  constructor(text: string, at: number) {
    this.at = at
    for (const line of text.split('\n')) {
      const [, name, labels = '', value] = LINE.exec(line) ?? []
      if (name === undefined) continue
      const known = this.#byName.get(name) ?? []
      known.push({ labels: labelsIn(labels), value: Number(value) })
      this.#byName.set(name, known)
    }
  }

  all(name: string): readonly Sample[] {
    return this.#byName.get(name) ?? []
  }

  /** The sum of all that have these labels; undefined if there are none. */
  sum(name: string, wanted: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.all(name).filter(({ labels }) => Object.entries(wanted).every(([key, is]) => labels[key] === is))
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
  }
}

function labelsIn(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(LABEL), ([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]),
  )
}
