/** Questions about free text, at /api/qode/. The server stores none of it. */
import { many, optionalText, type RecordOf, type Service, service } from '../declare/index.ts'
import { align, charactersIn, check, depth, type Fault, parse, spin, subs, tokens, width } from '../language/index.ts'
import { CHECKED, shownFaults } from './annotated.ts'
import { annotateService } from './annotating.ts'
import { TOKEN_MEMBERS, untagged } from './common.ts'
import { phrase } from './phrase.ts'
import { quadranym } from './quadranym.ts'
import {
  freeQode,
  freeText,
  INDEX,
  MOST_QUADRANYMS,
  MOST_TOLD,
  NOTHING,
  Recital,
  SLOT,
  SPANS,
  SPUN,
  shownSpun,
  TAG,
  TOO_LONG_TO_TELL,
  WHOLE_TEXT,
  wayToFill,
} from './spinning.ts'

const quadranyms = (min: number, does: string) => many(quadranym, { min, max: MOST_QUADRANYMS, repeats: true, does })
const IN_ORDER = 'The quadranyms that fill the tokens: the first fills index 1.'

const parseService = service({
  path: 'qode/parse',
  title: 'Qode Parse',
  does: 'The tokens of a qode, with `subs`, `depth` and `width`. A token needs no tag here.',
  details: 'Anything that is not a token is text. Only an index above 999 is refused.',
  takes: { qode: freeQode('The text with tokens.') },
  answers: {
    type: 'object',
    required: ['tokens', 'subs', 'depth', 'width'],
    properties: {
      tokens: {
        type: 'array',
        description: 'The tokens, in order.',
        items: {
          type: 'object',
          required: ['offset', 'length', 'token', 'index', 'slot', 'capital'],
          properties: {
            offset: { type: 'integer', minimum: 0, description: 'Where the token begins in `qode`, in characters.' },
            length: { type: 'integer', minimum: 3, description: 'The length of the token, in characters.' },
            token: { type: 'string', description: 'The token as it was sent.' },
            index: INDEX,
            slot: SLOT,
            tag: TAG,
            capital: {
              type: 'boolean',
              description: 'True if the word begins with a capital letter: `^` instead of `_`.',
            },
          },
        },
      },
      subs: { type: 'string', description: TOKEN_MEMBERS.subs },
      depth: { type: 'integer', minimum: 0, description: 'The highest index; 0 without tokens.' },
      width: { type: 'integer', minimum: 0, description: 'The number of tokens.' },
    },
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
  details:
    'Each token becomes the term of its slot, inflected for its tag. Tokens without a quadranym stay as they are.',
  takes: { qode: freeQode('The text with tokens.'), quadranyms: quadranyms(1, IN_ORDER), as: wayToFill() },
  answers: SPUN,
  answer: ({ qode, quadranyms, as }) => ({
    value: shownSpun(spin(qode, quadranyms, { ...untagged, blanks: as === 'blanks', strict: as === 'strict' })),
  }),
})

const checkService = service({
  path: 'qode/check',
  title: 'Qode Check',
  does: 'Checks whether a qode is a tokenised form of a body, and whether its tokens give back the words.',
  details: 'Without `quadranyms`, it checks only the form.',
  takes: {
    body: freeText('The original text.'),
    qode: freeQode('The same text with tokens in place of words.'),
    quadranyms: quadranyms(0, IN_ORDER),
  },
  answers: CHECKED,
  answer({ body, qode, quadranyms }) {
    // Without quadranyms only the form can be checked.
    const faults = quadranyms.length > 0 ? check(body, qode, quadranyms) : misfits(body, qode)
    return { value: shownFaults(qode, faults, quadranyms) }
  },
})

function misfits(body: string, qode: string): Fault[] {
  const alignment = align(body, parse(qode))
  return 'aligned' in alignment ? [] : [{ offset: alignment.offset, why: alignment.why }]
}

const MOST_LINES = 1000

const verseService = service({
  path: 'qode/verse',
  title: 'Qode Verse',
  does: 'Phrases told with quadranyms: a stanza for each phrase, for each topic, or one that pairs them.',
  details: 'Each line is one phrase told with one quadranym; there are at most 1,000 lines.',
  takes: {
    phrases: many(phrase, { min: 1, max: 100, repeats: true, does: 'The phrases to tell, in order.' }),
    quadranyms: quadranyms(1, 'The quadranyms to tell them with, in order.'),
    by: optionalText({
      max: 6,
      choices: ['phrase', 'topic', 'zip'],
      does: 'A stanza for each `phrase`, the default, for each `topic`, or one stanza that pairs them: `zip`.',
    }),
  },
  answers: {
    type: 'object',
    required: ['text', 'spans', 'stanzas'],
    properties: {
      text: WHOLE_TEXT,
      spans: SPANS,
      stanzas: {
        type: 'array',
        description: 'The stanzas, each a list of lines.',
        items: {
          type: 'array',
          items: {
            type: 'object',
            required: ['offset', 'text', 'phrase_id', 'quadranym_id'],
            properties: {
              offset: { type: 'integer', minimum: 0, description: 'Where the line begins in `text`, in characters.' },
              text: { type: 'string', description: 'The line.' },
              phrase_id: { type: 'integer', description: 'The phrase of the line.' },
              quadranym_id: { type: 'integer', description: 'The quadranym that the line is told with.' },
            },
          },
        },
      },
    },
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

/** With `zip`, the shorter list starts over. */
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
