/**
 * Method override: forms of our own pages can do what HTML forms cannot. `_method` is the intended method, `_content` a
 * JSON body, `_match` the ETag for If-Match. Only our pages send them; a program uses the method itself.
 */

import { textOfJson } from '../../declare/index.ts'
import { header, type Request } from '../exchange/message.ts'
import { type Body, plainMembers, readBody } from './body.ts'

const MEANT: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const TAG = /^"[!#-~]{1,100}"$/

export interface Unfolded {
  readonly method: string
  /** The intended body. */
  readonly body?: Body
  /** The form itself, which carries the token of its page. */
  readonly form?: Body
  /** The value of If-Match. */
  readonly match?: string
}

export async function unfold(request: Request): Promise<Unfolded> {
  const { method } = request
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    header(request, 'content-type') ?? '',
  )
  const isForPeople = (header(request, 'accept') ?? '').includes('text/html')
  if (method !== 'POST' || !isForm || !isForPeople) return { method }
  const form = await readBody(request)
  const members = plainMembers(form)
  const meant = textOfJson(members['_method'])
  const { _content: content, _match: match } = members
  return {
    ...(typeof match === 'string' && TAG.test(match) ? { match } : {}),
    method: MEANT.has(meant) ? meant : method,
    form,
    body: typeof content === 'string' ? await readBody(asJson(request, content)) : form,
  }
}

function asJson(request: Request, content: string): Request {
  const bytes = Buffer.from(content)
  return { ...request, headers: { ...request.headers, 'content-type': 'application/json' }, body: async () => bytes }
}
