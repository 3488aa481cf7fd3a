/** The trace that a client or a proxy says a request belongs to: https://www.w3.org/TR/trace-context/ */
import type { Trace } from '../../store/index.ts'
import type { Request } from '../exchange/message.ts'

/** Version, trace, parent and flags. Later versions may add more after the flags. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/
const LONGEST_TRACEPARENT = 512
const LONGEST_STATE = 512
const MOST_MEMBERS = 32
const SAMPLED = 1

export interface GivenTrace extends Trace {
  /** The span of the caller. */
  readonly parent: string
  readonly isSampled: boolean
}

/** Undefined if there is none, or if it is malformed: then it is ignored. */
export function traceIn(headers: Request['headers'] | undefined): GivenTrace | undefined {
  const given = headers?.['traceparent']
  if (typeof given !== 'string' || given.length > LONGEST_TRACEPARENT) return undefined
  const [, version, id = '', parent = '', flags = '', more] = TRACEPARENT.exec(given.trim()) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(id) || /^0+$/.test(parent)) return undefined
  const tracestate = stateIn(headers?.['tracestate'])
  // What a later version adds is not passed on by a program that does not know it.
  const traceparent = `00-${id}-${parent}-${flags}`
  return {
    id,
    parent,
    isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED,
    headers: tracestate === undefined ? { traceparent } : { traceparent, tracestate },
  }
}

/** What other programs that trace add. It is passed on as it is. */
function stateIn(given: string | string[] | undefined): string | undefined {
  if (typeof given !== 'string' || given.length > LONGEST_STATE) return undefined
  const members = given.split(',').flatMap((each) => each.trim() || [])
  const isValid = members.length > 0 && members.length <= MOST_MEMBERS && members.every((each) => MEMBER.test(each))
  return isValid ? members.join(',') : undefined
}
