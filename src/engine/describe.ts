/** What OPTIONS says of a collection or of one of its records. */
import type { JsonObject } from '../declare/index.ts'
import { type Collection, titleOf } from './collection.ts'

export function describe(collection: Collection, what: 'List' | 'Instance'): JsonObject {
  return {
    name: `${titleOf(collection)} ${what}`,
    description: collection.resource.does,
    renders: ['application/json', 'text/html'],
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  }
}
