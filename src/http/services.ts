/** Questions about free text: POST, answered, and nothing stored. */
import type { Fields, JsonObject, Service } from '../declare/index.ts'
import { answerService, type Engine } from '../engine/index.ts'
import { membersIn, membersOf } from './body.ts'
import type { Query } from './query.ts'
import type { Route } from './router.ts'

export function serviceRoutes(engine: Engine, services: readonly Service[]): Route[] {
  return services.map((service) => {
    const { path, title, does, takes } = service
    return {
      path: `/api/${path}/`,
      title,
      description: does,
      methods: {
        async POST(call) {
          const given = membersOf(await call.readBody(), { fields: takes })
          return { status: 200, json: JSON.stringify(await answerService(engine, service, given)) }
        },
        OPTIONS: () => ({ status: 200, json: JSON.stringify({ name: title, description: does }) }),
      },
    }
  })
}

/** What a query gives for the fields of a question. */
export function givenBy(query: Query, fields: Fields): JsonObject {
  return membersIn(query.pairs, fields)
}
