/** A line for each request, in JSON or in the format that Apache calls combined; secrets are left out of both. */
import { type AnsweredRequest, type AskedBefore, type SiteParts, traceIn } from '../http/index.ts'
import type { AccessLogSettings } from './access-log-settings.ts'
import type { Output } from './log.ts'
import { withoutSecrets } from './without-secrets.ts'

const FAILED = 400

/** Undefined if no request gets a line. */
export function accessLog({ log, write }: Output, { format, share }: AccessLogSettings): SiteParts['log']['answered'] {
  if (format === 'off' || !log.isLevelEnabled('info')) return undefined
  const writeLine: OnAnswered =
    format === 'json'
      ? (request, asked) => log.info(membersOf(request, asked), 'request')
      : (request, asked) => write(combinedLine(request, asked, new Date()))
  if (share === 1) return writeLine
  return (request, asked) => {
    if (request.status >= FAILED || Math.random() < share) writeLine(request, asked)
  }
}

type OnAnswered = NonNullable<SiteParts['log']['answered']>

/** Most requests are logged as they are: a busy server would notice another object for each. */
function membersOf(request: AnsweredRequest, asked: AskedBefore | undefined): object {
  const url = withoutSecrets(request.url)
  const trace = asked && (asked.trace ?? traceIn(asked.headers))
  if (trace) return { ...request, url, trace: trace.id }
  return url === request.url ? request : { ...request, url }
}

function combinedLine(request: AnsweredRequest, asked: AskedBefore | undefined, now: Date): string {
  const { method, url, address, status, bytes } = request
  const { headers, httpVersion } = asked ?? { headers: {}, httpVersion: '1.1' }
  const line = quote(`${method} ${withoutSecrets(url)} HTTP/${httpVersion}`)
  const referer = quote(withoutSecrets(String(headers['referer'] ?? '-')))
  const agent = quote(String(headers['user-agent'] ?? '-'))
  // Who has signed in is not said: the second name is always unknown.
  return `${address || '-'} - - [${timeOf(now)}] ${line} ${status} ${bytes || '-'} ${referer} ${agent}\n`
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
