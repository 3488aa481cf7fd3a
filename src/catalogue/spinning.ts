/** Texts told with quadranyms: what spin and tell answer, for records and for free text. */
import { type Fields, type JsonObject, many, optionalText, type Parsed, type Schema } from '../declare/index.ts'
import { depth, type Grammar, type Quadranym, type Spun, spin } from '../language/index.ts'
import { characters } from './annotated.ts'
import { quadranym } from './quadranym.ts'

const MOST_QUADRANYMS = 50

/** Which way a text is told: with its words, or with a blank in place of each. */
export const spinTakes = {
  quadranym: many(quadranym, { min: 0, max: MOST_QUADRANYMS, repeats: true }),
  as: optionalText({ max: 6, choices: ['words', 'blanks'] }),
} satisfies Fields

const SPAN: Schema = {
  type: 'object',
  required: ['offset', 'length', 'index', 'slot', 'token'],
  properties: {
    offset: { type: 'integer', minimum: 0, description: 'Where the word stands in text, in characters.' },
    length: { type: 'integer', minimum: 0 },
    index: { type: 'integer', minimum: 1, description: 'Which quadranym: 1 for the first.' },
    slot: { type: 'string', enum: ['n', 'e', 'r', 'o', 's'] },
    token: { type: 'string', description: 'The token as it stands in qode.' },
  },
  additionalProperties: false,
}

export const SPANS: Schema = { type: 'array', items: SPAN }

export const SPUN: Schema = {
  type: 'object',
  required: ['text', 'spans'],
  properties: { text: { type: 'string' }, spans: SPANS },
  additionalProperties: false,
}

/** Clients count characters, so offsets are in code points. */
export function shownSpans({ text, spans }: Spun, from = 0): JsonObject[] {
  return spans.map((span) => ({
    ...span,
    offset: from + characters(text, span.offset),
    length: [...text.slice(span.offset, span.offset + span.length)].length,
  }))
}

export function shownSpun(spun: Spun): JsonObject {
  return { text: spun.text, spans: shownSpans(spun) }
}

interface Told {
  readonly qode: string
  /** What a text without tokens is. */
  readonly plain: string
  readonly own: readonly Quadranym[]
  readonly grammar?: Grammar
}

/** GET .../spin/: told with the quadranyms given, and with its own where none is. */
export const spinQuestion = <R>(told: (record: R) => Told) => ({
  does: 'The text told with other quadranyms: the first one given fills index 1.',
  takes: spinTakes,
  answers: SPUN,
  answer(record: R, given: { readonly [key: string]: any }): Parsed<JsonObject> {
    const { qode, plain, own, grammar = {} } = told(record)
    const others: readonly Quadranym[] = given['quadranym']
    const topics = depth(qode, grammar)
    if (others.length > topics) {
      const has = topics === 1 ? '1 topic' : `${topics} topics`
      return { errors: { quadranym: [`The text has ${has}, and ${others.length} quadranyms are given.`] } }
    }
    if (own.length === 0 && topics > 0 && others.length === 0) {
      return { errors: { quadranym: ['This field is required.'] } }
    }
    const spun =
      topics === 0
        ? { text: plain, spans: [] }
        : spin(qode, [...others, ...own.slice(others.length)], { ...grammar, blanks: given['as'] === 'blanks' })
    return { value: shownSpun(spun) }
  },
})
