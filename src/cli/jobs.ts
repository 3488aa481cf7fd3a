/** What the server does by itself, as staff see it. */
import type { JobWatch } from '../engine/index.ts'
import type { MeasuredBackups, StaffJob } from '../http/index.ts'
import { counted } from '../language/index.ts'

type State = Omit<StaffJob, 'name'>

export class Jobs {
  readonly #states = new Map<string, () => State | Promise<State>>()

  async list(): Promise<readonly StaffJob[]> {
    return await Promise.all(Array.from(this.#states, async ([name, state]) => ({ name, ...(await state()) })))
  }

  /** A job whose state is looked up when somebody asks. */
  add(name: string, state: () => State | Promise<State>): void {
    this.#states.set(name, state)
  }

  addBackups(backups: MeasuredBackups): void {
    this.add('Backups', async () => {
      const { lastGood, good, damaged } = await backups.measure()
      const failures = backups.failures()
      return {
        state: damaged > 0 || failures > 0 ? 'failed' : 'waiting',
        last: lastGood?.at,
        says: `${good} good, ${damaged} damaged; ${counted(failures, 'failure')} since the start`,
      }
    })
  }

  /** A job of the start, which reports what it changes. */
  checking(name: string, tell: (line: string) => void): (line: string) => void {
    const changes: string[] = []
    const last = new Date().toISOString()
    this.add(name, () => ({ state: 'done', last, says: changes.join('; ') || 'nothing had to change' }))
    return (line) => {
      changes.push(line)
      tell(line)
    }
  }

  /** A job that tells when it begins and ends. Its first run is still to come. */
  watch(name: string): JobWatch {
    const set = (state: State) => this.add(name, () => state)
    set({ state: 'waiting' })
    return {
      began: () => set({ state: 'running' }),
      ended({ failed = false, says, next }) {
        const times = { last: new Date().toISOString(), next: next.toISOString() }
        set({ state: failed ? 'failed' : 'waiting', ...times, says })
      },
    }
  }
}
