/**
 * Runs several test files in one process, one after another: a process for each would load the program again, and
 * compile again what the files before it had made fast. Hooks of a file stay its own.
 */
import { appendFileSync } from 'node:fs'
import { after, before, describe } from 'node:test'
import './quick-imports.js'
import { processorTime } from './processor-time.ts'
import { TIMES } from './results.ts'
import { stopTracking } from './tracking.ts'

/** Many times what the longest file takes: a test that waits for ever ends the run, which names its file. */
const FILE_LIMIT_MS = 10 * 60_000

const closers: (() => Promise<void>)[] = []

export function runGroup(files: readonly { readonly name: string; readonly address: string }[]): void {
  let loading = files.length
  for (const { name, address } of files) {
    describe(name, async () => {
      let began: number | undefined
      let limit: NodeJS.Timeout | undefined
      before(() => {
        began = processorTime()
        limit = setTimeout(() => giveUp(name), FILE_LIMIT_MS)
      })
      await import(address)
      after(() => {
        clearTimeout(limit)
        note(name, began)
      })
      if (--loading === 0) stopTracking()
    })
  }
  after(async () => {
    for (const close of closers) await close()
  })
}

function giveUp(name: string): never {
  console.error(`${name} has not ended in time. The process waits for: ${process.getActiveResourcesInfo().join(', ')}`)
  process.exit(1)
}

function note(name: string, began: number | undefined): void {
  const [file, ended] = [process.env[TIMES], processorTime()]
  if (file === undefined || began === undefined || ended === undefined) return
  appendFileSync(file, `${JSON.stringify({ name, seconds: ended - began })}\n`)
}

/** Closes what the files of a process share, when the last has ended. */
export function atEnd(close: () => Promise<void>): void {
  closers.push(close)
}
