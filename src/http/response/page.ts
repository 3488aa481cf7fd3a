/** A page of a list as an answer, and the links between pages: the request's own address with another page named. */
import { ownBytes } from '../../cache/index.ts'
import type { Page, Part } from '../../engine/index.ts'
import type { Headers, JsonOutcome, Keep, Request } from '../exchange/message.ts'
import { hashOf } from './etag.ts'

export interface PageLinks {
  readonly first: string
  readonly prev?: string
  readonly next?: string
  readonly last: string
}

export function pageLinks({ base, path, query }: Request): (page: Pick<Page, 'number' | 'last'>) => PageLinks {
  const start = `${base}${path}?`
  const withPage = query.withEach('page')
  const to = (page: number) => start + withPage(page)
  return ({ number, last }) => ({
    first: to(1),
    ...(number > 1 ? { prev: to(number - 1) } : {}),
    ...(number < last ? { next: to(number + 1) } : {}),
    last: to(last),
  })
}

/** The JSON around the records of a page; it stays the same until a record is added or removed. */
interface Frame extends Pick<Page, 'count' | 'number' | 'last'> {
  readonly start: string
  readonly bytes: Buffer
  readonly headers: Headers
  /** Of the last parts, and of the whole. */
  parts: string
  hash: string
}

/** Shows pages of one list, requested in one way. */
export function pageShower(request: Request, headers: Headers = {}): (page: Page, keep?: Keep) => JsonOutcome {
  const linksTo = pageLinks(request)
  let frame: Frame | undefined
  return (page, keep) => {
    if (frame?.count !== page.count || frame.number !== page.number || frame.last !== page.last) {
      frame = frameOf(page, linksTo(page), headers)
    }
    let parts = ''
    for (const part of page.parts) parts += part.hash
    if (parts !== frame.parts || frame.hash === '') {
      frame.parts = parts
      frame.hash = hashOf(frame.start + parts)
    }
    return new ShownPage(frame, page.parts, keep)
  }
}

function frameOf({ count, number, last }: Page, links: PageLinks, others: Headers): Frame {
  const [before, after] = [JSON.stringify(links.prev ?? null), JSON.stringify(links.next ?? null)]
  const start = `{"count":${count},"next":${after},"previous":${before},"results":[`
  const headers = { Link: linkHeader(links), ...others }
  return { count, number, last, start, bytes: ownBytes(start), headers, parts: '', hash: '' }
}

/** In the order first, prev, next, last. */
export function linkHeader(links: PageLinks): string {
  return Object.entries(links)
    .map(([rel, url]) => `<${url}>; rel="${rel}"`)
    .join(', ')
}

const COMMA = Buffer.from(',')
const END = Buffer.from(']}')

/** A page as bytes; the text is made only for other renderings. */
class ShownPage implements JsonOutcome {
  readonly status = 200
  readonly pieces: readonly Buffer[]
  readonly hash: string
  readonly headers: Headers
  readonly keep?: Keep

  constructor({ bytes, hash, headers }: Frame, parts: readonly Part[], keep: Keep | undefined) {
    const pieces = [bytes]
    for (let i = 0; i < parts.length; i++) {
      if (i > 0) pieces.push(COMMA)
      pieces.push(parts[i]!.bytes)
    }
    pieces.push(END)
    this.pieces = pieces
    this.hash = hash
    this.headers = headers
    if (keep) this.keep = keep
  }

  get json(): string {
    return Buffer.concat(this.pieces).toString()
  }
}
