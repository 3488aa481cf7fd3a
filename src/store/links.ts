/** The links of a record: the records that a list of it holds, in their order. */
import type { AnyResource } from '../declare/index.ts'
import { query, type Work } from './database.ts'
import { quoted } from './dialect.ts'
import { linkName } from './schema.ts'

export function* insertLinks(
  resource: AnyResource,
  key: string,
  holder: number,
  targets: readonly { readonly id: number }[],
): Work<void> {
  for (const [place, target] of targets.entries()) {
    yield* query(
      `INSERT INTO ${quoted(linkName(resource, key))} (holder, place, target) VALUES (?, ?, ?)`,
      holder,
      place,
      target.id,
    )
  }
}
