/** What /api/fit/ takes and returns, under the names that the catalogue has for texts, topics and groups. */
import type { Schema } from '../../declare/index.ts'
import { COUNT, exactly, ID, listOf, means, TEXT, TIME } from '../openapi/operation.ts'

export interface FitNames {
  readonly text: string
  readonly topic: string
  readonly group: string
}

export function fitSchemas({ text, topic, group }: FitNames) {
  const pair = { [text]: means(ID, `The id of the ${text}.`), [topic]: means(ID, `The id of the ${topic}.`) }
  const counts = { yes: means(COUNT, 'How many people say yes.'), no: means(COUNT, 'How many people say no.') }
  const judged = means({ type: ['boolean', 'null'] }, 'Whether it reads well; null for no judgement.')
  const JUDGEMENT: Schema = {
    title: 'judgement',
    ...exactly({ ...pair, fits: judged, 'at?': { ...TIME, readOnly: true, description: 'When it was judged.' } }),
  }
  const RESULT: Schema = {
    title: 'fit-result',
    ...exactly({
      ...Object.fromEntries(Object.entries(pair).map(([name, schema]) => [`${name}?`, schema])),
      [`${group}?`]: means(TEXT, `The ${group} of the ${topic}; empty for none.`),
      ...counts,
      'fits?': means({ type: 'boolean' }, 'Your judgement, in a grid.'),
      'pairs?': means(COUNT, 'How many pairs were judged.'),
      'agreement?': means(
        { type: ['number', 'null'], minimum: 0, maximum: 1 },
        'How often two people agree about a pair; null if no two people judged the same one.',
      ),
    }),
  }
  const GRID = exactly({
    cells: means(listOf(RESULT), 'The pairs.'),
    next: means({ anyOf: [RESULT, { type: 'null' }] }, 'The pair to judge next; null if you have judged all.'),
  })
  return { JUDGEMENT, RESULT, GRID }
}
