/** The messages of hooks, as Standard Webhooks 1.0 wants them: their bodies, their headers, their signatures. */
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { HookRow } from '../../store/index.ts'
import type { FeedEntry } from '../feed.ts'

export interface Payload {
  /** The same for all tries, so that receivers can recognise a message. A log that is replaced has other ids. */
  readonly id: string
  readonly body: string
}

/** Receivers need not accept more. */
const MOST_BYTES = 20_000
const SECRET_BYTES = 32

export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
}

export function changePayload(hook: number, log: string, entry: FeedEntry): Payload {
  const of = (data: object): Payload => {
    const body = { type: `${entry.resource}.${entry.action}`, timestamp: entry.at, data }
    return { id: `hook_${hook}_${log}_${entry.seq}`, body: JSON.stringify(body) }
  }
  const whole = of(entry)
  if (Buffer.byteLength(whole.body) <= MOST_BYTES) return whole
  return of({ ...entry, old: null, old_left_out: true })
}

export function testPayload(hook: number, now: Date): Payload {
  const body = { type: 'test', timestamp: now.toISOString(), data: { hook } }
  return { id: `test_${hook}_${randomBytes(12).toString('hex')}`, body: JSON.stringify(body) }
}

/** After a rotation, the old secret signs too, for some time. */
export function signedHeaders(hook: HookRow, { id, body }: Payload, now: Date): Record<string, string> {
  const { secret, oldSecret, oldSecretUntil = '' } = hook
  const secrets = oldSecret !== undefined && oldSecretUntil > now.toISOString() ? [secret, oldSecret] : [secret]
  return {
    'content-type': 'application/json',
    'user-agent': 'Nymdex',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign(id, now, body)).join(' '),
  }
}
