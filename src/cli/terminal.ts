/** Printing. Names and texts come from other people, so a terminal gets them without control characters. */
import { printable } from '../engine/index.ts'
import { codeOf } from '../store/index.ts'

// The reader of the output has closed the pipe: `nymdex top | head`.
process.stdout.on('error', (error) => {
  if (codeOf(error) !== 'EPIPE') throw error
  process.exit(0)
})

/** A line on standard output. */
export function say(line: string): void {
  console.log(shownOn(process.stdout, line))
}

/** A line on standard error. */
export function sayAside(line: string): void {
  console.error(shownOn(process.stderr, line))
}

/** A file or another program gets the text unchanged. */
export function shownOn(stream: { readonly isTTY?: boolean }, text: string): string {
  return stream.isTTY ? printable(text) : text
}
