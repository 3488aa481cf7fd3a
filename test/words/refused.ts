/** Requests that are refused, and the exact errors; the tests of each question have tables of these. */
import assert from 'node:assert/strict'
import type { Reply, Sent, Site } from '../support/site.ts'

export interface Refused extends Sent {
  /** `GET` unless a method precedes the path. */
  readonly ask: string
  readonly status: number
  readonly says: unknown
}

export const NOT_FOUND = { detail: 'Not found.' }
export const BAD_PATH = { detail: 'The path is not valid percent-encoded UTF-8.' }
export const REQUIRED = ['This field is required.']
export const NO_INTEGER = ['A valid integer is required.']
export const NULL_CHARACTER = ['Null characters are not allowed.']

export function tooMuch(most: number): string[] {
  return [`Ensure this value is less than or equal to ${most}.`]
}

export function noSuch(id: string | number): string[] {
  return [`Invalid pk "${id}" - object does not exist.`]
}

/** A number of things that is not a number from `least` to `most`. */
export function badNumbers(path: string, parameter: string, most: number, least: 0 | 1 = 1): Refused[] {
  const says = (messages: string[]) => ({ [parameter]: messages })
  const at = (value: string) => `${path}?${parameter}=${value}`
  return [
    ...['1e9', 'abc', '1.5', '0x10', '%00', '9'.repeat(40)].map((value) => {
      return { ask: at(value), status: 400, says: says(NO_INTEGER) }
    }),
    ...[String(least - 1), '-1', '-999999999'].map((value) => {
      return { ask: at(value), status: 400, says: says([`Ensure this value is greater than or equal to ${least}.`]) }
    }),
    ...[String(most + 1), '1000000000', '999999999999999'].map((value) => {
      return { ask: at(value), status: 400, says: says(tooMuch(most)) }
    }),
  ]
}

/** Every method except those that `allow` names. */
export function wrongMethods(path: string, allow: string): Refused[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
    .filter((method) => !allow.split(', ').includes(method))
    .map((method) => ({
      ask: `${method} ${path}`,
      status: 405,
      says: { detail: `Method "${method}" not allowed.` },
    }))
}

export async function assertRefused(site: Site, { ask, status, says, ...sent }: Refused): Promise<Reply> {
  const [, method = sent.method ?? 'GET', path = ''] = /^(?:([A-Z]+) )?(.*)$/s.exec(ask)!
  const reply = await site.ask(path, { ...sent, method })
  assert.deepEqual([reply.status, reply.json], [status, says], ask)
  assert.equal(reply.headers['content-type'], 'application/json')
  return reply
}
