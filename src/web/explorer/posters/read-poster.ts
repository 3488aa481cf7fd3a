/** The poster of a set: a pattern of words, a quadranym with its words opened, or many sets on cards. */
import type { Visit } from '../../../http/index.ts'
import type { Kinds, Shown } from '../../kinds/index.ts'
import {
  cards,
  type Drawing,
  drawNamedPolynym,
  drawNest,
  drawPoster,
  drawSmallQuadranym,
  drawTile,
  type FourTerms,
  type PosterBody,
  polynymOf,
  scaled,
} from '../../pictures/index.ts'
import { attributionOf } from '../../texts/attribution.ts'
import { readNest } from '../nested/read-nest.ts'
import { type PosterState, readPosterState } from './poster-state.ts'

/** More would be too small to read. */
const SHEET = 40
const MOST_LINES = 7

export interface ReadPoster {
  readonly state: PosterState
  readonly name: string
  readonly label: string
  readonly isLying: boolean
  readonly sheets: number
  /** The file. */
  draw(): string
}

/** Undefined if there is no such set. */
export async function readPoster(
  visit: Pick<Visit, 'ask' | 'query' | 'base'> & { readonly kinds: Kinds },
): Promise<ReadPoster | undefined> {
  const state = readPosterState(visit, visit.kinds)
  if (!state) return undefined
  const { kind, id, isNamed } = state
  const { status, json: record } = await visit.ask(`/api/${kind.name}/${id}/`)
  const drawing: Drawing | undefined = status === 200 ? kind.draw?.(record) : undefined
  if (!drawing) return undefined
  const sheets = Math.max(1, Math.ceil((record.polynyms ?? record.quadranyms ?? []).length / SHEET))
  const shown = { ...state, sheet: Math.min(state.sheet, sheets) }
  const body = await bodyOf(visit, shown, record, drawing)
  const name = kind.nameOf(record)
  const head = {
    // A vectornym is drawn as a table with its name above.
    title: isNamed && kind.name !== 'vectornym' ? name : '',
    note: [kind.one, record.area, attributionOf(record, false)].filter(Boolean).join(' · '),
    address: `${visit.base.replace(/^https?:\/\//, '')}${kind.addressOf(record)}`,
    label: drawing.label,
  }
  return {
    state: shown,
    name,
    label: drawing.label,
    isLying: body.isLying,
    sheets,
    draw: () => drawPoster(head, body),
  }
}

async function bodyOf(
  visit: Pick<Visit, 'ask'>,
  { kind, id, columns, rows, depth, sheet }: PosterState,
  record: Shown,
  drawing: Drawing,
): Promise<PosterBody> {
  const [from, to] = [(sheet - 1) * SHEET, sheet * SHEET]
  if (kind.name === 'polynym') {
    const { terms } = polynymOf(record)
    return drawTile(terms, columns || terms.length, rows || terms.length)
  }
  if (kind.name === 'quadranym') return scaled((await quadratile(visit, id, depth)) ?? drawing)
  if (kind.name === 'polyset') {
    return cards(record['polynyms'].slice(from, to).map((each: Shown) => drawNamedPolynym(each, MOST_LINES)))
  }
  if (kind.name === 'quadraset') {
    return cards(record['quadranyms'].slice(from, to).map((each: FourTerms) => drawSmallQuadranym(each)))
  }
  return scaled(drawing)
}

/** Each step opens every word that can be opened. Undefined if there is none. */
async function quadratile(visit: Pick<Visit, 'ask'>, id: string, depth: number): Promise<Drawing | undefined> {
  let opened = new Map<string, number>()
  let read = await readNest(visit, { id, opened })
  for (let level = 0; read && level < depth && read.all.opened.size > opened.size; level++) {
    opened = new Map(read.all.opened)
    read = await readNest(visit, { id, opened })
  }
  return read && opened.size > 0 ? drawNest(read.nest) : undefined
}
