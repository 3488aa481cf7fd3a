/**
 * Method override: forms of our own pages can do what HTML forms cannot. `_method` is the intended method, `_content` a
 * JSON body. Only our pages send them; a program uses the method itself.
 */

import { header, type Request } from '../exchange/message.ts'
import { type Body, plainMembers, readBody } from './body.ts'

const MEANT: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export interface Unfolded {
  readonly method: string
  /** The intended body. */
  readonly body?: Body
  /** The form itself, which carries the token of its page. */
  readonly form?: Body
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
  const meant = String(members['_method'] ?? '')
  const content = members['_content']
  return {
    method: MEANT.has(meant) ? meant : method,
    form,
    body: typeof content === 'string' ? await readBody(asJson(request, content)) : form,
  }
}

function asJson(request: Request, content: string): Request {
  const bytes = Buffer.from(content)
  return { ...request, headers: { ...request.headers, 'content-type': 'application/json' }, body: async () => bytes }
}
