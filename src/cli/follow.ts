/** nymdex follow: keeps a database an exact copy of another server. nymdex promote: ends that. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Following } from '../http/index.ts'
import { endFollowing, isWholeCopy, readFollowState } from '../store/index.ts'
import { Follower, Unreachable } from '../transfer/index.ts'
import { atDesk, Mistake } from './desk.ts'
import { ProgressLine } from './progress.ts'
import { say } from './terminal.ts'

export function addFollow(program: Command): void {
  program
    .command('follow <url>')
    .description('Make the database an exact copy of the server at the address, and keep it one until stopped.')
    .option('--once', 'stop when the copy has caught up')
    .option('--into <url>', 'the database: sqlite:PATH or postgres://... [DATABASE_URL]')
    .action((url: string, options: { once?: true; into?: string }, command: Command) => {
      if (options.into) command.setOptionValue('databaseUrl', options.into)
      return atDesk(command, ({ engine }) => follow(engine, url, options.once === true), { mayCreate: true })
    })
  program
    .command('promote')
    .description('Make a copy the master: it no longer follows, and accepts writes. Stop the source first.')
    .option('--keep-log', 'clients that follow the log of the source can continue here: only if nothing is missing')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action((options: { keepLog?: true }, command: Command) =>
      atDesk(command, async ({ engine: { store } }) => {
        const state = await store.read(readFollowState)
        if (!state) throw new Mistake('the database is no copy of another server')
        if (!isWholeCopy(state)) {
          throw new Mistake(`the first copy of ${state.source} is not complete: run nymdex follow --once first`)
        }
        await store.write(() => endFollowing({ keepLog: options.keepLog === true }))
        say(`the database no longer follows ${state.source}; its log ends at ${state.seq}`)
      }),
    )
}

type Engine = ConstructorParameters<typeof Follower>[0]

async function follow(engine: Engine, url: string, once: boolean): Promise<void> {
  const stop = new AbortController()
  const line = new ProgressLine()
  let isCaughtUp = false
  const stopNow = () => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopNow)
  const follower = new Follower(engine, url, {
    once,
    signal: stop.signal,
    onNote: (text) => line.say(text),
    onProgress({ what, done, total }) {
      const { isWhole, behind } = follower.status
      if (!isWhole || behind !== 0) line.show({ title: what, records: done, part: total ? done / total : undefined })
      else if (!isCaughtUp) line.say(`caught up at entry ${done}`)
      isCaughtUp = isWhole && behind === 0
    },
  })
  try {
    await follower.run()
    const state = await engine.store.read(readFollowState)
    line.clear()
    if (state && !state.copying) say(`${state.source} is copied up to entry ${state.seq}`)
    else say(`stopped before the first copy was complete: the same command continues it`)
  } catch (error) {
    throw error instanceof Unreachable ? new Mistake(error.message) : error
  } finally {
    line.clear()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stopNow)
  }
}

interface Lines {
  info(line: string): void
  warn(line: string): void
  error(line: string): void
}

interface RunningFollower extends Following {
  stop(): Promise<void>
}

/** How long until it tries again after a failure that trying again may not mend. */
const PAUSE_MS = 30_000

/** Follows in the background. Undefined if the server is no copy; throws if its database says otherwise. */
export async function startFollowing(
  engine: Engine,
  url: string | undefined,
  log: Lines,
): Promise<RunningFollower | undefined> {
  const state = await engine.store.read(readFollowState)
  if (url === undefined) {
    if (!state) return undefined
    throw new Mistake(
      `the database is a copy of ${state.source}: serve it with --follow ${state.source}, or end that with nymdex promote`,
    )
  }
  const stopping = new AbortController()
  const { signal } = stopping
  let told = ''
  const follower = new Follower(engine, url, {
    signal,
    onNote: (line) => log.warn(line),
    onProgress({ what }) {
      const { isWhole, behind } = follower.status
      const now = isWhole ? (behind === 0 ? 'caught up' : 'catching up') : `copying ${what}`
      if (now !== told) log.info(`following ${follower.source}: ${now}`)
      told = now
    },
  })
  const run = async () => {
    while (!signal.aborted) {
      try {
        await follower.run()
      } catch (error) {
        log.error(error instanceof Error ? error.message : String(error))
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
      }
    }
  }
  const ended = run()
  return {
    source: follower.source,
    get status() {
      return follower.status
    },
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
