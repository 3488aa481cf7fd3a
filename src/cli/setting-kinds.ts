/** What a setting may be. The checks, the messages, the JSON schema and what is hidden all come from here. */
import { redactUrl } from '../store/index.ts'

export interface SettingKind {
  readonly type: 'number' | 'switch' | 'choice' | 'rate' | 'text' | 'list' | 'address'
  /** Completes "... is not". */
  readonly wants: string
  /** Lists and addresses are checked further where they are read. */
  accepts(text: string): boolean
  /** Words with a meaning of their own; a settings file may also say true for on, and false for off. */
  readonly words: readonly string[]
  /** How a settings file may have it, in JSON schema. */
  readonly schema: JsonSchema
  /** The value without passwords. */
  shown(text: string): string
}

/** A setting, as the lists have it. */
export interface SettingEntry {
  readonly name: string
  readonly is: SettingKind
  readonly option: string
  readonly byDefault: string
  readonly does: string
}

export type JsonSchema = Readonly<Record<string, unknown>>

const asItIs = (text: string) => text
const TEXT = { type: 'string' }

/** A whole number, or one of the words. */
export function number(from: number, to: number, ...words: string[]): SettingKind {
  const integer = { type: 'integer', minimum: from, maximum: to }
  return {
    type: 'number',
    wants: [...words, `a whole number from ${from} to ${to}`].join(' or '),
    accepts: (text) =>
      words.includes(text) || (/^[0-9]{1,15}$/.test(text) && Number(text) >= from && Number(text) <= to),
    words,
    schema: words.length === 0 ? integer : { anyOf: [integer, ...words.map(wordSchema)] },
    shown: asItIs,
  }
}

/** A part of all, from 0 to 1. */
export const share: SettingKind = {
  type: 'number',
  wants: 'a number from 0 to 1, such as 0.01',
  accepts: (text) => /^[0-9]*\.?[0-9]+$/.test(text) && Number(text) <= 1,
  words: [],
  schema: { type: 'number', minimum: 0, maximum: 1 },
  shown: asItIs,
}

const ON = /^(on|true|yes|1)$/i
const OFF = /^(off|false|no|0)$/i

export const isOn = (text: string): boolean => ON.test(text)

export const onOrOff: SettingKind = {
  type: 'switch',
  wants: 'on or off',
  accepts: (text) => ON.test(text) || OFF.test(text),
  words: ['on', 'off'],
  schema: { anyOf: [wordSchema('on'), wordSchema('off')] },
  shown: asItIs,
}

export function choice(...words: string[]): SettingKind {
  return {
    type: 'choice',
    wants: words.length > 4 ? `one of ${listed(words, 'and')}` : listed(words, 'or'),
    accepts: (text) => words.includes(text),
    words,
    schema: words.includes('on') ? { anyOf: words.map(wordSchema) } : { enum: words },
    shown: asItIs,
  }
}

const RATE = /^(?:off|[1-9][0-9]{0,8}\/(?:second|minute|hour|day))$/

/** A count in a period. */
export const rate: SettingKind = {
  type: 'rate',
  wants: 'off or a rate such as 10/minute',
  accepts: (text) => RATE.test(text),
  words: ['off'],
  schema: { anyOf: [{ type: 'string', pattern: RATE.source }, { const: false }] },
  shown: asItIs,
}

export function text(wants: string, pattern = /./): SettingKind {
  return { type: 'text', wants, accepts: (given) => pattern.test(given), words: [], schema: TEXT, shown: asItIs }
}

/** The word off, a number, or a text with one. */
export function numberOrText(wants: string): SettingKind {
  const schema = { anyOf: [wordSchema('off'), { type: 'integer' }, TEXT] }
  return { type: 'text', wants, accepts: () => true, words: ['off'], schema, shown: asItIs }
}

/** Words with commas between them; in a file also an array. */
export function list(wants: string, { ofAddresses = false } = {}): SettingKind {
  const shown = (given: string) => given.split(/[\s,]+/).map(redactUrl)
  return {
    type: 'list',
    wants,
    accepts: () => true,
    words: [],
    schema: { anyOf: [TEXT, { type: 'array', items: TEXT }] },
    shown: ofAddresses ? (given) => shown(given).join(',') : asItIs,
  }
}

/** It may have a password, which is never shown. */
export function address(wants: string): SettingKind {
  return { type: 'address', wants, accepts: () => true, words: [], schema: TEXT, shown: redactUrl }
}

function wordSchema(word: string): JsonSchema {
  if (word === 'on') return { enum: ['on', true] }
  return word === 'off' ? { enum: ['off', false] } : { const: word }
}

function listed(words: readonly string[], last: string): string {
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}
