/** ETags: a hash of the compact JSON; other renderings add a suffix. */
import { hash } from 'node:crypto'
import { type Precondition, problems } from '../../engine/index.ts'
import { type Answer, type CachedAnswer, type Headers, header, keptLines, type Request } from '../exchange/message.ts'

export function hashOf(json: string | Buffer): string {
  return hash('sha256', json, 'base64url').slice(0, HASH_LENGTH)
}

const HASH_LENGTH = 27

/** If-None-Match compares weakly, and `*` matches whatever exists. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch === etag || listed(ifNoneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}

/** Says that the client has the answer with these headers already. */
export function notModified({ 'Content-Encoding': _, ...headers }: Headers): Answer {
  return { status: 304, headers, body: '' }
}

/** The cached answer, or 304 when the client has it already. */
export function unlessKnown(request: Pick<Request, 'headers'>, cached: CachedAnswer): Answer {
  const { etag, headers, keep } = cached
  if (etag === undefined || !isKnown(header(request, 'if-none-match'), etag)) return cached
  cached.unchanged ??= withLines({ ...notModified(headers), keep })
  return cached.unchanged
}

function withLines(answer: Answer): Answer {
  return { ...answer, lines: keptLines(answer.headers) }
}

/** If-Match compares strongly, with the record as it is when it is written; any rendering of it will do. */
export function ifMatch(request: Request): Precondition | undefined {
  const condition = header(request, 'if-match')
  if (condition === undefined) return undefined
  const tags = listed(condition)
  return (...shown) => {
    const names = shown.map(hashOf)
    const isOf = (tag: string) => tag.startsWith('"') && names.includes(tag.slice(1, HASH_LENGTH + 1))
    const matches = tags.some((tag) => tag === '*' || isOf(tag))
    if (!matches) throw problems.stale()
  }
}

function listed(condition: string | undefined): string[] {
  return (condition ?? '').split(',').map((tag) => tag.trim())
}
