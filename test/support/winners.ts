/** Winners: no sample catalogue has them, because they come from games. */
import { readFileSync } from 'node:fs'
import type { Sent } from './site.ts'

/** Whatever answers requests. */
interface Asked {
  ask(path: string, sent: Sent): Promise<{ readonly status: number; readonly text: string }>
}

export const WINNERS: readonly Record<string, unknown>[] = readFileSync('test/fixtures/winners.ndjson', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))

/** Creates them in the order of the file, so that the n-th has id n. */
export async function addWinners(site: Asked): Promise<void> {
  for (const json of WINNERS) {
    const { status, text } = await site.ask('/api/winner/', { method: 'POST', as: 'staff', json })
    if (status !== 201) throw new Error(text)
  }
}
