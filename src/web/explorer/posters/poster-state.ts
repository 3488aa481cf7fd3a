/** What the address of a poster says: which set, and how it is drawn. */
import type { Visit } from '../../../http/index.ts'
import type { Kind, Kinds } from '../../kinds/index.ts'
import { kindOf } from '../compare/compare-state.ts'

export const POSTERS = '/posters/'

/** 0 is as many as there are words. */
export const COLUMNS = [0, 3, 5, 8, 12]
export const ROWS = [0, 10, 15, 20, 30]
export const DEPTHS = [0, 1, 2, 3]
const MOST_SHEETS = 10

export interface PosterState {
  readonly kind: Kind
  readonly id: string
  /** Of the pattern of a polynym. */
  readonly columns: number
  readonly rows: number
  /** How many times the words of a quadranym are opened. */
  readonly depth: number
  /** Which part of a set of many sets, from 1. */
  readonly sheet: number
  /** Whether the name is above the picture. */
  readonly isNamed: boolean
}

/** Undefined if the address names no set. */
export function readPosterState({ query }: Pick<Visit, 'query'>, kinds: Kinds): PosterState | undefined {
  const known = kindOf(query.get('set')?.trim() ?? '', kinds)
  if (!known) return undefined
  const chosen = (name: string, among: readonly number[], otherwise: number) => {
    const given = query.get(name)?.trim()
    return among.find((each) => String(each) === given) ?? otherwise
  }
  return {
    ...known,
    columns: chosen('columns', COLUMNS, 5),
    rows: chosen('rows', ROWS, 15),
    depth: chosen('depth', DEPTHS, 1),
    sheet: chosen('sheet', sheetsUpTo(MOST_SHEETS), 1),
    isNamed: query.get('name') !== 'no',
  }
}

export function sheetsUpTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1)
}

/** Only what differs from the usual poster. */
export function posterQuery({ kind, id, columns, rows, depth, sheet, isNamed }: PosterState): string {
  const parts = [
    `set=${kind.name}:${id}`,
    columns !== 5 && `columns=${columns}`,
    rows !== 15 && `rows=${rows}`,
    depth !== 1 && `depth=${depth}`,
    sheet !== 1 && `sheet=${sheet}`,
    !isNamed && 'name=no',
  ]
  return parts.filter(Boolean).join('&')
}
