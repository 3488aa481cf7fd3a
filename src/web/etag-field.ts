/** The field of a form that carries the ETag of its record, so that the write is refused if the record has changed. */
import { type Content, html } from './html.ts'

export const ETAG = '_etag'

export function etagField(etag: string): Content {
  return html`<input type="hidden" name=${ETAG} value=${etag} />`
}

export function etagOfForm(posted: ReadonlyMap<string, readonly string[]>): string | undefined {
  return readEtag(posted.get(ETAG)?.at(-1))
}

/** As visitors bring it: it is sent on as a header. */
export function readEtag(given: unknown): string | undefined {
  return typeof given === 'string' && /^"[!#-~]{1,100}"$/.test(given) ? given : undefined
}
