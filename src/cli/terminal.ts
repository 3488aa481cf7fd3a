/** Printing. Names and texts come from other people, so a terminal gets them without control characters. */
import { printable } from '../engine/index.ts'
import { codeOf } from '../store/index.ts'

/** Ends the program without an error if the reader of its output has closed the pipe: `nymdex top | head`. */
export function endIfOutputCloses(): void {
  process.stdout.off('error', outputFailed).on('error', outputFailed)
}

function outputFailed(error: Error): void {
  if (codeOf(error) !== 'EPIPE') throw error
  process.exit(0)
}

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
