/** Questions about free text, at /api/qode/: nothing of them is stored. */
import {
  type JsonObject,
  many,
  optionalText,
  type RecordOf,
  type Schema,
  type Service,
  service,
  showRecord,
  text,
} from '../declare/index.ts'
import {
  annotate,
  baseForms,
  depth,
  FormIndex,
  spin,
  splitWords,
  subs,
  suggest,
  tokens,
  width,
} from '../language/index.ts'
import { CHECKED, characters, checked } from './annotated.ts'
import { untagged } from './common.ts'
import { phrase } from './phrase.ts'
import { quadranym } from './quadranym.ts'
import { SPANS, SPUN, shownSpans, shownSpun } from './spinning.ts'

type Quadranym = RecordOf<typeof quadranym>

const LONGEST = 20_000
const freeText = () => text({ max: LONGEST })
const quadranyms = (min: number) => many(quadranym, { min, max: 50, repeats: true })

const SLOT: Schema = { type: 'string', enum: ['n', 'e', 'r', 'o', 's'] }
const RECORD: Schema = { $ref: '#/components/schemas/quadranym' }

const parseService = service({
  path: 'qode/parse',
  title: 'Qode Parse',
  does: 'The tokens of a qode, and what follows from them. A token needs no tag here.',
  takes: { qode: freeText() },
  answers: {
    type: 'object',
    required: ['tokens', 'subs', 'depth', 'width'],
    properties: {
      tokens: {
        type: 'array',
        items: {
          type: 'object',
          required: ['offset', 'length', 'token', 'index', 'slot', 'capital'],
          properties: {
            offset: { type: 'integer', minimum: 0 },
            length: { type: 'integer', minimum: 2 },
            token: { type: 'string' },
            index: { type: 'integer', minimum: 1 },
            slot: SLOT,
            tag: { type: 'string' },
            capital: { type: 'boolean' },
          },
          additionalProperties: false,
        },
      },
      subs: { type: 'string' },
      depth: { type: 'integer', minimum: 0 },
      width: { type: 'integer', minimum: 0 },
    },
    additionalProperties: false,
  },
  answer({ qode }) {
    const found = tokens(qode, untagged).map(({ offset, length, index, slot, tag, capital }) => ({
      offset: characters(qode, offset),
      length,
      token: qode.slice(offset, offset + length),
      index,
      slot,
      ...(tag === undefined ? {} : { tag }),
      capital,
    }))
    const value = {
      tokens: found,
      subs: subs(qode, untagged),
      depth: depth(qode, untagged),
      width: width(qode, untagged),
    }
    return { value }
  },
})

/** More would say less: most words of English stand in some quadranym. */
const MOST_SUGGESTED = 10

const annotateService = service({
  path: 'qode/annotate',
  title: 'Qode Annotate',
  does: 'Marks the words of a text that are forms of terms: of the quadranyms given, or of those that fit it best.',
  takes: { text: freeText(), quadranyms: quadranyms(0) },
  candidates: {
    of: quadranym,
    most: 1000,
    terms: ({ text, quadranyms }) =>
      quadranyms.length > 0 ? [] : [...new Set(splitWords(text).flatMap((word) => baseForms(word.text)))],
  },
  answers: {
    type: 'object',
    required: ['qode', 'tokens', 'subs', 'depth', 'q1', 'q2', 'unmatched', 'suggested'],
    properties: {
      qode: { type: 'string', description: 'Empty when no word matched.' },
      tokens: {
        type: 'array',
        items: {
          type: 'object',
          required: ['word', 'offset', 'index', 'slot', 'tag'],
          properties: {
            word: { type: 'string' },
            offset: { type: 'integer', minimum: 0, description: 'Where the word stands in text, in characters.' },
            index: { type: 'integer', minimum: 1 },
            slot: SLOT,
            tag: { type: 'string' },
          },
          additionalProperties: false,
        },
      },
      subs: { type: 'string' },
      depth: { type: 'integer', minimum: 0 },
      q1: { type: 'array', items: RECORD },
      q2: { type: 'array', items: RECORD },
      unmatched: { type: 'array', items: RECORD },
      suggested: {
        type: 'array',
        description: 'The quadranyms that fit best, when none were given; the first ones were used.',
        items: {
          type: 'object',
          required: ['quadranym', 'score', 'words', 'slots'],
          properties: {
            quadranym: RECORD,
            score: { type: 'number' },
            words: { type: 'integer', minimum: 1 },
            slots: { type: 'string' },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
  answer({ text, quadranyms }, candidates: readonly Quadranym[]) {
    const suggested = quadranyms.length > 0 ? [] : suggest(text, new FormIndex(candidates), { limit: MOST_SUGGESTED })
    const used =
      quadranyms.length > 0
        ? quadranyms
        : fitting(
            text,
            suggested.map(({ place }) => candidates[place]!),
          )
    const { qode, tokens: marked, q1, q2, unmatched } = annotate(text, used)
    return {
      value: {
        qode,
        tokens: marked.map((token) => ({ ...token, offset: characters(text, token.offset) })),
        subs: subs(qode),
        depth: depth(qode),
        q1: q1.map(shown),
        q2: q2.map(shown),
        unmatched: unmatched.map(shown),
        suggested: suggested.map(({ place, score, words, slots }) => ({
          quadranym: shown(candidates[place]!),
          score: Math.round(score * 1000) / 1000,
          words,
          slots,
        })),
      },
    }
  },
})

/** The best three that have a word of their own in the text. */
function fitting(text: string, best: readonly Quadranym[]): Quadranym[] {
  const three = best.slice(0, 3)
  const { unmatched } = annotate(text, three)
  return three.filter((each) => !unmatched.includes(each))
}

function shown(record: Quadranym): JsonObject {
  return JSON.parse(showRecord(record))
}

const spinService = service({
  path: 'qode/spin',
  title: 'Qode Spin',
  does: 'Fills the tokens of a qode with the terms of quadranyms: the first one is index 1.',
  takes: { qode: freeText(), quadranyms: quadranyms(1), as: optionalText({ max: 6, choices: ['words', 'blanks'] }) },
  answers: SPUN,
  answer: ({ qode, quadranyms, as }) => ({
    value: shownSpun(spin(qode, quadranyms, { ...untagged, blanks: as === 'blanks' })),
  }),
})

const checkService = service({
  path: 'qode/check',
  title: 'Qode Check',
  does: 'Is a qode a tokenised form of a body, and do its tokens give the words back?',
  takes: { body: freeText(), qode: freeText(), quadranyms: quadranyms(0) },
  answers: CHECKED,
  answer: ({ body, qode, quadranyms }) => ({ value: checked(body, qode, quadranyms) }),
})

const MOST_LINES = 1000

const verseService = service({
  path: 'qode/verse',
  title: 'Qode Verse',
  does: 'Phrases told with quadranyms: a stanza for each phrase, for each topic, or one of pairs.',
  takes: {
    phrases: many(phrase, { min: 1, max: 100, repeats: true }),
    quadranyms: quadranyms(1),
    by: optionalText({ max: 6, choices: ['phrase', 'topic', 'pairs'] }),
  },
  answers: {
    type: 'object',
    required: ['text', 'stanzas'],
    properties: {
      text: { type: 'string' },
      stanzas: {
        type: 'array',
        items: {
          type: 'array',
          items: {
            type: 'object',
            required: ['text', 'spans', 'phrase_id', 'quadranym_id'],
            properties: {
              text: { type: 'string' },
              spans: SPANS,
              phrase_id: { type: 'integer' },
              quadranym_id: { type: 'integer' },
            },
            additionalProperties: false,
          },
        },
      },
    },
    additionalProperties: false,
  },
  answer({ phrases, quadranyms, by }) {
    if (phrases.length * quadranyms.length > MOST_LINES && by !== 'pairs') {
      return { errors: { phrases: [`That would make more than ${MOST_LINES} lines.`] } }
    }
    const stanzas = stanzasOf(phrases, quadranyms, by).map((stanza) =>
      stanza.map(([each, topic]) => {
        const spun = spin(each.qode, [topic], untagged)
        return { text: spun.text, spans: shownSpans(spun), phrase_id: each.id, quadranym_id: topic.id }
      }),
    )
    const verse = stanzas.map((stanza) => stanza.map((line) => line.text).join('\n')).join('\n\n')
    return { value: { text: verse, stanzas } }
  },
})

type Phrase = RecordOf<typeof phrase>

/** In pairs, the shorter list begins again when it is through. */
function stanzasOf(phrases: readonly Phrase[], topics: readonly Quadranym[], by: string): [Phrase, Quadranym][][] {
  if (by === 'topic') return topics.map((topic) => phrases.map((each) => [each, topic]))
  if (by !== 'pairs') return phrases.map((each) => topics.map((topic) => [each, topic]))
  const length = Math.max(phrases.length, topics.length)
  return [Array.from({ length }, (_, i) => [phrases[i % phrases.length]!, topics[i % topics.length]!])]
}

export const services: readonly Service<any>[] = [
  parseService,
  annotateService,
  spinService,
  checkService,
  verseService,
]
