/** Tells the kinds of JSON values apart, for the compiler too: `Array.isArray` alone does not know read-only lists. */
import type { Json, JsonObject } from './field.ts'

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** A value as text. `String` fails for an object that has a member `toString`. */
export function textOfJson(value: Json | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
