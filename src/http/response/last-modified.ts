/**
 * `Last-Modified` of a record. A cache may guess from it how long the response stays fresh, so `no-cache` goes with it:
 * the ETag says whether the response still holds, because a record also shows others that change without it.
 */
import type { Headers } from '../exchange/message.ts'

export function lastModified(changed: number | undefined): Headers {
  return changed ? { 'Last-Modified': new Date(changed).toUTCString(), 'Cache-Control': 'no-cache' } : {}
}
