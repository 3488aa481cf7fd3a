/** Standard output for the log: a full disk, or a reader that has stopped, neither ends the server nor keeps it waiting. */
import { type DestinationStream, pino } from 'pino'

/** What is kept while nothing can be written. Further lines are left out. */
const MOST_WAITING = 1 << 20
const TRY_AGAIN_MS = 1000
/** When the process ends, it waits this long for a reader that is behind. */
const LAST_WAIT_MS = 1000
/** What a pipe takes in one piece (PIPE_BUF of Linux), so that lines of several processes are not mixed. */
const PIECE = 4096

/** `isShared`: other processes write to the same output. `leftOut` hears how many lines were, once others are written. */
export function logOutput(isShared: boolean, leftOut: (lines: number) => void): DestinationStream {
  let waitsUntil = 0
  const output = pino.destination({
    dest: 1,
    sync: true,
    maxLength: MOST_WAITING,
    ...(isShared ? { maxWrite: PIECE } : {}),
    // A pipe is full. Otherwise the whole process would sleep until there is room.
    retryEAGAIN: () => performance.now() < waitsUntil,
  })
  const writeAgain = () => void output.write('')
  const writeLast = () => {
    waitsUntil = performance.now() + LAST_WAIT_MS
    writeAgain()
  }
  let isStuck = false
  output.on('error', () => {
    if (isStuck) return
    isStuck = true
    const timer = setInterval(writeAgain, TRY_AGAIN_MS).unref()
    process.on('exit', writeLast)
    output.once('drain', () => {
      isStuck = false
      clearInterval(timer)
      process.off('exit', writeLast)
    })
  })
  let lines = 0
  output.on('drop', (text: string) => {
    if (lines === 0) output.once('drain', tell)
    lines += text.split('\n').length - 1
  })
  const tell = () => {
    const count = lines
    lines = 0
    leftOut(count)
  }
  return isShared ? inPieces(output) : output
}

/** Writes as many whole lines at a time as fit in a piece. A longer line is written by itself. */
function inPieces(destination: DestinationStream): DestinationStream {
  return {
    write(lines) {
      let piece = ''
      for (const line of lines.split(/(?<=\n)/)) {
        if (piece !== '' && Buffer.byteLength(piece) + Buffer.byteLength(line) > PIECE) {
          destination.write(piece)
          piece = ''
        }
        piece += line
      }
      if (piece !== '') destination.write(piece)
    },
  }
}
