/** An address that only answers questions: GET, and OPTIONS, which says what it is. */
import type { Answered, Parameter } from '../../openapi/operation.ts'
import { described, ok } from '../../routing/options.ts'
import type { Handler, ListedMethod, Route } from '../../routing/router.ts'

interface Reading extends Omit<ListedMethod, 'summary' | 'description' | 'handle' | 'answers'> {
  readonly path: string
  readonly title: string
  readonly tag: string
  /** One sentence. */
  readonly does: string
  /** Further details. */
  readonly details: string
  readonly hasText?: boolean
  readonly schemas?: Route['schemas']
  readonly answer: Answered
}

/** A read-only address. */
export function readingRoute(
  { path, title, tag, does, details, hasText = false, schemas = {}, ...said }: Reading,
  handle: Handler,
): Route {
  const { answer, ...operation } = said
  return {
    path,
    title,
    tag,
    description: does,
    hasText,
    schemas,
    methods: {
      GET: {
        ...operation,
        summary: does,
        description: details,
        answers: { 200: answer },
        handle,
      },
      OPTIONS: described(() => ok({ name: title, description: does })),
    },
  }
}

export const wholeNumber = (name: string, description: string, byDefault: number, maximum: number): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'integer', minimum: 1, maximum, default: byDefault },
})
