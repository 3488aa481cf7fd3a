/** /api/user/: people, their points, levels, badges and games. */
import { type Engine, type Person, partsOf, readPeople, readProfile } from '../../engine/index.ts'
import { NAMES_CHANGED, STANDINGS_CHANGED } from '../../store/index.ts'
import type { JsonOutcome, Keep } from '../exchange/message.ts'
import { type Parameter, TEXT } from '../openapi/operation.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import { pageShower } from '../response/page.ts'
import { described, ok } from '../routing/options.ts'
import type { Route } from '../routing/router.ts'
import { pageOf } from './hook-schemas.ts'
import { PERSON } from './play-schemas.ts'

export const USER_NAME: Parameter = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'The user name.',
  schema: TEXT,
}

export function peopleRoutes(engine: Engine, pageSize: number): Route[] {
  const keep: Keep = {
    of: [...engine.catalogue.map(({ name }) => name), STANDINGS_CHANGED.resource, NAMES_CHANGED.resource],
  }
  const about = (name: string, description: string) => described(() => ok({ name, description }))
  return [
    {
      path: '/api/user/',
      title: 'User List',
      tag: 'play',
      methods: {
        GET: {
          summary: 'People',
          description: 'Most points first, up to 10,000.',
          parameters: ['page', 'page_size'],
          answers: { 200: { says: 'A page.', schema: pageOf(PERSON) } },
          async handle(call) {
            const { query } = call
            const wanted = { number: wantedPage(query.get('page')), size: wantedSize(query.get('page_size'), pageSize) }
            const { rows, ...place } = await readPeople(engine, wanted)
            const parts = partsOf(rows.map((row) => JSON.stringify(shown(row))))
            return pageShower(call)({ ...place, parts }, keep)
          },
        },
        OPTIONS: about('User List', 'People and their points.'),
      },
    },
    {
      path: '/api/user/:name/',
      title: 'User Instance',
      tag: 'play',
      methods: {
        GET: {
          summary: 'A person',
          description: 'With badges and games.',
          parameters: [USER_NAME],
          answers: { 200: { says: 'The person.', schema: PERSON } },
          async handle({ places }): Promise<JsonOutcome> {
            const { badges, games, ...person } = await readProfile(engine, places['name'] ?? '')
            const earned = badges.map(({ title, does }) => ({ title, does }))
            return { status: 200, json: JSON.stringify({ ...shown(person), badges: earned, games }), keep }
          },
        },
        OPTIONS: about('User Instance', 'A person and their points.'),
      },
    },
  ]
}

function shown({ level: { title, does }, next, ...rest }: Person): object {
  return { ...rest, level: { title, does }, next: next ?? null }
}
