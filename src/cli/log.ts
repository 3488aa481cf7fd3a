/** The log: JSON lines for machines, short lines when a person watches at a terminal. */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { SiteParts } from '../http/index.ts'

export function openLog(level: string): Logger {
  return pino({ level, base: null }, process.stdout.isTTY ? forPeople : pino.destination({ dest: 1, sync: true }))
}

export function siteLog(log: Logger): SiteParts['log'] {
  return {
    answered: (request) => log.info(request, 'request'),
    unsendable: (error, id) => log.error({ err: error, id }, 'bug'),
    bug: (error, { id, method, path }) => log.error({ err: error, id, method, path }, 'bug'),
  }
}

const forPeople: DestinationStream = {
  write(line) {
    const { time, msg, method, url, status, ms, err } = JSON.parse(line)
    const clock = new Date(time).toTimeString().slice(0, 8)
    const what = msg === 'request' ? `${status} ${method} ${url} ${ms} ms` : msg
    process.stdout.write(`${clock} ${what}${err ? `\n${err.stack}` : ''}\n`)
  },
}
