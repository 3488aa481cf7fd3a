/**
 * Runs several test files in one process, one after another: a process for each would load the program again, and
 * compile again what the files before it had made fast. Hooks of a file stay its own.
 */
import { after, describe } from 'node:test'

const closers: (() => Promise<void>)[] = []

export function runGroup(files: readonly { readonly name: string; readonly address: string }[]): void {
  for (const { name, address } of files) {
    describe(name, async () => {
      await import(address)
    })
  }
  after(async () => {
    for (const close of closers) await close()
  })
}

/** Closes what the files of a process share, when the last has ended. */
export function atEnd(close: () => Promise<void>): void {
  closers.push(close)
}
