/** /compare/random/: sets at random, or two that cross; sets that the address names stay. */
import type { PageAnswer } from '../../../http/index.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Shown } from '../../kinds/index.ts'
import { COMPARE, compareAddress, MOST_SETS, readState } from './compare-state.ts'

/** Not every set crosses another one. */
const TRIES = 8

export const randomSetsPage: ExplorerPage = { path: `${COMPARE}random/`, title: 'Random sets', GET: pick }

async function pick(visit: ExplorerVisit): Promise<PageAnswer> {
  const { sets } = readState(visit)
  const wanted = Number(visit.query.get('n') ?? 0)
  const most = Number.isInteger(wanted) && wanted > sets.length ? wanted : Math.max(2, sets.length + 1)
  const kinds = visit.kinds.all.filter(({ hasTerms }) => hasTerms)
  if (visit.query.get('crossing') && sets.length === 0) {
    const crossing = await twoThatCross(visit, kinds)
    if (crossing) return { location: compareAddress({ sets: crossing }) }
  }
  const chosen = new Set(sets)
  for (let tries = 0; tries < MOST_SETS && chosen.size < Math.min(most, MOST_SETS); tries++) {
    const kind = kinds[Math.floor(Math.random() * kinds.length)]
    const record = kind && (await draw(visit, kind))
    if (kind && record) chosen.add(codeOf(kind.name, record))
  }
  return { location: compareAddress({ sets: [...chosen] }) }
}

async function twoThatCross(visit: ExplorerVisit, kinds: readonly Kind[]): Promise<string[] | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const kind = kinds[tries % kinds.length]
    const record = kind && (await draw(visit, kind))
    if (!record) continue
    const { json } = await visit.ask(`/api/crossings/?${kind.name}=${record[`${kind.name}_id`]}&page_size=1`)
    const [other] = json?.results ?? []
    if (other) return [codeOf(kind.name, record), codeOf(other.resource, other.record)]
  }
  return undefined
}

async function draw(visit: ExplorerVisit, { name }: Kind): Promise<Shown | undefined> {
  const { status, json } = await visit.ask(`/api/${name}/random/`)
  return status === 200 ? json : undefined
}

function codeOf(kind: string, record: Shown): string {
  return `${kind}:${record[`${kind}_id`]}`
}
