/** What the address of a comparison says: which sets, and how they are shown. */
import type { Visit } from '../../../http/index.ts'
import type { Kind, Kinds } from '../../kinds/index.ts'

export const VIEWS = ['cross', 'table', 'algebra', 'convergence'] as const
export type View = (typeof VIEWS)[number]

export interface CompareState {
  /** Such as polynym:193. */
  readonly sets: readonly string[]
  readonly view: View
  /** The set whose crossings are offered; the last one by default. */
  readonly near: string
  /** Of the product. */
  readonly offset: number
}

export const MOST_SETS = 20

/** The first twenty sets count, and each once. */
export function readState({ query }: Pick<Visit, 'query'>): CompareState {
  const given = query.all('set').map((each) => each.trim())
  const sets = [...new Set(given.filter((each) => each !== ''))]
  const view = query.get('view')
  const offset = query.get('offset') ?? ''
  return {
    sets: sets.slice(0, MOST_SETS),
    view: VIEWS.find((each) => each === view) ?? 'cross',
    near: query.get('near')?.trim() ?? '',
    offset: /^[0-9]{1,15}$/.test(offset) ? Number(offset) : 0,
  }
}

export const COMPARE = '/compare/'

/** The parameters that name the sets; a colon needs no code in an address. */
export function setsQuery(sets: readonly string[]): string {
  return sets.map((set) => `set=${encodeURIComponent(set).replaceAll('%3A', ':')}`).join('&')
}

export function compareAddress({ sets, view, near, offset }: Partial<CompareState>): string {
  const query = [
    setsQuery(sets ?? []),
    view && view !== 'cross' ? `view=${view}` : '',
    near ? setsQuery([near]).replace('set=', 'near=') : '',
    offset ? `offset=${offset}` : '',
  ]
  const asked = query.filter((each) => each !== '').join('&')
  return asked === '' ? COMPARE : `${COMPARE}?${asked}`
}

/** The kind of a set, and its id. */
export function kindOf(set: string, kinds: Kinds): { readonly kind: Kind; readonly id: string } | undefined {
  const [, name = '', id = ''] = /^([a-z-]+):([0-9]+)$/.exec(set) ?? []
  const kind = kinds.find(name)
  return kind?.isCompared ? { kind, id } : undefined
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRST'

/** The letter of a set in a comparison. */
export function letterOf(place: number): string {
  return LETTERS[place] ?? ''
}
