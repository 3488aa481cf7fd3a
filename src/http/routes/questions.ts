/** Questions about one record, which resources declare: /api/fortune/7/spin/. */
import type { JsonObject, Schema } from '../../declare/index.ts'
import { answerQuestion, type Collection, collectionsOf, type Engine, titleOf } from '../../engine/index.ts'
import { askAbout } from '../openapi/examples.ts'
import type { First, Operation } from '../openapi/operation.ts'
import { questionParameters, RECORD_ID } from '../openapi/parameters.ts'
import { everyCollection } from '../routing/every-collection.ts'
import { described, ok } from '../routing/options.ts'
import { recordId } from '../routing/path-parameters.ts'
import type { Call, Route } from '../routing/router.ts'
import { givenBy } from './services.ts'

interface Asked {
  readonly collection: Collection
  readonly name: string
}

export function questionRoutes(engine: Engine): Route[] {
  const asked = collectionsOf(engine.catalogue).flatMap((collection): Asked[] =>
    collection.only ? [] : Object.keys(collection.resource.questions ?? {}).map((name) => ({ collection, name })),
  )
  return [...Map.groupBy(asked, ({ name }) => name)].flatMap(([name, same]) => {
    const ways = new Set(same.map((each) => JSON.stringify(describe(each))))
    // The document lists a question once if all collections that have it describe it in the same words.
    return same.length > 1 && ways.size === 1
      ? sharedRoutes(engine, name, same)
      : same.map((each) => ownRoute(engine, each))
  })
}

function ownRoute(engine: Engine, asked: Asked): Route {
  const { collection, name } = asked
  const { does, takes = {}, answers } = questionOf(asked)
  const title = `${titleOf(collection)} ${titled(name)}`
  return {
    path: `/api/${collection.name}/:id/${name}/`,
    title,
    tag: collection.name,
    description: does,
    hasText: isText(answers),
    methods: {
      GET: {
        ...describe(asked),
        example: (first) => askAbout(collection, takes, first),
        handle: (call) => answer(engine, asked, call),
      },
      OPTIONS: described(() => ok({ name: title, description: does })),
    },
  }
}

function sharedRoutes(engine: Engine, name: string, same: readonly Asked[]): Route[] {
  const [first] = same
  if (!first) return []
  const { does, answers } = questionOf(first)
  const route = {
    path: `/api/:collection/:id/${name}/`,
    title: titled(name),
    tag: 'records',
    description: does,
    hasText: isText(answers),
    methods: {
      GET: {
        ...describe(first),
        example: (collection: Collection, records: First) =>
          askAbout(collection, questionOf({ collection, name }).takes ?? {}, records),
        handle: (collection: Collection, call: Call) => answer(engine, { collection, name }, call),
      },
    },
  }
  return everyCollection(
    route,
    same.map(({ collection }) => collection),
  )
}

function questionOf({ collection, name }: Asked) {
  return collection.resource.questions![name]!
}

function describe(asked: Asked): Operation {
  const { does, details = does, answers, takes = {}, needs = [] } = questionOf(asked)
  return {
    summary: does,
    description: details,
    parameters: [RECORD_ID, ...questionParameters(takes, needs)],
    answers: { 200: { says: 'The answer.', schema: answers } },
  }
}

async function answer(engine: Engine, asked: Asked, call: Call) {
  const { takes = {}, plain = plainOf } = questionOf(asked)
  const given = givenBy(call.query, takes)
  const answered = await answerQuestion(engine, asked.collection, recordId(call), asked.name, given)
  // A question may refer to any record.
  const keep = { of: engine.catalogue.map(({ name }) => name) }
  return { status: 200, json: JSON.stringify(answered), plain: plain(answered), keep }
}

function titled(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** A response that has a text is also available as that text. */
function isText(answers: Schema): boolean {
  return 'text' in ((answers['properties'] ?? {}) as object)
}

function plainOf(answer: JsonObject): string | undefined {
  return typeof answer['text'] === 'string' ? answer['text'] : undefined
}
