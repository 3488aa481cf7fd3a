/** A page for a visit: what every page of the explorer takes from it. */
import { hereOf } from './addresses.ts'
import type { ExplorerVisit } from './kinds/index.ts'
import { type Layout, layout } from './layout.ts'

type FromVisit = 'kinds' | 'csrf' | 'user' | 'here' | 'base'

export function visitPage(visit: ExplorerVisit, page: Omit<Layout, FromVisit>): string {
  const { kinds, csrf, visitor, base } = visit
  return layout({ kinds, csrf, user: visitor?.name, here: hereOf(visit), base, ...page })
}
