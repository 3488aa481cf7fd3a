/** OPTIONS: describes an address. */
import type { Keep, Outcome } from './message.ts'
import type { Handler, UnlistedMethod } from './router.ts'

export const ok = (value: unknown, keep?: Keep): Outcome => ({
  status: 200,
  json: JSON.stringify(value),
  ...(keep ? { keep } : {}),
})

/** Every address has it, and the OpenAPI document says so once. */
export function described(handle: Handler): UnlistedMethod {
  return { unlisted: true, handle }
}
