/** Counts the statements that a server sends to its database. */
import type { Database, Work } from '../../src/store/index.ts'

export class StatementCounter {
  count = 0

  watch = (database: Database): Database => {
    const counter = this
    const counted = <T, Given extends unknown[]>(work: (...given: Given) => Work<T>) =>
      function* (...given: Given): Work<T> {
        const steps = work(...given)
        let step = steps.next()
        while (!step.done) {
          const rows = yield step.value
          // One that was not sent has no answer.
          counter.count++
          step = steps.next(rows)
        }
        return step.value
      }
    const { readNow } = database
    return {
      ...database,
      ...(readNow ? { readNow: (work, seconds) => readNow(counted(work), seconds) } : {}),
      read: (work) => database.read(counted(work)),
      readAt: (work) => database.readAt(counted(work)),
      write: (work, footprint) => database.write(counted(work), footprint),
    }
  }
}
