/** ETags: a hash of the compact JSON; other renderings add a suffix. */
import { hash } from 'node:crypto'
import { type Precondition, problems } from '../engine/index.ts'
import { header, type Request } from './message.ts'

export function hashOf(json: string | Buffer): string {
  return hash('sha256', json, 'base64url').slice(0, HASH_LENGTH)
}

const HASH_LENGTH = 27

/** If-None-Match compares weakly, and `*` matches whatever exists. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch === etag || listed(ifNoneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}

/** If-Match compares strongly, with the record at the time of the write; any rendering's ETag works. */
export function ifMatch(request: Request): Precondition {
  const condition = header(request, 'if-match')
  if (condition === undefined) return () => {}
  const tags = listed(condition)
  return (json) => {
    const name = hashOf(json)
    const matches = tags.some((tag) => tag === '*' || (tag.startsWith('"') && tag.slice(1, HASH_LENGTH + 1) === name))
    if (!matches) throw problems.stale()
  }
}

function listed(condition: string | undefined): string[] {
  return (condition ?? '').split(',').map((tag) => tag.trim())
}
