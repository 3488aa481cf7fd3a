/** The members of a hook, as a body gives them: each is checked, and what is wrong is reported together. */
import { isList, type JsonObject, type Row } from '../../declare/index.ts'
import { ACTIONS, type HookRow } from '../../store/index.ts'
import { collectionsOf } from '../collection.ts'
import type { Engine } from '../engine.ts'
import { narrowingOf } from '../list-parameters.ts'
import { refuse } from '../prepare.ts'
import { Problem } from '../problem.ts'
import { addressIn, isPublicAddress } from './public-address.ts'

export const LONGEST_URL = 2000
export const LONGEST_LOOKUPS = 1000

type Errors = Record<string, string[]>

export interface HookRules {
  readonly allowsPrivate: boolean
  /** The bounds of the log. */
  readonly oldest: number
  readonly latest: number
}

/** What a hook has if the body does not say. */
const INITIAL = { resources: [], actions: [], lookups: '', active: true }

/** The columns to store. What the body does not give stays as it was. */
export function hookColumns(engine: Engine, given: JsonObject, rules: HookRules, before?: HookRow): Row {
  const errors: Errors = {}
  const whole: JsonObject = before ? { ...shownMembers(before), ...given } : { ...INITIAL, ...given }
  // The address that it has may be one that is no longer allowed. Nothing is sent to it then.
  const url = before && given['url'] === undefined ? before.url : readUrl(whole['url'], rules, errors)
  const resources = readNames(
    whole,
    'resources',
    engine.catalogue.map(({ name }) => name),
    errors,
  )
  const actions = readNames(whole, 'actions', ACTIONS, errors)
  const lookups = readLookups(engine, whole['lookups'], resources, errors)
  const active = readActive(whole['active'], errors)
  const cursor = given['cursor'] === undefined ? undefined : readCursor(given['cursor'], rules, errors)
  refuse(errors)
  return {
    url,
    resources: JSON.stringify(resources),
    actions: JSON.stringify(actions),
    lookups,
    active: Number(active),
    ...(cursor === undefined ? {} : { cursor }),
  }
}

function shownMembers({ url, resources, actions, lookups, active }: HookRow): JsonObject {
  return { url, resources: [...resources], actions: [...actions], lookups, active }
}

function readUrl(given: unknown, { allowsPrivate }: HookRules, errors: Errors): string {
  const wrong = (message: string) => {
    errors['url'] = [message]
    return ''
  }
  if (given === undefined) return wrong('This field is required.')
  if (given === null) return wrong('This field may not be null.')
  if (typeof given !== 'string') return wrong('Not a valid string.')
  if (given.trim() === '') return wrong('This field may not be blank.')
  const tooLong = `Ensure this field has no more than ${LONGEST_URL} characters.`
  if (given.length > LONGEST_URL) return wrong(tooLong)
  const url = URL.parse(given.trim())
  if (!url || !/^https?:$/.test(url.protocol)) return wrong('Enter a valid http or https URL.')
  if (url.username !== '' || url.password !== '') return wrong('A URL with a user name or password is not allowed.')
  url.hash = ''
  // Other letters than those of ASCII become longer.
  if (url.href.length > LONGEST_URL) return wrong(tooLong)
  const address = addressIn(url.hostname)
  if (
    !allowsPrivate &&
    (address !== undefined ? !isPublicAddress(address) : /^(.+\.)?localhost\.?$/.test(url.hostname))
  )
    return wrong('This server does not send to private addresses.')
  return url.href
}

/** A list of names; forms send them in one text, with commas between them. */
function readNames(members: JsonObject, member: string, known: readonly string[], errors: Errors): string[] {
  const given = members[member] ?? []
  const names = typeof given === 'string' ? given.split(',') : isList(given) ? given : undefined
  if (!names || names.some((name) => typeof name !== 'string')) {
    errors[member] = ['Expected a list of names.']
    return []
  }
  const wanted = [...new Set(names.map((name) => String(name).trim()).filter((name) => name !== ''))]
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown !== undefined) errors[member] = [`"${unknown}" is not a valid choice.`]
  return wanted
}

/** They are checked as the list of the collection checks them, except that unknown ones are refused. */
function readLookups(engine: Engine, given: unknown, resources: readonly string[], errors: Errors): string {
  const wrong = (message: string) => {
    errors['lookups'] = [message]
    return ''
  }
  if (given === undefined || given === null) return ''
  if (typeof given !== 'string') return wrong('Not a valid string.')
  const lookups = given.trim().replace(/^\?/, '')
  if (lookups === '') return ''
  if (lookups.length > LONGEST_LOOKUPS)
    return wrong(`Ensure this field has no more than ${LONGEST_LOOKUPS} characters.`)
  const [name] = resources
  const collection = collectionsOf(engine.catalogue).find((each) => each.name === name)
  if (!collection || resources.length !== 1) return wrong('Lookups need exactly one resource.')
  try {
    const pairs = [...new URLSearchParams(lookups)]
    const unknown = pairs.find((pair) => {
      const narrowing = narrowingOf(collection, [pair])
      return !narrowing || narrowing.ordering !== undefined
    })
    if (unknown) return wrong(`"${unknown[0]}" is not a lookup of ${name}, or has no value.`)
    narrowingOf(collection, pairs)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return wrong(
      Object.entries(error.body)
        .map(([at, messages]) => `${at}: ${[messages].flat().join(' ')}`)
        .join(' '),
    )
  }
  return lookups
}

function readActive(given: unknown, errors: Errors): boolean {
  const word = typeof given === 'boolean' || typeof given === 'string' ? String(given).toLowerCase() : '?'
  if (!/^(true|on|1|false|off|0|)$/.test(word)) errors['active'] = ['Must be a valid boolean.']
  return /^(true|on|1)$/.test(word)
}

function readCursor(given: unknown, { oldest, latest }: HookRules, errors: Errors): number {
  const cursor = readSeq(given)
  const fault =
    cursor === undefined
      ? 'A valid integer is required.'
      : cursor < oldest - 1 || cursor > latest
        ? `Ensure this value is from ${oldest - 1} to ${latest}.`
        : undefined
  if (fault) errors['cursor'] = [fault]
  return cursor ?? 0
}

/** A whole number, also as the text of a form. */
function readSeq(given: unknown): number | undefined {
  const text = typeof given === 'number' || typeof given === 'string' ? String(given).trim() : ''
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined
}

/** The range of a replay: entries after `since`, up to `until`, which is the newest by default. */
export function replayRange(given: JsonObject, rules: HookRules): { readonly since: number; readonly until: number } {
  const errors: Errors = {}
  const until = given['until'] === undefined ? rules.latest : readUntil(given['until'], rules, errors)
  const since = readSeq(given['since'])
  if (given['since'] === undefined) errors['since'] = ['This field is required.']
  else if (since === undefined) errors['since'] = ['A valid integer is required.']
  else if (since < rules.oldest - 1 || since > rules.latest)
    errors['since'] = [`Ensure this value is from ${rules.oldest - 1} to ${rules.latest}.`]
  else if (since >= until && !errors['until']) errors['until'] = ['Ensure this value is greater than since.']
  refuse(errors)
  return { since: since ?? 0, until }
}

function readUntil(given: unknown, { latest }: HookRules, errors: Errors): number {
  const until = readSeq(given)
  if (until === undefined) errors['until'] = ['A valid integer is required.']
  return Math.min(until ?? 0, latest)
}
