/** A server makes the boards of the next days a minute after its start, and looks every hour whether some are missing. */
import type { DailyGame } from '../../declare/index.ts'
import type { Engine } from '../engine.ts'
import { type JobWatch, UNWATCHED } from '../job-watch.ts'
import { problemOf } from '../problem.ts'
import { BoardKeeper } from './board-keeper.ts'

const FIRST_MS = 60_000
const EVERY_MS = 60 * 60 * 1000

/** Returns the function that stops it, and waits for a step that is under way. An outage passes; other errors are bugs. */
export function keepBoardsAhead(
  engine: Engine,
  daily: DailyGame,
  failed: (error: unknown) => void,
  watch: JobWatch = UNWATCHED,
): () => Promise<void> {
  const keeper = new BoardKeeper(engine, daily)
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const run = () => {
    watch.began()
    const ended = (isFailed: boolean) =>
      watch.ended({ failed: isFailed, next: new Date(engine.now().getTime() + EVERY_MS) })
    running = keeper
      .fill(stopping.signal)
      .then(() => ended(false))
      .catch((error: unknown) => {
        ended(true)
        if (!stopping.signal.aborted && problemOf(error)?.status !== 503) failed(error)
      })
      .then(() => wait(EVERY_MS))
  }
  const wait = (ms: number) => {
    if (!stopping.signal.aborted) timer = setTimeout(run, ms).unref()
  }
  wait(FIRST_MS)
  return async () => {
    stopping.abort()
    clearTimeout(timer)
    await running
  }
}
