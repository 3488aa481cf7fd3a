/** The log: JSON lines for machines, short lines when a person watches at a terminal. */
import { type DestinationStream, type Logger, pino } from 'pino'
import { printable } from '../engine/index.ts'
import { type AskedBefore, type SiteParts, traceIn } from '../http/index.ts'
import { currentRequest } from '../store/index.ts'
import { accessLog } from './access-log.ts'
import type { AccessLogSettings } from './access-log-settings.ts'
import { logOutput } from './log-output.ts'
import { withoutSecrets } from './without-secrets.ts'

export interface Output {
  readonly log: Logger
  /** Writes a line as it is. */
  write(line: string): void
}

/** `isShared`: other processes write to the same output. */
export function openLog(level: string, { isShared = false } = {}): Output {
  const { isTTY } = process.stdout
  const lines = inTurns(logOutput(isShared, (count) => log.warn({ lines: count }, 'lines of the log were left out')))
  const log = pino({ level, base: null }, isTTY ? forPeople : lines)
  return { log, write: (line) => lines.write(line) }
}

/** Writes the lines of one turn of the event loop together; otherwise a busy server would spend its time on them. */
function inTurns(destination: DestinationStream): DestinationStream {
  let lines = ''
  const flush = () => {
    process.off('exit', flush)
    if (lines !== '') destination.write(lines)
    lines = ''
  }
  return {
    write(line) {
      if (lines === '') {
        setImmediate(flush)
        process.on('exit', flush)
      }
      lines += line
    },
  }
}

/** The id of the trace that a request belongs to. */
const traceOf = (headers: AskedBefore['headers']) => (currentRequest()?.trace ?? traceIn(headers))?.id

export function siteLog(output: Output, access: AccessLogSettings): SiteParts['log'] {
  const { log } = output
  return {
    answered: accessLog(output, access),
    unsendable: (error, id) => log.error({ err: error, id }, 'bug'),
    bug: (error, { id, method, path, headers }) =>
      log.error({ err: error, id, method, path, trace: traceOf(headers) }, 'bug'),
    held: ({ url, ...held }) =>
      log.warn(
        { ...held, ...(url && { url: withoutSecrets(url) }) },
        held.id ? 'a request held the event loop' : 'something held the event loop',
      ),
    outage: outageLog(log),
    background: (error) => log.error({ err: error }, 'bug'),
    staff: (act) => log.info(act, 'staff'),
  }
}

/** An outage affects many requests; it is logged once in a while, with their number. */
const OUTAGE_EVERY_MS = 5000

function outageLog(log: Logger): SiteParts['log']['outage'] {
  let toldAt = Number.NEGATIVE_INFINITY
  let untold = 0
  let isPlanned = false
  return (error, { id, headers }) => {
    untold++
    const tell = () => {
      log.warn({ id, trace: traceOf(headers), requests: untold, reason: error.message }, 'the database cannot be used')
      toldAt = performance.now()
      untold = 0
      isPlanned = false
    }
    const wait = toldAt + OUTAGE_EVERY_MS - performance.now()
    if (isPlanned) return
    isPlanned = wait > 0
    if (isPlanned) setTimeout(tell, wait).unref()
    else tell()
  }
}

const forPeople: DestinationStream = {
  write(line) {
    const { time, msg, method, path, url = path, status, ms, err, reason, by, action, about: whom } = JSON.parse(line)
    const clock = new Date(time).toTimeString().slice(0, 8)
    const about = [reason, by && `${by}: ${action} ${whom}`, method && `${method} ${url}`, ms && `${ms} ms`]
      .filter(Boolean)
      .join(', ')
    const what = msg === 'request' ? `${status} ${method} ${url} ${ms} ms` : about ? `${msg}: ${about}` : msg
    process.stdout.write(`${clock} ${printable(`${what}${err ? `\n${err.stack}` : ''}`)}\n`)
  },
}
