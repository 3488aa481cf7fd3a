/** Metrics as Prometheus reads them. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'

interface Family {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly metrics: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value?: string }[]
}

// The parser has no types.
const parse: (text: string) => Family[] = createRequire(import.meta.url)('parse-prometheus-text-format')

/** By name. */
export async function metricsAt(address: string): Promise<ReadonlyMap<string, Family>> {
  const response = await fetch(address)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  return metricsIn(text)
}

/** By name. */
export function metricsIn(text: string): ReadonlyMap<string, Family> {
  return new Map(parse(text).map((family) => [family.name, family]))
}

/** The value with these labels; of a metric without labels, its one value. */
export function metricValue(
  family: Family | undefined,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = family?.metrics.find((each) =>
    Object.entries(labels).every(([name, value]) => each.labels?.[name] === value),
  )
  return found?.value === undefined ? undefined : Number(found.value)
}
