import type { Json } from '../declare/index.ts'

/** The same members in any order give the same text. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
