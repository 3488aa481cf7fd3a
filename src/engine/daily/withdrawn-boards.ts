/**
 * Boards of records that staff hide. Those of days that have not begun anywhere are dropped, so that others are made. Those
 * that somebody may have played are withdrawn: nobody is shown their words, and the results of players stay.
 */
import type { Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { Problem } from '../problem.ts'
import { lastOpenDay } from './days.ts'

/** `ids` are of records that were hidden, or are shown again. */
export function* hideFromBoards(
  { store, now }: Engine,
  resource: string,
  ids: readonly number[],
  isHidden: boolean,
): Work<void> {
  const places = new Set(ids.map((id) => `${resource}/${id}`))
  if (isHidden) yield* store.boards.dropFrom(places, lastOpenDay(now()))
  yield* store.boards.setWithdrawn(places, isHidden)
}

export const boardWithdrawn = (status: 404 | 409) =>
  new Problem(status, { detail: 'The board of this day was withdrawn.' })
