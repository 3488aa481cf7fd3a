/**
 * Which words of a quadranym are opened, as the address says it: `open=s:73` shows quadranym 73 in place of the
 * subjective word, `open=se:12` quadranym 12 in place of the expansive word of that one.
 */
import type { Visit } from '../../../http/index.ts'

export const NESTED = '/nested/'
/** A picture with more would not help anybody. */
const MOST_OPEN = 40

/** Path of slots -> id of the quadranym shown there. */
export type Opened = ReadonlyMap<string, number>

export interface NestedState {
  readonly id: string
  readonly opened: Opened
}

export function readNestedState({ query }: Pick<Visit, 'query'>): NestedState {
  const given = query.all('open').flatMap((each): [string, number][] => {
    const [, path = '', id] = /^([eros]+):([1-9][0-9]{0,14})$/.exec(each.trim()) ?? []
    return path === '' ? [] : [[path, Number(id)]]
  })
  return { id: query.get('quadranym')?.trim() ?? '', opened: new Map(given.slice(0, MOST_OPEN)) }
}

export function nestedQuery({ id, opened }: NestedState): string {
  const paths = [...opened].toSorted(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
  return [`quadranym=${encodeURIComponent(id)}`, ...paths.map(([path, inside]) => `open=${path}:${inside}`)].join('&')
}

export function nestedAddress(state: NestedState): string {
  return `${NESTED}?${nestedQuery(state)}#picture`
}

export function withOpened({ id, opened }: NestedState, path: string, inside: number): NestedState {
  return { id, opened: new Map([...closedAt(opened, path), [path, inside]]) }
}

/** Everything inside it is closed, too. */
export function withClosed({ id, opened }: NestedState, path: string): NestedState {
  return { id, opened: new Map(closedAt(opened, path)) }
}

function closedAt(opened: Opened, path: string): [string, number][] {
  return [...opened].filter(([each]) => !each.startsWith(path))
}

export function isFull({ opened }: NestedState): boolean {
  return opened.size >= MOST_OPEN
}
