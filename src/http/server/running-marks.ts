/** Which request runs, for the watch of the event loop. */
import { currentRequest, type Store } from '../../store/index.ts'

/** Says which request runs: it is marked when it begins to use the store, and when it continues afterwards. */
export class RunningMarks {
  #mark: (id: string | undefined) => void = () => {}

  tell(mark: (id: string | undefined) => void): void {
    this.#mark = mark
  }

  watch(store: Store): Store {
    const marked = async <T>(task: () => Promise<T>): Promise<T> => {
      const id = currentRequest()?.id
      this.#mark(id)
      try {
        return await task()
      } finally {
        this.#mark(id)
      }
    }
    return {
      ...store,
      read: (work, seconds) => marked(() => store.read(work, seconds)),
      readAt: (work, seconds) => marked(() => store.readAt(work, seconds)),
      write: (work, footprint) => marked(() => store.write(work, footprint)),
    }
  }
}
