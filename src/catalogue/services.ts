/** Questions about free text, at /api/qode/: nothing of them is stored. */
import { many, optionalText, type RecordOf, type Service, service } from '../declare/index.ts'
import { align, charactersIn, check, depth, type Fault, parse, spin, subs, tokens, width } from '../language/index.ts'
import { CHECKED } from './annotated.ts'
import { annotateService } from './annotating.ts'
import { untagged } from './common.ts'
import { phrase } from './phrase.ts'
import { quadranym } from './quadranym.ts'
import {
  freeQode,
  freeText,
  MOST_QUADRANYMS,
  MOST_TOLD,
  Recital,
  SLOT,
  SPANS,
  SPUN,
  shownSpun,
  TOO_LONG_TO_TELL,
} from './spinning.ts'

const quadranyms = (min: number) => many(quadranym, { min, max: MOST_QUADRANYMS, repeats: true })

const parseService = service({
  path: 'qode/parse',
  title: 'Qode Parse',
  does: 'The tokens of a qode, and what follows from them. A token needs no tag here.',
  takes: { qode: freeQode() },
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
            offset: { type: 'integer', minimum: 0, description: 'Where the token stands in qode, in characters.' },
            length: { type: 'integer', minimum: 3 },
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
    const characters = charactersIn(qode)
    const found = tokens(qode, untagged).map(({ offset, length, index, slot, tag, capital }) => ({
      offset: characters(offset),
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

const spinService = service({
  path: 'qode/spin',
  title: 'Qode Spin',
  does: 'Fills the tokens of a qode with the terms of quadranyms: the first one is index 1.',
  takes: { qode: freeQode(), quadranyms: quadranyms(1), as: optionalText({ max: 6, choices: ['words', 'blanks'] }) },
  answers: SPUN,
  answer: ({ qode, quadranyms, as }) => ({
    value: shownSpun(spin(qode, quadranyms, { ...untagged, blanks: as === 'blanks' })),
  }),
})

const checkService = service({
  path: 'qode/check',
  title: 'Qode Check',
  does: 'Is a qode a tokenised form of a body, and do its tokens give the words back?',
  takes: { body: freeText(), qode: freeQode(), quadranyms: quadranyms(0) },
  answers: CHECKED,
  answer({ body, qode, quadranyms }) {
    // Without quadranyms only the first question can be answered.
    const faults = quadranyms.length > 0 ? check(body, qode, quadranyms) : misfits(body, qode)
    const characters = charactersIn(qode)
    return {
      value: {
        matches: faults.length === 0,
        faults: faults.map((fault) => ({ ...fault, offset: characters(fault.offset) })),
      },
    }
  },
})

function misfits(body: string, qode: string): Fault[] {
  const alignment = align(body, parse(qode))
  return 'aligned' in alignment ? [] : [{ offset: alignment.offset, why: alignment.why }]
}

const MOST_LINES = 1000
const NOTHING = { text: '', spans: [] }

const verseService = service({
  path: 'qode/verse',
  title: 'Qode Verse',
  does: 'Phrases told with quadranyms: a stanza for each phrase, for each topic, or one with both side by side.',
  takes: {
    phrases: many(phrase, { min: 1, max: 100, repeats: true }),
    quadranyms: quadranyms(1),
    by: optionalText({ max: 6, choices: ['phrase', 'topic', 'zip'] }),
  },
  answers: {
    type: 'object',
    required: ['text', 'spans', 'stanzas'],
    properties: {
      text: { type: 'string' },
      spans: SPANS,
      stanzas: {
        type: 'array',
        items: {
          type: 'array',
          items: {
            type: 'object',
            required: ['offset', 'text', 'phrase_id', 'quadranym_id'],
            properties: {
              offset: { type: 'integer', minimum: 0, description: 'Where the line begins in text, in characters.' },
              text: { type: 'string' },
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
    if (phrases.length * quadranyms.length > MOST_LINES && by !== 'zip') {
      return { errors: { phrases: [`That would make more than ${MOST_LINES} lines.`] } }
    }
    const lines = stanzasOf(phrases, quadranyms, by)
    if (lines.flat().reduce((sum, [each]) => sum + each.width, 0) > MOST_TOLD) {
      return { errors: { phrases: [TOO_LONG_TO_TELL] } }
    }
    const recital = new Recital()
    const stanzas = lines.map((stanza, above) =>
      stanza.map(([each, topic], place) => {
        if (above > 0 || place > 0) recital.pause(place === 0 ? '\n\n' : '\n')
        const line = recital.say(recital.isTooLong ? NOTHING : spin(each.qode, [topic], untagged))
        return { ...line, phrase_id: each.id, quadranym_id: topic.id }
      }),
    )
    if (recital.isTooLong) return { errors: { phrases: [TOO_LONG_TO_TELL] } }
    return { value: { ...recital.told, stanzas } }
  },
})

type Phrase = RecordOf<typeof phrase>
type Quadranym = RecordOf<typeof quadranym>

/** Zipped, the shorter list begins again when it is through. */
function stanzasOf(phrases: readonly Phrase[], topics: readonly Quadranym[], by: string): [Phrase, Quadranym][][] {
  if (by === 'topic') return topics.map((topic) => phrases.map((each) => [each, topic]))
  if (by !== 'zip') return phrases.map((each) => topics.map((topic) => [each, topic]))
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
