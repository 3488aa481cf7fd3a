/** Which operations of the OpenAPI document the tests have seen succeed: each process records its own. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Where the processes of a run write, and where the first of them leaves the document for the others. */
export const OPERATIONS = 'NYMDEX_TEST_OPERATIONS'
export const DOCUMENT = 'NYMDEX_TEST_DOCUMENT'

const exercised = new Set<string>()
let listed: readonly string[] = []

export function noteOperations(operations: readonly string[]): void {
  listed = operations
}

export function noteExercised(operation: string): void {
  exercised.add(operation)
}

process.once('exit', () => {
  const file = process.env[OPERATIONS]
  if (!file || listed.length === 0) return
  const lines = [...listed.map((each) => `listed ${each}`), ...Array.from(exercised, (each) => `seen ${each}`)]
  appendFileSync(file, `${lines.join('\n')}\n`)
})

/** False if one is missing. */
export function reportOperations(file: string): boolean {
  const lines = existsSync(file) ? new Set(readFileSync(file, 'utf8').split('\n')) : new Set<string>()
  const all = [...lines].filter((line) => line.startsWith('listed ')).map((line) => line.slice('listed '.length))
  const missing = all.filter((operation) => !lines.has(`seen ${operation}`))
  console.log(`Operations in the OpenAPI document: ${all.length}, exercised: ${all.length - missing.length}`)
  for (const operation of missing) console.log(`  not exercised: ${operation}`)
  return all.length > 0 && missing.length === 0
}
