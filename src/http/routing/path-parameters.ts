/** The values of the parameters in a path. */
import { problems } from '../../engine/index.ts'
import type { Call } from './router.ts'

export function recordId({ places, identity, method }: Call): number {
  const id = places['id'] ?? ''
  if (/^[1-9][0-9]{0,14}$/.test(id)) return Number(id)
  // A missing permission is reported before anything else.
  if (!identity.actor && method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') throw problems.notSignedIn()
  throw problems.notFound()
}
