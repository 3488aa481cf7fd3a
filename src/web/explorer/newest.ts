/**
 * What is new, for the front page: mixed by kind and by person, so that nobody fills the list alone. It reads a few
 * records of each kind, however many there are.
 */
import type { Timed } from '../../http/index.ts'
import { personAddress } from '../addresses.ts'
import { exactTime } from '../history/when.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { shortened } from '../texts/marked.ts'
import { dayNumber } from '../today.ts'

/** How many records of each kind are looked at. */
const LOOKED_AT = 8
const SHOWN = 8
const MOST_BY_PERSON = 2
const LONGEST_NAME = 70

/** The newest records of a kind, and how many it has in all. */
export interface Latest {
  readonly kind: Kind
  readonly count: number
  readonly records: readonly Shown[]
}

export async function latestOf(visit: ExplorerVisit, kind: Kind): Promise<Latest> {
  // Lists can be filtered by an owner that their records do not show.
  const owner = kind.columns.flatMap((column) => column.members).filter((member) => member === kind.owner)
  const members = [`${kind.name}_id`, kind.nameMember, ...owner]
  const query = `ordering=-id&page_size=${LOOKED_AT}&fields=${members.join(',')}`
  const { json } = await visit.ask(`/api/${kind.name}/?${query}`)
  const records: readonly Shown[] = json.results ?? []
  return { kind, count: json.count ?? 0, records: records.filter((record) => isNamed(record[kind.nameMember])) }
}

/** The name of the phrase that begins a paragraph is only a dash. */
function isNamed(name: unknown): boolean {
  return /[\p{L}\p{N}]/u.test(String(name))
}

interface NewRecord {
  readonly kind: Kind
  readonly record: Shown
  readonly by: string | undefined
  /** When it was created, as ISO 8601; empty if nobody knows. */
  readonly at: string
}

/** The newest of all kinds, newest first. */
export async function newestOf(visit: ExplorerVisit, latest: readonly Latest[]): Promise<readonly NewRecord[]> {
  const picked = await Promise.all(mixed(latest).map((each) => dated(visit, each)))
  const newestFirst = picked.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  const shares = new Shares()
  return newestFirst.filter(({ by }) => shares.take(by)).slice(0, SHOWN)
}

/** How many places each person has. */
class Shares {
  readonly #taken = new Map<string, number>()

  take(person: string | undefined): boolean {
    if (person === undefined) return true
    const taken = this.#taken.get(person) ?? 0
    if (taken >= MOST_BY_PERSON) return false
    this.#taken.set(person, taken + 1)
    return true
  }
}

/** One record of each kind, and then a second of other people until there are enough. */
function mixed(latest: readonly Latest[]): NewRecord[] {
  const shares = new Shares()
  const picked: NewRecord[] = []
  const takeFrom = ({ kind, records }: Latest) => {
    const before = new Set(picked.flatMap((each) => (each.kind === kind ? [each.by] : [])))
    for (const record of records) {
      const by: string | undefined = record[kind.owner ?? '']
      if (before.has(by) || !shares.take(by)) continue
      picked.push({ kind, record, by, at: '' })
      return
    }
  }
  latest.forEach(takeFrom)
  for (const each of latest) if (picked.length < SHOWN) takeFrom(each)
  return picked
}

/** A record that does not name its maker has one in its history, if nobody has changed it since. */
async function dated(visit: ExplorerVisit, { kind, record, by }: NewRecord): Promise<NewRecord> {
  const { json } = await visit.ask(`/api/${kind.name}/${record[`${kind.name}_id`]}/history/?page_size=1`)
  const maker: string | undefined = json.count === 1 ? (json.results[0].user ?? undefined) : undefined
  return { kind, record, by: by ?? maker, at: json.created ?? '' }
}

export function newList(visit: ExplorerVisit, records: readonly NewRecord[]): Content {
  if (records.length === 0) return undefined
  return html`<h2><a href="/changes/">New</a></h2>
    <ul class="newest">
      ${records.map(
        ({ kind, record, by, at }) =>
          html`<li>
            <a href=${kind.addressOf(record)}>${shortened(kind.nameOf(record), LONGEST_NAME)}</a>
            <span class="soft">${kind.one.toLowerCase()}${by && html` by <a href=${personAddress(by)}>${by}</a>`}${at && html`, ${dayOf(visit, at)}`}</span>
          </li>`,
      )}
    </ul>`
}

const DAY_MS = 86_400_000
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** "today", "yesterday", or the date: a page that says so is right until the day ends. */
function dayOf(visit: ExplorerVisit, at: string): Content {
  const text = visit.byClock((now): Timed<string> => {
    const { value: day, until } = dayNumber(now)
    const passed = day - Math.floor(Date.parse(at) / DAY_MS)
    if (passed > 1) return { value: DATE.format(new Date(at)), until: Number.POSITIVE_INFINITY }
    return { value: passed === 1 ? 'yesterday' : 'today', until }
  })
  return html`<time datetime=${at} title=${exactTime(at)}>${text}</time>`
}
