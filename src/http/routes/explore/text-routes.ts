/** Questions about a text that use the words and sets of the catalogue: what it is near to, and which sets speak of it. */
import { type Engine, feel, holdsSlots, LONGEST_TEXT, MOST_NEAR_TERMS, orient } from '../../../engine/index.ts'
import { exactly, ID, listOf, means, type Parameter, TEXT } from '../../openapi/operation.ts'
import { ok } from '../../routing/options.ts'
import type { Route } from '../../routing/router.ts'
import { anything } from './answers.ts'
import { readingRoute } from './reading-route.ts'

const GIVEN: Parameter = {
  name: 'text',
  in: 'query',
  required: true,
  description: 'The text. The server does not store it.',
  schema: { type: 'string', minLength: 1, maxLength: LONGEST_TEXT },
}
const TERMS: Parameter = {
  name: 'term',
  in: 'query',
  required: true,
  description: 'A term; repeat it for several.',
  schema: { ...listOf({ ...TEXT, examples: ['joy'] }), maxItems: MOST_NEAR_TERMS },
}
const IMPORTED = means({ type: 'boolean' }, 'Whether WordNet was imported. If not, the server knows only common words.')
const BECAUSE = listOf(exactly({ word: means(TEXT, 'A word of the text.'), says: means(TEXT, 'The reason.') }))
const NEAR = exactly({
  term: means(TEXT, 'The term.'),
  nearness: means({ type: 'number', minimum: 0, maximum: 1 }, 'How near it is, from 0 to 1.'),
  because: means(BECAUSE, 'Why, the closest words first.'),
})
const SETS = listOf({
  title: 'oriented-set',
  ...exactly({
    resource: means(TEXT, 'The collection of the set.'),
    id: means(ID, 'Its id.'),
    name: means(TEXT, 'Its name.'),
    words: means(listOf(TEXT), 'The words of the text that it speaks of.'),
  }),
})

export function textRoutes(engine: Engine): Route[] {
  if (!engine.catalogue.some(holdsSlots)) return []
  return [
    readingRoute(
      {
        path: '/api/feel/',
        title: 'Feel',
        tag: 'text',
        does: 'Which term is nearest to a text.',
        details: 'By the words that have to do with each other in WordNet.',
        parameters: [GIVEN, TERMS],
        answer: {
          says: 'The terms, the nearest first.',
          schema: exactly({ imported: IMPORTED, terms: means(listOf(NEAR), 'All terms.') }),
        },
        example: () => [{ query: 'text=a+ship+on+the+ocean&term=fire&term=water' }],
      },
      async ({ query }) => ok(await feel(engine, query.get('text'), query.all('term')), anything(engine)),
    ),
    readingRoute(
      {
        path: '/api/orient/',
        title: 'Orient',
        tag: 'text',
        does: 'Which sets speak of a text.',
        details: 'In three layers, up to 12 sets in each.',
        parameters: [GIVEN],
        answer: {
          says: 'The layers.',
          schema: exactly({
            imported: IMPORTED,
            general: means(SETS, 'Words of the text are kinds of one of its words.'),
            near: means(SETS, 'One of its words is in the text.'),
            particular: means(SETS, 'Its name, or several of its words, are in the text.'),
          }),
        },
        example: () => [{ query: 'text=ocean' }],
      },
      async ({ query }) => ok(await orient(engine, query.get('text')), anything(engine)),
    ),
  ]
}
