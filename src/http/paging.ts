/** Links between pages: the request's own address with another page, which is always named. */
import type { Page } from '../engine/index.ts'
import type { Request } from './message.ts'

interface PageLinks {
  readonly first: string
  readonly prev?: string
  readonly next?: string
  readonly last: string
}

export function pageLinks({ base, path, query }: Request): (page: Pick<Page, 'number' | 'last'>) => PageLinks {
  const start = `${base}${path}?`
  const withPage = query.withEach('page')
  const to = (page: number) => start + withPage(page)
  return ({ number, last }) => ({
    first: to(1),
    ...(number > 1 ? { prev: to(number - 1) } : {}),
    ...(number < last ? { next: to(number + 1) } : {}),
    last: to(last),
  })
}
