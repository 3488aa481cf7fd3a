/** Questions about free text: answered by POST, without storing anything. */
import type { Fields, JsonObject, Schema, Service } from '../../declare/index.ts'
import { answerService, type Engine } from '../../engine/index.ts'
import type { Query } from '../exchange/query.ts'
import { askOfText } from '../openapi/examples.ts'
import { means } from '../openapi/operation.ts'
import { membersIn, membersOf } from '../request/body.ts'
import { described, ok } from '../routing/options.ts'
import type { Route } from '../routing/router.ts'

export function serviceRoutes(engine: Engine, services: readonly Service[]): Route[] {
  return services.map((service) => {
    const { path, title, does, details = does, takes } = service
    return {
      path: `/api/${path}/`,
      title,
      tag: 'text',
      description: does,
      isStateless: true,
      methods: {
        POST: {
          summary: does,
          description: `${details} Nothing is stored.`,
          body: { schema: bodyOf(takes) },
          answers: { 200: { says: 'The answer.', schema: service.answers } },
          example: (first) => askOfText(engine.catalogue, takes, first),
          async handle(call) {
            const given = membersOf(await call.readBody(), { fields: takes })
            return ok(await answerService(engine, service, given))
          },
        },
        OPTIONS: described(() => ok({ name: title, description: does })),
      },
    }
  })
}

function bodyOf(takes: Fields): Schema {
  const given = Object.entries(takes).flatMap(([key, field]) => Object.entries(field.schema(key)))
  return {
    type: 'object',
    required: given.filter(([, { required }]) => required).map(([member]) => member),
    properties: Object.fromEntries(given.map(([member, { given: schema, does }]) => [member, means(schema!, does)])),
  }
}

/** The query parameters for the fields of a question. */
export function givenBy(query: Query, fields: Fields): JsonObject {
  return membersIn(query.pairs, fields)
}
