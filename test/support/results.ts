/** What the reporter wrote. */
import { readFileSync } from 'node:fs'

export interface Result {
  readonly name: string
  readonly passed: boolean
  readonly skipped: boolean
  readonly milliseconds: number
}

const SLOWEST = 10

export function readResults(file: string): readonly Result[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** A file is a suite with the tests in it. */
export function reportSlowest(results: readonly Result[], files: readonly string[]): void {
  const ofFiles = results.filter(({ name }) => files.includes(name))
  const slowest = ofFiles.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST)
  console.log('\nThe slowest files, in seconds:')
  for (const { name, milliseconds } of slowest) {
    console.log(`  ${(milliseconds / 1000).toFixed(1).padStart(6)}  ${name}`)
  }
}
