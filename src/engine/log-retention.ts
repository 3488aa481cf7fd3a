/**
 * How long the log is kept. Entries that are too old are removed, the oldest first. Votes are compacted: of all that one
 * user gave and took back on one record, the last entry stays, so that a client that reads the rest still ends with the
 * right votes. The first and the last entry of the log always stay: they are its bounds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LogHead, Work } from '../store/index.ts'
import type { Engine } from './engine.ts'
import { type JobWatch, UNWATCHED } from './job-watch.ts'

/** In days; undefined for ever. */
export interface Retention {
  readonly entries: number | undefined
  /** After how many days votes are compacted. */
  readonly votes: number | undefined
}

export interface Kept {
  readonly removed: number
  readonly compacted: number
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Entries read at once, and entries deleted in one transaction. */
const SPAN = 1000
const AT_ONCE = 500
/** Others get their turn between two steps. */
const PAUSE_MS = 5
/** How many votes are remembered while the log is read; beyond it, some that could go stay. */
const MOST_VOTES = 200_000

/** Goes through the log once, in small steps. Processes may do it at the same time. `signal` ends it early. */
export async function keepLog(engine: Engine, { entries, votes }: Retention, signal?: AbortSignal): Promise<Kept> {
  const before = (days: number) => new Date(engine.now().getTime() - days * DAY_MS).toISOString()
  const removed = entries === undefined ? 0 : await removeBefore(engine, before(entries), signal)
  const compacted = votes === undefined ? 0 : await compactVotes(engine, before(votes), signal)
  return { removed, compacted }
}

async function removeBefore(engine: Engine, time: string, signal: AbortSignal | undefined): Promise<number> {
  const { store } = engine
  const newest = await store.read(() => newestSet(engine))
  let removed = 0
  for (;;) {
    const heads = await store.read(() => store.logKeeping.heads(0, AT_ONCE))
    const old = heads.findIndex(({ at, set }) => at >= time || set >= newest)
    const seqs = wholeSets(old < 0 ? heads : heads.slice(0, old), old < 0)
    if (seqs.length === 0 || signal?.aborted) return removed
    await store.write(() => store.logKeeping.remove(seqs))
    removed += seqs.length
    await sleep(PAUSE_MS)
  }
}

/** Up to the end of a set, unless a set is all there is. The last set may continue if there are more entries. */
function wholeSets(heads: readonly LogHead[], mayContinue: boolean): number[] {
  const last = heads.at(-1)?.set
  const whole = mayContinue ? heads.filter(({ set }) => set !== last) : heads
  return (whole.length > 0 ? whole : heads).map(({ seq }) => seq)
}

function* newestSet({ store }: Engine): Work<number> {
  const { latest } = yield* store.changes.bounds()
  const [newest] = yield* store.logKeeping.heads(latest - 1, 1)
  return newest?.set ?? 0
}

async function compactVotes(engine: Engine, time: string, signal: AbortSignal | undefined): Promise<number> {
  const { store } = engine
  const { oldest } = await store.read(() => store.changes.bounds())
  const last = new Map<string, number>()
  const superseded: number[] = []
  let compacted = 0
  const removeSome = async (seqs: readonly number[]) => {
    await store.write(() => store.logKeeping.remove(seqs))
    compacted += seqs.length
  }
  for (let after = 0; !signal?.aborted; ) {
    const heads = await store.read(() => store.logKeeping.heads(after, SPAN))
    for (const { seq, at, vote } of heads) {
      if (vote === undefined || at >= time) continue
      const earlier = last.get(vote)
      if (earlier !== undefined && earlier !== oldest) superseded.push(earlier)
      if (earlier === undefined && last.size >= MOST_VOTES) last.clear()
      last.set(vote, seq)
    }
    const end = heads.at(-1)
    const isLast = !end || end.at >= time
    while (superseded.length >= (isLast ? 1 : AT_ONCE)) await removeSome(superseded.splice(0, AT_ONCE))
    if (isLast) break
    after = end.seq
    await sleep(PAUSE_MS)
  }
  return compacted
}

/** A server does it soon after its start, and then once a day. */
const FIRST_MS = 60_000

interface Schedule {
  readonly firstMs?: number
  /** Called with what was done, if something was, and with what went wrong; the next run tries again. */
  done(kept: Kept): void
  failed(error: unknown): void
  readonly watch?: JobWatch
}

/** Returns the function that stops it, and waits for a step that is under way. */
export function keepLogDaily(
  engine: Engine,
  retention: Retention,
  { firstMs = FIRST_MS, done, failed, watch = UNWATCHED }: Schedule,
): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    watch.began()
    const ended = (result: { failed?: boolean; says?: string }) =>
      watch.ended({ ...result, next: new Date(engine.now().getTime() + DAY_MS) })
    running = keepLog(engine, retention, stopping.signal)
      .then(
        (kept) => {
          if (kept.removed + kept.compacted > 0) done(kept)
          ended({ says: `${kept.removed + kept.compacted} entries removed` })
        },
        (error: unknown) => {
          failed(error)
          ended({ failed: true })
        },
      )
      .then(() => wait(DAY_MS))
  }
  const wait = (ms: number) => {
    if (!stopping.signal.aborted) timer = setTimeout(run, ms).unref()
  }
  let timer: NodeJS.Timeout | undefined
  if (retention.entries !== undefined || retention.votes !== undefined) wait(firstMs)
  return async () => {
    stopping.abort()
    clearTimeout(timer)
    await running
  }
}
