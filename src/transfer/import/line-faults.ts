import { Problem, problems } from '../../engine/index.ts'
import type { Work } from '../../store/index.ts'

/** Faults of a line name its rank. */
export function* inLine<T>(rank: number, put: () => Work<T>): Work<T> {
  try {
    return yield* put()
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error
    const faults = Object.entries(error.body).map(([member, messages]) => `${member}: ${[messages].flat().join(' ')}`)
    throw problems.invalid({ lines: faults.map((fault) => `Line ${rank}, ${fault}`) })
  }
}
