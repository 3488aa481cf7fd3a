/** OPTIONS: what an address is. */
import type { Keep, Outcome } from '../exchange/message.ts'
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
