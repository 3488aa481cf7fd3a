/** Which part of a list a page is. */
import { problems } from './problem.ts'

export interface WantedPage {
  readonly number: number | 'last'
  readonly size: number
}

export interface PagePlace {
  readonly number: number
  readonly last: number
  readonly offset: number
}

/** A page that does not exist is a problem; an empty list has page 1. */
export function placeOf(count: number, { number: wanted, size }: WantedPage): PagePlace {
  const last = lastPage(count, size)
  const number = wanted === 'last' ? last : wanted
  if (!(number >= 1 && number <= last)) throw problems.invalidPage()
  return { number, last, offset: (number - 1) * size }
}

export function lastPage(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / size))
}
