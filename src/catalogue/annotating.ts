/**
 * POST /api/qode/annotate/: finds the words of a text that are terms of given quadranyms, or of quadranyms that fit it.
 */
import { type JsonObject, many, type RecordOf, type Schema, service, showRecord } from '../declare/index.ts'
import {
  type AnnotatedToken,
  annotate,
  annotatedTokens,
  baseForms,
  charactersIn,
  FormIndex,
  Passage,
  scoreOf,
  splitWords,
  subs,
  suggest,
} from '../language/index.ts'
import { sortByWords } from './annotated.ts'
import { TOKEN_MEMBERS } from './common.ts'
import { quadranym } from './quadranym.ts'
import { freeText, INDEX, MOST_QUADRANYMS, SLOT, TAG } from './spinning.ts'

type Quadranym = RecordOf<typeof quadranym>

const RECORD: Schema = { $ref: '#/components/schemas/quadranym' }

export const annotateService = service({
  path: 'qode/annotate',
  title: 'Qode Annotate',
  does: 'Marks the words of a text that are forms of terms: of the quadranyms given, or of those that fit it best.',
  details:
    'With the text as its `body`, you can post the response as a fortune. Without `quadranyms`, the server suggests some and uses up to three.',
  takes: {
    text: freeText('The text whose words are marked.'),
    quadranyms: many(quadranym, {
      min: 0,
      max: MOST_QUADRANYMS,
      does: 'The quadranyms to mark words with; the server suggests some when there are none.',
    }),
  },
  candidates: {
    of: quadranym,
    most: 1000,
    terms: ({ text, quadranyms }) =>
      quadranyms.length > 0 ? [] : [...new Set(distinctWords(text).flatMap(baseForms))],
  },
  answers: {
    type: 'object',
    required: ['qode', 'tokens', 'subs', 'depth', 'q1', 'q2', 'unmatched', 'suggested'],
    properties: {
      qode: {
        type: 'string',
        description: 'The text with tokens, empty when no word matched. Indexes count through `q2`, then `q1`.',
      },
      tokens: {
        type: 'array',
        description: 'The words that were marked, in order.',
        items: {
          type: 'object',
          required: ['word', 'offset', 'index', 'slot', 'tag', 'margin'],
          properties: {
            word: { type: 'string', description: 'The word as the text has it.' },
            offset: { type: 'integer', minimum: 0, description: 'Where it begins in the text, in characters.' },
            index: INDEX,
            slot: SLOT,
            tag: TAG,
            margin: { type: 'number', description: 'How sure the tag is. Below 3, ask a person.' },
          },
        },
      },
      subs: { type: 'string', description: TOKEN_MEMBERS.subs },
      depth: { type: 'integer', minimum: 0, description: 'The number of quadranyms used.' },
      q1: { type: 'array', items: RECORD, description: 'Those with one word in the text.' },
      q2: { type: 'array', items: RECORD, description: 'Those with two words or more.' },
      unmatched: { type: 'array', items: RECORD, description: 'The given quadranyms without a word in the text.' },
      suggested: {
        type: 'array',
        description: 'The quadranyms that fit best, when none were given.',
        items: {
          type: 'object',
          required: ['quadranym', 'score', 'words', 'slots'],
          properties: {
            quadranym: { ...RECORD, description: 'The quadranym.' },
            score: { type: 'number', description: 'How well it fits: higher is better.' },
            words: { type: 'integer', minimum: 1, description: 'How many words it would mark by itself.' },
            slots: { type: 'string', description: 'The slots of those words, in the order of the text.' },
          },
        },
      },
    },
  },
  answer({ text, quadranyms }, candidates: readonly Quadranym[]) {
    const passage = new Passage(text)
    const suggested = quadranyms.length > 0 ? [] : suggestionsFor(passage, candidates)
    const used = quadranyms.length > 0 ? quadranyms : bestOf(passage, suggested)
    const { qode, tokens: marked, unmatched } = annotate(passage, used)
    const matched = used.filter((each) => !unmatched.includes(each))
    // Numbered as in a fortune, so that a client can post the response as one.
    const numbered = sortByWords({ body: text, qode, q1: matched, q2: [] })
    if ('errors' in numbered) return numbered
    const { q1, q2 } = numbered.value
    const order = [...q2, ...q1]
    const characters = charactersIn(text)
    return {
      value: {
        qode: numbered.value.qode,
        tokens: marked.map((token) => ({
          ...token,
          offset: characters(token.offset),
          index: order.indexOf(used[token.index - 1]!) + 1,
        })),
        subs: subs(qode),
        depth: order.length,
        q1: q1.map(shown),
        q2: q2.map(shown),
        unmatched: unmatched.map(shown),
        suggested: suggested.map((each) => ({ ...each, quadranym: shown(each.quadranym) })),
      },
    }
  },
})

function distinctWords(text: string): string[] {
  return [...new Set(splitWords(text).map((word) => word.text))]
}

interface Suggested {
  readonly quadranym: Quadranym
  readonly score: number
  readonly words: number
  readonly slots: string
}

const MOST_LOOKED_AT = 30
/** More would say less: most English words are in some quadranym. */
const MOST_SUGGESTED = 10
const MOST_USED = 3

/** The quadranyms that would mark at least one meaningful word, with what they would mark, best first. */
function suggestionsFor(passage: Passage, candidates: readonly Quadranym[]): Suggested[] {
  const index = new FormIndex(candidates, passage.distinctWords)
  const found = suggest(passage, index, { limit: MOST_LOOKED_AT }).flatMap(({ place }) => {
    const quadranym = candidates[place]!
    const marked = annotatedTokens(passage, [quadranym])
    if (!fitsWell(marked)) return []
    const score = Math.round(scoreOf(marked, index) * 1000) / 1000
    return { quadranym, score, words: marked.length, slots: marked.map(({ slot }) => slot).join('') }
  })
  return found.sort((a, b) => b.score - a.score).slice(0, MOST_SUGGESTED)
}

/** The best that still fit when those before them have taken their words; none if only function words remain. */
function bestOf(passage: Passage, suggested: readonly Suggested[]): Quadranym[] {
  const used: Quadranym[] = []
  let says = false
  for (const { quadranym } of suggested) {
    if (used.length === MOST_USED) break
    const marked = annotatedTokens(passage, [...used, quadranym])
    if (!fitsWell(marked.filter(({ index }) => index > used.length))) continue
    used.push(quadranym)
    says = marked.some(saysSomething)
  }
  return says ? used : []
}

/** "What goes up must come down": two slots of one quadranym are not a coincidence, even if its words are small. */
function fitsWell(marked: readonly AnnotatedToken[]): boolean {
  return marked.some(saysSomething) || new Set(marked.map(({ slot }) => slot)).size > 1
}

const FUNCTION_TAGS: ReadonlySet<string> = new Set(['IN', 'TO', 'RP', 'WRB'])
/** Auxiliary verbs, and the particles that go with verbs. */
const HELPERS: ReadonlySet<string> = new Set(
  `be am is are was were been being have has had having do does did done doing up down in out on off over away back
   about around through by along across under`.split(/\s+/),
)

/** A function word says nothing about the subject of a text. */
function saysSomething({ word, tag }: AnnotatedToken): boolean {
  return !FUNCTION_TAGS.has(tag) && !HELPERS.has(word.toLowerCase())
}

function shown(record: Quadranym): JsonObject {
  return JSON.parse(showRecord(record))
}
