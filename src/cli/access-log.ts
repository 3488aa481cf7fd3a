/** A line for each request, in JSON or in the format that Apache calls combined; secrets are left out of both. */
import { type AnsweredRequest, type SiteParts, traceIn } from '../http/index.ts'
import type { AccessLogSettings } from './access-log-settings.ts'
import type { Output } from './log.ts'

const FAILED = 400

/** Undefined if no request gets a line. */
export function accessLog({ log, write }: Output, { format, share }: AccessLogSettings): SiteParts['log']['answered'] {
  if (format === 'off' || !log.isLevelEnabled('info')) return undefined
  const writeLine =
    format === 'json'
      ? (request: AnsweredRequest) => log.info(membersOf(request), 'request')
      : (request: AnsweredRequest) => write(combinedLine(request, new Date()))
  if (share === 1) return writeLine
  return (request) => {
    if (request.status >= FAILED || Math.random() < share) writeLine(request)
  }
}

function membersOf({
  id,
  method,
  url,
  address,
  status,
  bytes,
  ms,
  headers,
  trace = traceIn(headers),
}: AnsweredRequest) {
  return { id, method, url: withoutSecrets(url), address, status, bytes, ms, trace: trace?.id }
}

function combinedLine({ method, url, address, status, bytes, headers, version }: AnsweredRequest, now: Date): string {
  const line = `${method} ${withoutSecrets(url)} HTTP/${version ?? '1.1'}`
  const referer = headers?.['referer'] ?? '-'
  const agent = headers?.['user-agent'] ?? '-'
  // Who has signed in is not said: the second name is always unknown.
  const quoted = [withoutSecrets(String(referer)), String(agent)].map(quote).join(' ')
  return `${address || '-'} - - [${timeOf(now)}] ${quote(line)} ${status} ${bytes === 0 ? '-' : bytes} ${quoted}\n`
}

/** Names of parameters that may hold a secret, such as the token of a link sent by mail. */
const SECRETS = /([?&;](?:[\w-]*(?:token|password|passwd|secret|signature|api[_-]?key)|key|code|sig|auth)=)[^&;#\s]*/gi

function withoutSecrets(url: string): string {
  return url.includes('=') ? url.replaceAll(SECRETS, '$1...') : url
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** 17/Nov/2026:11:25:00 +0000 */
function timeOf(now: Date): string {
  const [date = '', time = ''] = now.toISOString().split(/[T.]/)
  const [year, month, day] = date.split('-')
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time} +0000`
}

/** As Apache does it: a client cannot end the quotation, nor write lines of its own. */
function quote(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, '\\$&').replaceAll(/[^\x20-\x7e]/g, (character) => {
    return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
  })
  return `"${escaped}"`
}
