/** Tells stories and tales: their lines, one after the other, as one text. */
import type { JsonObject, Parsed, Schema } from '../declare/index.ts'
import { depth, type Quadranym, spin } from '../language/index.ts'
import { untagged } from './common.ts'
import { MOST_TOLD, NOTHING, Recital, SPANS, shownSpun, TOO_LONG_TO_TELL, WHOLE_TEXT } from './spinning.ts'

/** The phrase with this name is a paragraph break in a story; it may have no token. */
export const BREAK = '-'

const TOLD_LINE: Schema = {
  type: 'object',
  required: ['rank', 'quadranym_id'],
  properties: {
    rank: { type: 'integer', minimum: 0, description: 'The place of the line, counted from 0.' },
    offset: { type: 'integer', minimum: 0, description: 'Where a line of a story begins in `text`, in characters.' },
    text: { type: 'string', description: 'A line of a story; empty for a paragraph break without words.' },
    phrase_id: { type: 'integer', description: 'The phrase of a line of a story.' },
    quadranym_id: { type: 'integer', description: 'The quadranym that the line is told with.' },
  },
}

export const TOLD: Schema = {
  title: 'told',
  type: 'object',
  required: ['text', 'spans', 'lines'],
  properties: {
    text: WHOLE_TEXT,
    spans: SPANS,
    lines: { type: 'array', items: TOLD_LINE, description: 'The lines that the text is made of, by rank.' },
  },
}

interface StoryLine {
  readonly rank: number
  readonly phrase: { readonly id: number; readonly name: string; readonly qode: string; readonly width: number }
  readonly quadranym: Quadranym & { readonly id: number }
}

/** Sentences follow each other; a break begins a new paragraph, with its own words if it has any. */
export function tellStory(lines: readonly StoryLine[]): Parsed<JsonObject> {
  if (lines.reduce((sum, { phrase }) => sum + phrase.width, 0) > MOST_TOLD) {
    return { errors: { non_field_errors: [TOO_LONG_TO_TELL] } }
  }
  const recital = new Recital()
  const told: JsonObject[] = []
  let isNewParagraph = false
  for (const { rank, phrase, quadranym } of lines) {
    if (recital.isTooLong) return { errors: { non_field_errors: [TOO_LONG_TO_TELL] } }
    const spun = spin(phrase.qode, [quadranym], untagged)
    const isBreak = phrase.name === BREAK
    const isSilent = isBreak && !/[\p{L}\p{N}]/u.test(spun.text)
    if (!isSilent && !recital.isEmpty) recital.pause(isBreak || isNewParagraph ? '\n\n' : ' ')
    const line = recital.say(isSilent ? NOTHING : spun)
    told.push({ rank, ...line, phrase_id: phrase.id, quadranym_id: quadranym.id })
    isNewParagraph = isBreak
  }
  return { value: { ...recital.told, lines: told } }
}

interface TaleLine {
  readonly rank: number
  readonly quadranym: Quadranym & { readonly id: number }
}

/** Rank r fills index r + 1; a topic that no line fills shows as its token. */
export function tellTale(qode: string, lines: readonly TaleLine[]): Parsed<JsonObject> {
  const byIndex: Quadranym[] = []
  for (const { rank, quadranym } of lines) byIndex[rank] = quadranym
  // Long enough for every index, filled or not, so that existing lines do not move up.
  byIndex.length = Math.max(byIndex.length, depth(qode, untagged))
  const spun = spin(qode, byIndex, untagged)
  const told = lines.map(({ rank, quadranym }) => ({ rank, quadranym_id: quadranym.id }))
  const { text, spans } = shownSpun(spun)
  return { value: { text, spans, lines: told } }
}
