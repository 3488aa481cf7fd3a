/** Stories and tales told: their lines, one after the other, as one text. */
import type { JsonObject, Parsed, Schema } from '../declare/index.ts'
import { type Quadranym, spin } from '../language/index.ts'
import { untagged } from './common.ts'
import { SPANS, shownSpans } from './spinning.ts'

/** The phrase of this name is a paragraph break in a story; it may hold no token. */
export const BREAK = '-'

const TOLD_LINE: Schema = {
  type: 'object',
  required: ['rank', 'text'],
  properties: {
    rank: { type: 'integer', minimum: 0 },
    text: { type: 'string' },
    phrase_id: { type: 'integer' },
    quadranym_id: { type: 'integer' },
  },
  additionalProperties: false,
}

export const TOLD: Schema = {
  type: 'object',
  required: ['text', 'spans', 'lines'],
  properties: { text: { type: 'string' }, spans: SPANS, lines: { type: 'array', items: TOLD_LINE } },
  additionalProperties: false,
}

interface StoryLine {
  readonly rank: number
  readonly phrase: { readonly id: number; readonly name: string; readonly qode: string }
  readonly quadranym: Quadranym & { readonly id: number }
}

/** Sentences follow each other; a break begins a new paragraph, with its own words when it has any. */
export function tellStory(lines: readonly StoryLine[]): Parsed<JsonObject> {
  let text = ''
  const spans: JsonObject[] = []
  const told: JsonObject[] = []
  let atBreak = true
  for (const { rank, phrase, quadranym } of lines) {
    const spun = spin(phrase.qode, [quadranym], untagged)
    const isBreak = phrase.name === BREAK
    const isSilent = isBreak && !/[\p{L}\p{N}]/u.test(spun.text)
    if (isBreak && text !== '') text = `${text.trimEnd()}\n\n`
    else if (!atBreak) text += ' '
    if (!isSilent) {
      spans.push(...shownSpans(spun, [...text].length))
      text += spun.text
    }
    atBreak = isBreak
    if (isBreak && !isSilent) text += '\n\n'
    told.push({ rank, text: isSilent ? '' : spun.text, phrase_id: phrase.id, quadranym_id: quadranym.id })
  }
  return { value: { text: text.trimEnd(), spans, lines: told } }
}

interface TaleLine {
  readonly rank: number
  readonly quadranym: Quadranym & { readonly id: number }
}

/** Rank r fills index r + 1; a topic that no line fills shows as its token. */
export function tellTale(qode: string, lines: readonly TaleLine[]): Parsed<JsonObject> {
  const byIndex: Quadranym[] = []
  for (const { rank, quadranym } of lines) byIndex[rank] = quadranym
  const spun = spin(qode, byIndex, untagged)
  const told = lines.map(({ rank, quadranym }) => ({ rank, text: quadranym.name, quadranym_id: quadranym.id }))
  return { value: { text: spun.text, spans: shownSpans(spun), lines: told } }
}
