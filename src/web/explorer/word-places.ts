/** Where a word is used, as the API says: in which sets, in which slot, how it is written, and what contains these sets. */
import { baseForms } from '../../language/index.ts'
import type { ExplorerVisit, Kind, Kinds, Shown, Use } from '../kinds/index.ts'

/** One place of a word: a slot of a record. */
export interface Place {
  /** n, e, r, o, s, or p for a word of a polynym. */
  readonly slot: string
  readonly kind: Kind
  readonly record: Shown
  /** The word as this record writes it. */
  readonly text: string
}

/** The same for every mention of a record. */
export function keyOf({ name }: Kind, record: Shown): string {
  return `${name} ${record[`${name}_id`]}`
}

/** The order in which slots are shown. */
export const SLOT_ORDER = ['n', 'e', 'r', 'o', 's', 'p'] as const

export function placesOf(sets: readonly Shown[], kinds: Kinds): Place[] {
  const places = sets.map(({ resource, slot, record }): Place => {
    const kind = kinds.get(resource)
    return {
      slot: slot === kind.nameMember ? 'n' : /^[eros]$/.test(slot) ? slot : 'p',
      kind,
      record,
      text: String(record[slot] ?? ''),
    }
  })
  return SLOT_ORDER.flatMap((slot) => places.filter((place) => place.slot === slot))
}

/** How the sets write the word, the most frequent spelling first; names often begin with a capital for no other reason. */
export function spellingsIn(places: readonly Place[]): string[] {
  const counts = new Map<string, { count: number; inSlots: number }>()
  for (const { text, slot } of places) {
    const { count, inSlots } = counts.get(text) ?? { count: 0, inSlots: 0 }
    counts.set(text, { count: count + 1, inSlots: inSlots + (slot === 'n' ? 0 : 1) })
  }
  return [...counts]
    .filter(([text]) => text !== '')
    .sort(([a, x], [b, y]) => y.count - x.count || y.inSlots - x.inSlots || (a < b ? 1 : -1))
    .map(([text]) => text)
}

/** As the API compares terms. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()
}

export interface Gathered {
  readonly kind: Kind
  readonly count: number
  readonly records: readonly Shown[]
}

const MOST_GATHERED = 12
/** The page can do without what takes too long. */
const OPTIONAL = { isOptional: true } as const

/**
 * What contains the sets: polysets, vectornyms, polymaps, quadrasets, and the stories and tales that are told with a
 * topic of this name. Texts are not here, because the API looks for the word in them.
 */
export async function gatheredFrom(visit: ExplorerVisit, places: readonly Place[]): Promise<Gathered[]> {
  const { kinds } = visit
  const asked = [...new Set(places.map(({ kind }) => kind))].flatMap((kind) =>
    kind.uses
      .filter((use) => !kinds.get(use.kind).textOf)
      .map((use) => {
        const told = kinds.get(use.kind).lineOf !== undefined
        const here = places.filter((place) => place.kind === kind && (!told || place.slot === 'n'))
        return using(visit, use, [...new Set(here.map(({ record }) => Number(record[`${kind.name}_id`])))])
      }),
  )
  return (await Promise.all(asked)).filter(({ records }) => records.length > 0)
}

async function using(visit: ExplorerVisit, { kind: name, by }: Use, ids: readonly number[]): Promise<Gathered> {
  const kind = visit.kinds.get(name)
  const { lineOf } = kind
  const shown = lineOf ? visit.kinds.get(lineOf.kind) : kind
  if (ids.length === 0) return { kind: shown, count: 0, records: [] }
  const answers = await Promise.all(
    by.map((member) => visit.ask(`/api/${name}/?${member}__in=${ids}&page_size=${MOST_GATHERED}`, OPTIONAL)),
  )
  const found = answers.flatMap(({ status, json }): Shown[] => (status === 200 ? json.results : []))
  const records = found.map((record): Shown => (lineOf ? record[lineOf.member] : record))
  const once = new Map(records.map((record) => [record[`${shown.name}_id`], record]))
  const count = answers.reduce((sum, { status, json }) => sum + (status === 200 ? Number(json.count) : 0), 0)
  return { kind: shown, count: count - (records.length - once.size), records: [...once.values()] }
}

const MOST_FORMS = 4

/** The word that this one is a form of, if more sets have that: fire for fires. */
export async function lemmaOf(visit: ExplorerVisit, word: string, count: number): Promise<string | undefined> {
  const own = word.trim().toLowerCase()
  const others = baseForms(own)
    .filter((form) => form !== own)
    .slice(0, MOST_FORMS)
  const withTerms = visit.kinds.all.filter(({ hasTerms }) => hasTerms)
  const counts = await Promise.all(
    others.map(async (form) => {
      const lists = await Promise.all(
        withTerms.map(({ name }) => visit.ask(`/api/${name}/?term=${encodeURIComponent(form)}&page_size=1`, OPTIONAL)),
      )
      return lists.reduce((sum, { status, json }) => sum + (status === 200 ? Number(json.count) : 0), 0)
    }),
  )
  const most = Math.max(0, ...counts)
  return most > count ? others[counts.indexOf(most)] : undefined
}
