/** Rules for every response with `text` and `spans`. */
import assert from 'node:assert/strict'
import { inflect, wordFor } from '../../src/language/index.ts'
import type { Refused } from '../words/refused.ts'

export interface Told {
  readonly text: string
  readonly spans: readonly {
    readonly offset: number
    readonly length: number
    readonly index: number
    readonly slot: 'n' | 'e' | 'r' | 'o' | 's'
    readonly token: string
  }[]
}

/** The words at the spans, counted in characters, as most languages except JavaScript do. */
export function wordsAt({ text, spans }: Told): string[] {
  const characters = [...text]
  return spans.map(({ offset, length }) => {
    assert.ok(offset + length <= characters.length)
    return characters.slice(offset, offset + length).join('')
  })
}

/** Each span has the term of its slot, or a word derived from it, in the form of its tag. */
export function assertSpans(told: Told, quadranymOf: (span: Told['spans'][number]) => Record<string, any>): void {
  let end = 0
  wordsAt(told).forEach((word, i) => {
    const span = told.spans[i]!
    assert.ok(span.offset >= end)
    end = span.offset + span.length
    const quadranym = quadranymOf(span)
    const term: string = span.slot === 'n' ? quadranym['name'] : quadranym[span.slot]
    const [, tag] = span.token.split(/[_^]/)
    // In a text told with its own quadranyms nothing is derived.
    const expected = tag === undefined ? [term] : [inflect(term, tag), wordFor(term, tag)]
    assert.ok(
      expected.some((each) => each.toLowerCase() === word.toLowerCase()),
      `${word} in ${told.text}`,
    )
  })
}

export const MEGABYTE = 'word '.repeat(200_000)

/** What every member that takes free text refuses. */
export function badTexts(path: string, member: string, others: object): Refused[] {
  const refused = (value: unknown, message: string): Refused => ({
    ask: `POST ${path}`,
    json: { ...others, [member]: value },
    status: 400,
    says: { [member]: [message] },
  })
  const tooLong = 'Ensure this field has no more than 20000 characters.'
  return [
    { ask: `POST ${path}`, json: others, status: 400, says: { [member]: ['This field is required.'] } },
    refused(null, 'This field may not be null.'),
    refused(' \n ', 'This field may not be blank.'),
    refused(['x'], 'Not a valid string.'),
    refused({ x: 1 }, 'Not a valid string.'),
    refused(true, 'Not a valid string.'),
    refused('a\0b', 'Null characters are not allowed.'),
    refused('a\ud800b', 'Surrogate characters are not allowed: U+D800.'),
    refused('x'.repeat(20_001), tooLong),
    refused('😀'.repeat(20_001), tooLong),
    refused(`x${' '.repeat(20_000)}`, tooLong),
    refused(MEGABYTE, tooLong),
  ]
}

/** The same for a list of records. */
export function badRecords(path: string, member: string, most: number, others: object): Refused[] {
  const refused = (value: unknown, message: string): Refused => ({
    ask: `POST ${path}`,
    json: { ...others, [member]: value },
    status: 400,
    says: { [member]: [message] },
  })
  return [
    refused(null, 'This field may not be null.'),
    refused('1', 'Expected a list of items but got type "str".'),
    refused([true], 'Incorrect type. Expected pk value, received bool.'),
    refused([1.5], 'Incorrect type. Expected pk value, received float.'),
    refused(['x'], 'Incorrect type. Expected pk value, received str.'),
    refused([{}], 'Incorrect type. Expected pk value, received dict.'),
    refused([99_999_999], 'Invalid pk "99999999" - object does not exist.'),
    refused([-1], 'Invalid pk "-1" - object does not exist.'),
    refused([1e300], 'Invalid pk "1e+300" - object does not exist.'),
    refused(
      Array.from({ length: most + 1 }, (_, i) => i + 1),
      `Ensure this field has no more than ${most} elements.`,
    ),
  ]
}

/** Bodies that no question can be read from. */
export function badBodies(path: string): Refused[] {
  const post = (refused: Omit<Refused, 'ask'>): Refused => ({ ask: `POST ${path}`, ...refused })
  const json = { 'content-type': 'application/json' }
  const expected = (type: string) => ({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`] })
  return [
    post({ body: '[]', headers: json, status: 400, says: expected('list') }),
    post({ body: '"x"', headers: json, status: 400, says: expected('str') }),
    post({ body: 'null', headers: json, status: 400, says: { non_field_errors: ['No data provided'] } }),
    post({
      body: 'x',
      headers: { 'content-type': 'text/plain' },
      status: 415,
      says: { detail: 'Unsupported media type "text/plain" in request.' },
    }),
    post({
      body: Buffer.from([0x7b, 0xff, 0x7d]),
      headers: json,
      status: 400,
      says: { detail: 'JSON parse error - the body is not valid UTF-8' },
    }),
    post({
      json: { text: 'x'.repeat(1_048_577) },
      status: 413,
      says: { detail: 'The request body is larger than 1048576 bytes.' },
    }),
  ]
}
