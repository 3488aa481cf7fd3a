/** OPTIONS: what an address is. */
import type { Keep, Outcome } from './message.ts'
import { schemaRef } from './openapi/operation.ts'
import type { Handler, ListedMethod } from './router.ts'

export const ok = (value: unknown, keep?: Keep): Outcome => ({
  status: 200,
  json: JSON.stringify(value),
  ...(keep ? { keep } : {}),
})

export function described(title: string, handle: Handler): ListedMethod {
  return {
    summary: `What ${title} is`,
    answers: { 200: { says: 'Its name, its description, and what may be sent.', schema: schemaRef('description') } },
    handle,
  }
}
