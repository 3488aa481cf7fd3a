/** What the server does by itself, as staff see it. */
import type { JobWatch } from '../engine/index.ts'
import type { StaffJob } from '../http/index.ts'

type State = Omit<StaffJob, 'name'>

export class Jobs {
  readonly #states = new Map<string, () => State>()

  list(): readonly StaffJob[] {
    return Array.from(this.#states, ([name, state]) => ({ name, ...state() }))
  }

  /** A job whose state is looked up when somebody asks. */
  add(name: string, state: () => State): void {
    this.#states.set(name, state)
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
