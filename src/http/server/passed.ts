/** What a worker tells the writer about a request, and the writer about its answer. */
import { Problem } from '../../engine/index.ts'
import type { Headers } from '../exchange/message.ts'

/** The first that a worker says: a secret of this server shows that it is one. */
export interface Hello {
  readonly secret: string
}

export interface PassedRequest {
  readonly id: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly base: string
  readonly address: string
  /** Whether its body comes by itself, or when the writer asks for it. */
  readonly body: 'none' | 'comes' | 'asked for'
}

export interface PassedAnswer {
  readonly status: number
  readonly headers: Headers
  /** Of the body, if it is known. */
  readonly length?: number
  /** The body comes in pieces. */
  readonly isStream?: true
}

export type PassedFault = Pick<Problem, 'status' | 'body' | 'headers'>

export function problemIn({ status, body, headers }: PassedFault): Problem {
  return new Problem(status, body, headers)
}
