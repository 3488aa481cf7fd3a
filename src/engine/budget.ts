/**
 * Byte budgets. A record, with all it embeds, fits into one budget, which is checked when it is written; so a page of
 * the default size always fits into its own, and only a page of many large records is refused when it is read.
 */

import { type AnyRecord, type AnyResource, type Errors, fieldsOf, showRecord } from '../declare/index.ts'
import type { Work } from '../store/index.ts'
import type { Engine } from './engine.ts'
import { LIMITS } from './limits.ts'
import { problems } from './problem.ts'
import { showByIds } from './show.ts'

/** The maximum for all records that one record embeds, as JSON. */
const EMBEDDED_BYTES = 512 * 1024
const PAGE_BYTES = 8 * 1024 * 1024
/** Records also have members of their own. */
const OWN_SHARE = 1.5
/** A record up to this size may be embedded as often as lists allow: two hundred of them fit. */
const SMALL_BYTES = 2048
/** A larger one is checked in the records that embed it, if there are not too many. */
const MOST_HOLDERS = 20

/** What is wrong with the size of the embedded records, by member. */
export function faultsOfSize(resource: AnyResource, values: Readonly<Record<string, any>>): Errors {
  let bytes = 0
  for (const [key, field] of fieldsOf(resource)) {
    if (field.storage(key).in !== 'links' || values[key] === undefined) continue
    for (const record of values[key] as readonly AnyRecord[]) bytes += bytesOf(showRecord(record))
    if (bytes <= EMBEDDED_BYTES) continue
    return {
      [field.members(key)[0]!]: [`Ensure the embedded records have no more than ${EMBEDDED_BYTES} bytes in all.`],
    }
  }
  return {}
}

/** A record that has grown must not make those that embed it too large. */
export function* checkGrowth(
  engine: Engine,
  target: AnyResource,
  id: number,
  { before, after }: { readonly before: string; readonly after: string },
): Work<void> {
  if (bytesOf(after) <= Math.max(SMALL_BYTES, bytesOf(before))) return
  const refuse = (message: string) => problems.invalid({ non_field_errors: [message] })
  for (const resource of engine.catalogue) {
    for (const [key, field] of fieldsOf(resource)) {
      const storage = field.storage(key)
      if (storage.in !== 'links' || storage.to !== target) continue
      const holders = yield* engine.store.records.holders(resource, key, id)
      if (holders.length > MOST_HOLDERS) {
        throw refuse(`More than ${MOST_HOLDERS} records embed it: ensure it has no more than ${SMALL_BYTES} bytes.`)
      }
      for (const holder of yield* showByIds(engine.store, { resource }, holders)) {
        if (bytesOf(holder.json) <= EMBEDDED_BYTES) continue
        throw refuse(
          `It would make ${resource.name} ${holder.id}, which embeds it, larger than ${EMBEDDED_BYTES} bytes.`,
        )
      }
    }
  }
}

/** Adds up the size of a page while it is built: first roughly, then to the byte. */
export class PageBudget {
  readonly #parameter: string
  readonly #most: number
  #length = 0

  /** `parameter` says how many records are asked for. As many as by default have room, however large they are. */
  constructor(parameter: string, defaultSize: number = LIMITS.pageSize) {
    this.#parameter = parameter
    this.#most = Math.max(PAGE_BYTES, OWN_SHARE * defaultSize * EMBEDDED_BYTES)
  }

  /** Counting characters is cheap; in bytes there are at least as many. */
  add(json: string): void {
    this.#length += json.length
    if (this.#length > this.#most) this.#refuse()
  }

  check<T extends readonly { readonly bytes: Buffer }[]>(parts: T): T {
    let bytes = 0
    for (const part of parts) bytes += part.bytes.length
    if (bytes > this.#most) this.#refuse()
    return parts
  }

  #refuse(): never {
    const megabytes = Math.floor(this.#most / 1024 / 1024)
    throw problems.invalid({
      [this.#parameter]: [`The response would have more than ${megabytes} MiB. Ask for fewer records.`],
    })
  }
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}
