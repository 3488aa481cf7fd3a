/** What somebody may look for who types a text: areas, realms, sources and people of that name, and other spellings. */
import { type AnyResource, fieldsOf, keyStoredIn } from '../../declare/index.ts'
import { type FoundValue, phraseOf, type Work } from '../../store/index.ts'
import { keyOfName } from '../account-names.ts'
import type { Engine } from '../engine.ts'
import { LIMITS } from '../limits.ts'
import { problems } from '../problem.ts'
import { readPatiently } from '../query-timeout.ts'
import { isSearched, nearQueries } from './near-words.ts'

/** A value of a member that is what the text says. */
export interface SuggestedValue {
  readonly member: string
  readonly value: string
  /** How many records have it, in total and for each resource. */
  readonly count: number
  readonly collections: Readonly<Record<string, number>>
}

export interface Suggestions {
  readonly q: string
  readonly values: readonly SuggestedValue[]
  readonly did_you_mean: readonly string[]
}

/** Of each member. */
const MOST_VALUES = 20
const MOST_PEOPLE = 5

export function readSuggestions(engine: Engine, text: string): Promise<Suggestions> {
  const q = text.trim()
  const fault = faultOf(q)
  if (fault) throw problems.invalid({ q: [fault] })
  return readPatiently(engine, function* (moment) {
    const labelled = engine.catalogue.filter(isSearched).map((resource) => ({ resource, columns: labelsOf(resource) }))
    const values = [...(yield* engine.store.foundValues.of(labelled, q, moment)), ...(yield* people(engine, q))]
    return { q, values: bestOf(q, values), did_you_mean: yield* nearQueries(engine, q) }
  })
}

function faultOf(q: string): string | undefined {
  if (q === '') return 'This field is required.'
  if (q.includes('\0')) return 'Null characters are not allowed.'
  if (!q.isWellFormed()) return 'Not a valid string.'
  if (q.length > LIMITS.searchLength) return `Ensure this field has no more than ${LIMITS.searchLength} characters.`
  return phraseOf(q).split(' ').length > LIMITS.words ? `Search for no more than ${LIMITS.words} words.` : undefined
}

/** Columns whose values many records share, and which people know by name: not those of the name itself. */
function labelsOf(resource: AnyResource): string[] {
  return fieldsOf(resource).flatMap(([key, field]) => {
    const storage = field.storage(key)
    if (storage.in !== 'columns' || (field.searches !== 'area' && field.searches !== 'text')) return []
    return storage.columns.flatMap(({ name, indexed }) => (indexed ? name : []))
  })
}

/** Users whose names begin with it. */
function* people({ store, catalogue }: Engine, q: string): Work<FoundValue[]> {
  if (/\s/.test(q)) return []
  const found: FoundValue[] = []
  for (const { name, key } of yield* store.accounts.beginning(keyOfName(q), MOST_PEOPLE)) {
    for (const resource of catalogue) {
      const member = keyStoredIn(resource, 'owner')
      if (member === undefined) continue
      const condition = { key: member, on: 'owner', lookup: 'exact', values: [key] } as const
      const count = yield* store.lists.count({ resource }, { conditions: [condition] })
      if (count > 0) found.push({ resource: resource.name, member, value: name, count })
    }
  }
  return found
}

/** The same value of several resources is one; values that are the whole text come first, then the most frequent. */
function bestOf(q: string, found: readonly FoundValue[]): SuggestedValue[] {
  const members = Map.groupBy(found, ({ member }) => member)
  const phrase = phraseOf(q)
  const isOther = ({ value }: SuggestedValue) => Number(phraseOf(value) !== phrase)
  return Array.from(members, ([member, all]) => {
    const values = Array.from(
      Map.groupBy(all, ({ value }) => value),
      ([value, each]) => ({
        member,
        value,
        count: each.reduce((sum, { count }) => sum + count, 0),
        collections: Object.fromEntries(each.map(({ resource, count }) => [resource, count])),
      }),
    )
    return values
      .sort((a, b) => isOther(a) - isOther(b) || b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, MOST_VALUES)
  }).flat()
}
