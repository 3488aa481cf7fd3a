/** Texts told with quadranyms: the responses of spin and tell, for records and for free text. */
import {
  type Fields,
  type JsonObject,
  many,
  optionalText,
  type Parsed,
  type Schema,
  type TextRules,
  text,
} from '../declare/index.ts'
import {
  after,
  charactersIn,
  depth,
  type Grammar,
  originIn,
  type Quadranym,
  type Spun,
  spin,
} from '../language/index.ts'
import { faultOfIndexes, untagged } from './common.ts'
import { quadranym } from './quadranym.ts'

export const MOST_QUADRANYMS = 50
const LONGEST = 20_000
const TOO_LONG = `Ensure this field has no more than ${LONGEST} characters.`

/** Not trimmed, because offsets in the response must be true of the text that was sent. */
export const freeText = (does: string, { check }: Pick<TextRules, 'check'> = {}) => {
  const field = text({ max: LONGEST, does, ...(check ? { check } : {}) })
  return {
    ...field,
    parse(body: JsonObject, key: string) {
      const parsed = field.parse(body, key)
      if ('errors' in parsed) return parsed
      const whole = String(body[key])
      return [...whole].length > LONGEST ? { errors: { [key]: [TOO_LONG] } } : { value: whole }
    },
  }
}

/** Free text with tokens. */
export const freeQode = (does: string) => freeText(does, { check: (given) => faultOfIndexes(given, untagged) })

/** How a text is told: with words that agree, with words as they are, or with a blank instead of each. */
export const spinTakes = {
  quadranym: many(quadranym, {
    min: 0,
    max: MOST_QUADRANYMS,
    repeats: true,
    does: 'The id of a quadranym; repeat it for several. The first fills index 1, the second index 2.',
  }),
  as: wayToFill(),
} satisfies Fields

export function wayToFill() {
  return optionalText({
    max: 6,
    choices: ['words', 'strict', 'blanks'],
    does: '`words`, the default, fills in the terms; `strict` exactly these; `blanks` leaves blanks.',
  })
}

export const SLOT: Schema = {
  type: 'string',
  enum: ['n', 'e', 'r', 'o', 's'],
  description: 'Which term of the quadranym: `e`, `r`, `o`, `s`, or `n` for its name.',
}
export const TAG: Schema = { type: 'string', description: 'The part of speech, such as NN or VBZ.' }
export const INDEX: Schema = { type: 'integer', minimum: 1, description: 'Which quadranym: 1 for the first.' }

const SPAN: Schema = {
  title: 'span',
  type: 'object',
  description: 'A word that was filled in.',
  required: ['offset', 'length', 'index', 'slot', 'token'],
  properties: {
    offset: { type: 'integer', minimum: 0, description: 'Where the word begins in `text`, in characters.' },
    length: { type: 'integer', minimum: 0, description: 'The length of the word, in characters.' },
    index: INDEX,
    slot: SLOT,
    token: { type: 'string', description: 'The token that the word replaces.' },
    fits: { type: 'boolean', enum: [false], description: 'There if no word of this term is what the tag says.' },
  },
}

export const SPANS: Schema = {
  title: 'spans',
  type: 'array',
  items: SPAN,
  description: 'The words that were filled in, in order.',
}
const REPAIRS: Schema = {
  title: 'repairs',
  type: 'array',
  description: 'What was changed so that the text agrees with the words.',
  items: {
    type: 'object',
    required: ['offset', 'was', 'now', 'rule'],
    properties: {
      offset: { type: 'integer', minimum: 0, description: 'Where `now` begins in `text`, in characters.' },
      was: { type: 'string', description: 'As filled.' },
      now: { type: 'string', description: 'As it is now.' },
      rule: { type: 'string', description: 'The name of the rule.' },
    },
  },
}
export const WHOLE_TEXT: Schema = { type: 'string', description: 'The whole text.' }

export const SPUN: Schema = {
  title: 'spun',
  type: 'object',
  required: ['text', 'spans', 'repairs'],
  properties: { text: WHOLE_TEXT, spans: SPANS, repairs: REPAIRS },
}

const ATTRIBUTION: Schema = {
  type: 'string',
  description:
    'Who the text is from; `after Oscar Wilde` if its words are not those of the author. Empty if nobody is named.',
}

/** Of a record, which may have an author. */
const SPUN_RECORD: Schema = {
  title: 'spun-record',
  type: 'object',
  required: ['text', 'spans', 'repairs', 'attribution'],
  properties: { text: WHOLE_TEXT, spans: SPANS, repairs: REPAIRS, attribution: ATTRIBUTION },
}

/** A text without a word. */
export const NOTHING: Spun = { text: '', spans: [], repairs: [] }

type ShownSpun = { text: string; spans: JsonObject[]; repairs: JsonObject[] }

export function shownSpun({ text, spans, repairs }: Spun): ShownSpun {
  const characters = charactersIn(text)
  const shown = spans.map((span) => {
    const offset = characters(span.offset)
    return { ...span, offset, length: characters(span.offset + span.length) - offset }
  })
  const beforeRepair = charactersIn(text)
  return { text, spans: shown, repairs: repairs.map((each) => ({ ...each, offset: beforeRepair(each.offset) })) }
}

/** Limits the tokens and characters told at once, so that a few short records do not become a response of megabytes. */
export const MOST_TOLD = 5000
const MOST_CHARACTERS = 100_000
export const TOO_LONG_TO_TELL = `Ensure the told text has no more than ${MOST_TOLD} tokens and ${MOST_CHARACTERS} characters.`

/** Joins spun texts into one text, with spans counted from its beginning. */
export class Recital {
  #text = ''
  #length = 0
  readonly #spans: JsonObject[] = []

  /** Whether it is too long to be told. Nothing more should be added then. */
  get isTooLong(): boolean {
    return this.#length > MOST_CHARACTERS
  }

  get isEmpty(): boolean {
    return this.#text === ''
  }

  /** The separator between two texts. */
  pause(between: string): void {
    this.#text += between
    this.#length += charactersIn(between)(between.length)
  }

  /** Where the text begins in the whole, and the text. */
  say(spun: Spun): { offset: number; text: string } {
    const { text, spans } = shownSpun(spun)
    const offset = this.#length
    for (const span of spans) this.#spans.push({ ...span, offset: offset + Number(span['offset']) })
    this.pause(text)
    return { offset, text }
  }

  get told(): { text: string; spans: JsonObject[] } {
    return { text: this.#text, spans: this.#spans }
  }
}

/** A record that is to be told with quadranyms of the reader's choice. */
export interface OpenText {
  readonly qode: string
  readonly src: string
}

interface Told {
  readonly qode: string
  /** Who the record is from; a fortune names it in its text. */
  readonly src?: string
  /** The response for a text without tokens. */
  readonly plain: string
  readonly own: readonly Quadranym[]
  readonly grammar?: Grammar
}

/** GET .../spin/: the text told with the given quadranyms, and otherwise with its own. */
export const spinQuestion = <R>(told: (record: R) => Told) => ({
  does: 'The text told with other quadranyms.',
  details: 'Quadranyms that are not replaced stay.',
  takes: spinTakes,
  answers: SPUN_RECORD,
  plain: plainSpun,
  answer(record: R, given: { readonly [key: string]: any }): Parsed<JsonObject> {
    const { qode, plain, src = '', own, grammar = {} } = told(record)
    const others: readonly Quadranym[] = given['quadranym']
    const topics = depth(qode, grammar)
    if (others.length > topics) return { errors: { quadranym: [tooMany(topics, others.length)] } }
    if (own.length === 0 && topics > 0 && others.length === 0) {
      return { errors: { quadranym: ['This field is required.'] } }
    }
    if (topics === 0) return { value: attributed({ ...NOTHING, text: plain }, src, false) }
    const quadranyms = [...others, ...own.slice(others.length)]
    // With its own quadranyms a text keeps its own words.
    const isOwn = own.length > 0 && others.every((other, i) => hasSameWords(other, own[i]))
    const spun = spin(qode, quadranyms, { ...grammar, strict: isOwn || given['as'] === 'strict' })
    const isTurned = own.length === 0 || spun.text !== plain
    const isBlank = given['as'] === 'blanks'
    const shown = isBlank ? spin(qode, quadranyms, { ...grammar, blanks: true }) : spun
    return { value: attributed(shown, src, isTurned) }
  },
})

function hasSameWords(one: Quadranym, other: Quadranym | undefined): boolean {
  return one.name === other?.name && one.e === other.e && one.r === other.r && one.o === other.o && one.s === other.s
}

/** A turned text is "after" its author, also where the text itself names the author. */
function attributed(spun: Spun, src: string, isTurned: boolean): JsonObject {
  if (src !== '') return { ...shownSpun(spun), attribution: isTurned ? after(src) : src }
  const origin = originIn(spun.text)
  if (!origin) return { ...shownSpun(spun), attribution: '' }
  const attribution = isTurned ? after(origin.source) : origin.source
  const added = attribution.length - origin.source.length
  const text = spun.text.slice(0, origin.offset) + attribution + spun.text.slice(origin.offset + origin.source.length)
  const moved = <T extends { readonly offset: number }>(each: T) =>
    each.offset < origin.offset ? each : { ...each, offset: each.offset + added }
  const shown = shownSpun({ text, spans: spun.spans.map(moved), repairs: spun.repairs.map(moved) })
  return { ...shown, attribution }
}

/** The attribution is below the text, as in files of fortunes. */
function plainSpun({ text, attribution }: JsonObject): string {
  const isNamed = attribution === '' || String(text).trimEnd().endsWith(String(attribution))
  return isNamed ? String(text) : `${text}\n\t\t-- ${attribution}`
}

function tooMany(topics: number, given: number): string {
  if (topics === 0) return 'The text has no tokens to fill.'
  return `The text has ${topics === 1 ? '1 topic' : `${topics} topics`}, and ${given} quadranyms are given.`
}
