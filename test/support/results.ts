/** What the reporter wrote. */
import { existsSync, readFileSync } from 'node:fs'

export interface Result {
  readonly name: string
  readonly passed: boolean
  readonly skipped: boolean
  readonly milliseconds: number
}

/** The environment names the file of these lines. */
export const TIMES = 'NYMDEX_TEST_TIMES'

/** The processor time that a test file took. */
export interface Time {
  readonly name: string
  readonly seconds: number
}

const SLOWEST = 10

export const readResults = (file: string): readonly Result[] => readLines(file)

export const readTimes = (file: string): readonly Time[] => readLines(file)

function readLines<Line>(file: string): readonly Line[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** A file is a suite with the tests in it. `times` says how much processor time each took, where the system tells. */
export function reportSlowest(results: readonly Result[], files: readonly string[], times: readonly Time[]): void {
  const rows = results
    .filter(({ name }) => files.includes(name))
    .map(({ name, milliseconds }) => {
      const waited = milliseconds / 1000
      return { name, waited, used: times.find((time) => time.name === name)?.seconds ?? waited }
    })
    .toSorted((a, b) => b.used - a.used)
  const total = rows.reduce((sum, { used }) => sum + used, 0)
  console.log(`\nThe slowest files, in seconds of processor time (of ${total.toFixed(0)} in all) and in seconds:`)
  for (const { name, used, waited } of rows.slice(0, SLOWEST)) {
    console.log(`  ${used.toFixed(1).padStart(6)} ${waited.toFixed(1).padStart(6)}  ${name}`)
  }
}
