/** The user's own sessions: where they are signed in, and how to end that. */
import type { Schema } from '../../declare/index.ts'
import { type AccountDesk, type Actor, problems, type ShownSession } from '../../engine/index.ts'
import type { FormItem, Outcome } from '../exchange/message.ts'
import { exactly, listOf, means, type Parameter, SENT_ON, TEXT, TIME } from '../openapi/operation.ts'
import type { Call, Route } from '../routing/router.ts'
import { done, forTheSignedIn, page, signedIn } from './account-forms.ts'

const SESSION: Schema = {
  title: 'session',
  ...exactly({
    id: means(TEXT, 'The id of the session.'),
    browser: means(TEXT, 'The browser that signed in.'),
    'created?': means(TIME, 'When it began; left out if that is not known.'),
    'last_used?': means(TIME, 'When it was last used, to the hour; left out if that is not known.'),
    this: means({ type: 'boolean' }, 'True for the session of this request.'),
  }),
}
const SAMPLE = {
  id: 'fX0vQ2mTn8cLr4aB',
  browser: 'Firefox on Linux',
  created: '2026-01-31T09:30:00.000Z',
  last_used: '2026-02-01T18:05:00.000Z',
  this: true,
}
const PLACE: Parameter = { name: 'id', in: 'path', required: true, description: 'The id of the session.', schema: TEXT }
const LIST = '/accounts/sessions/'

export function sessionRoutes(desk: AccountDesk): Route[] {
  return [
    {
      path: LIST,
      title: 'Sessions',
      tag: 'accounts',
      methods: {
        GET: {
          summary: 'Your sessions',
          description: 'Newest first. The secrets of sessions are never shown.',
          signedIn: true,
          answers: {
            200: { says: 'All of them.', schema: listOf(SESSION), example: [SAMPLE] },
            303: SENT_ON,
          },
          handle: forTheSignedIn((call) => list(desk, call)),
        },
      },
    },
    {
      path: '/accounts/sessions/end-others/',
      title: 'End the other sessions',
      tag: 'accounts',
      methods: {
        POST: {
          summary: 'End all your other sessions',
          description: 'The session of the request stays. Tokens stay valid.',
          signedIn: true,
          answers: { 204: { says: 'They have ended.' }, 303: SENT_ON },
          async handle(call) {
            await desk.sessions.endOthers(ender(call), call.identity.session)
            return done(call, 204, undefined, { next: LIST, message: 'sessions-ended' })
          },
        },
      },
    },
    {
      path: '/accounts/sessions/:id/end/',
      title: 'End a session',
      tag: 'accounts',
      methods: {
        POST: {
          summary: 'End one of your sessions',
          description: 'The browser that has it must sign in again.',
          signedIn: true,
          parameters: [PLACE],
          answers: { 204: { says: 'It has ended.' }, 303: SENT_ON },
          problems: [404],
          async handle(call) {
            await desk.sessions.end(ender(call), call.places['id'] ?? '')
            return done(call, 204, undefined, { next: LIST, message: 'session-ended' })
          },
        },
      },
    },
  ]
}

/** A person who found a token must not be able to lock out its owner. */
function ender(call: Call): Actor {
  const actor = signedIn(call)
  if (call.identity.by === 'token') throw problems.forbidden()
  return actor
}

async function list(desk: AccountDesk, call: Call): Promise<Outcome> {
  const sessions = await desk.sessions.list(signedIn(call), call.identity.session)
  const others = sessions.filter(({ isThis }) => !isThis)
  const endAll = { action: '/accounts/sessions/end-others/', submit: 'End all others', fields: [] }
  return page(call, sessions.map(shown), {
    title: 'Sessions',
    notes: ['Where you are signed in. If you do not know one of them, end it and change your password.'],
    items: sessions.map(itemOf),
    forms: others.length > 1 ? [endAll] : [],
    links: [{ href: '/accounts/', text: 'Account' }],
  })
}

function itemOf({ id, browser, created, lastUsed, isThis }: ShownSession): FormItem {
  const when = [
    created ? `Signed in on ${dateOf(created)}` : 'Signed in earlier',
    ...(lastUsed ? [`last used on ${dateOf(lastUsed)}`] : []),
  ].join(', ')
  const title = browser || 'Unknown browser'
  const form = { action: `/accounts/sessions/${id}/end/`, submit: 'End it', fields: [] }
  return isThis ? { title: `${title} (this one)`, text: `${when}.` } : { title, text: `${when}.`, form }
}

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function dateOf(time: string): string {
  return `${DATE.format(new Date(time))} UTC`
}

function shown({ id, browser, created, lastUsed, isThis }: ShownSession): object {
  return {
    id,
    browser,
    ...(created ? { created } : {}),
    ...(lastUsed ? { last_used: lastUsed } : {}),
    this: isThis,
  }
}
