/** A form of the account pages: GET shows it, POST acts; programs send the same members as JSON. */
import type { Errors, JsonObject } from '../../declare/index.ts'
import { Problem, problemOf, problems } from '../../engine/index.ts'
import { CSRF_COOKIE, cookieOf } from '../exchange/cookies.ts'
import type { FormField, FormLink, FormPart, Outcome } from '../exchange/message.ts'
import { type Body, exactly, means, type Operation, SENT_ON, schemaRef, TEXT } from '../openapi/operation.ts'
import { plainMembers } from '../request/body.ts'
import { CSRF_MEMBER, demandOwnPage } from '../request/identify.ts'
import type { Call, Handler, Route } from '../routing/router.ts'
import { forTheSignedIn, localPath, page, signedIn } from './account-forms.ts'

export const USERNAME: FormField = { name: 'username', label: 'User name', type: 'text', autocomplete: 'username' }
export const PASSWORD: FormField = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
}
export const NEW_PASSWORD: FormField = { ...PASSWORD, autocomplete: 'new-password', help: 'At least 10 characters.' }
/** In place of a password that the account has. */
export const OTHER_PASSWORD: FormField = { ...NEW_PASSWORD, name: 'new_password', label: 'New password' }

/** The response to a sign-in. */
export const SIGNED_IN = {
  schema: { title: 'signed-in', ...exactly({ username: means(TEXT, 'The user name.') }) },
  example: { username: 'ada' },
  headers: ['Set-Cookie'],
}

/** The response to somebody who gets back into an account. */
export const RECOVERED: Operation['answers'] = {
  200: { says: 'The password is changed, and the session is in the cookie.', ...SIGNED_IN },
}

export interface FormSpec {
  readonly does: string
  /** Further details. */
  readonly details: string
  readonly answers: Operation['answers']
  readonly fields: readonly FormField[]
  readonly links?: readonly FormLink[]
  readonly notes?: readonly string[] | ((call: Call) => Promise<readonly string[]>)
  readonly signedIn?: true
  /** Fields that depend on the request, for people alone. */
  extra?(call: Call, members: JsonObject): Promise<readonly FormField[]>
  act(call: Call, members: JsonObject): Promise<Outcome>
}

export function formRoute(path: string, title: string, spec: FormSpec): Route {
  const show = async (call: Call, status: number, json: object, members: JsonObject, errors?: Errors) => {
    const next = localPath(members['next']) ?? localPath(call.query.get('next'))
    const fields = [
      ...spec.fields.flatMap((field) => shownFields(field, members, call)),
      ...((await spec.extra?.(call, members)) ?? []),
      ...(next ? [{ name: 'next', label: '', type: 'hidden' as const, value: next }] : []),
    ]
    const form: FormPart = { action: path, submit: title, fields, ...(errors ? { errors } : {}) }
    const links = (spec.links ?? []).map(({ href, text }) => ({ href: href + onwards(call, next), text }))
    const notes = typeof spec.notes === 'function' ? await spec.notes(call) : (spec.notes ?? [])
    return page(call, json, { title, forms: [form], notes, links }, status)
  }
  const post: Handler = async (call) => {
    if (spec.signedIn) signedIn(call)
    const body = await call.readBody()
    const members = plainMembers(body)
    if ('form' in body) demandOwnForm(call, members)
    const act = async () => {
      demandSame(spec.fields, members)
      return await spec.act(call, members)
    }
    try {
      return await orAgain(act, (errors) => show(call, 400, errors, members, errors))
    } catch (error) {
      // What was written stays if nothing can be saved at the moment.
      const problem = problemOf(error)
      if (problem?.status !== 503) throw error
      const errors = { detail: [String(problem.body['detail'])] }
      const shown = await show(call, 503, problem.body, members, errors)
      return { ...shown, headers: { ...shown.headers, ...problem.headers } }
    }
  }
  const get: Handler = (call) => {
    if (spec.signedIn) signedIn(call)
    const required = spec.fields.filter(isRequired).map(({ name }) => name)
    return show(call, 200, { detail: `POST ${required.join(', ')}.` }, {})
  }
  const signed = spec.signedIn ? { signedIn: true as const } : {}
  return {
    path,
    title,
    tag: 'accounts',
    methods: {
      GET: {
        ...signed,
        summary: `${title}: the form`,
        description: 'A form, or the members to send by POST.',
        answers: {
          200: { says: 'The form, or what to send.', schema: schemaRef('problem') },
          ...(spec.signedIn ? { 303: SENT_ON } : {}),
        },
        handle: spec.signedIn ? forTheSignedIn(get) : get,
      },
      POST: {
        ...signed,
        summary: spec.does,
        description: spec.details,
        body: formBody(spec.fields),
        answers: { ...spec.answers, 303: SENT_ON },
        handle: post,
      },
    },
  }
}

/** A form that was filled in wrongly is shown again, with each error at its field. */
export async function orAgain(
  act: () => Promise<Outcome>,
  again: (errors: Errors) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await act()
  } catch (error) {
    const invalid = error instanceof Problem && error.status === 400
    if (!invalid) throw error
    return await again(error.body as unknown as Errors)
  }
}

/** Where the visitor came from, and what they wanted there, for links to other forms. */
function onwards({ query }: Call, next: string | undefined): string {
  if (next === undefined) return ''
  return `?next=${encodeURIComponent(next)}${query.get('like') === 'true' ? '&like=true' : ''}`
}

export function formBody(fields: readonly FormField[]): Body {
  const required = fields.filter(isRequired)
  const values = required.map(({ name, type }) => [name, type === 'password' ? 'a long and quiet river' : 'ada'])
  const schemas = fields.map(({ name, label, type }) => [
    name,
    means(type === 'checkbox' ? { type: 'boolean' } : TEXT, `${label}.`),
  ])
  return {
    schema: {
      type: 'object',
      required: required.map(({ name }) => name),
      properties: Object.fromEntries(schemas),
    },
    example: Object.fromEntries(values),
  }
}

function isRequired({ type, isOptional }: FormField): boolean {
  return type !== 'checkbox' && !isOptional
}

/** What was given stays, but no password. A new password is typed twice. */
function shownFields(field: FormField, members: JsonObject, { query }: Call): readonly FormField[] {
  // A link brings what its form sends back.
  const given = members[field.name] ?? (field.type === 'hidden' ? query.get(field.name) : undefined)
  if (field.type === 'checkbox') return [{ ...field, checked: given === 'true' }]
  if (field.type !== 'password') return [{ ...field, value: typeof given === 'string' ? given : (field.value ?? '') }]
  return isNew(field) ? [field, { ...repeated(field), label: 'Repeat it' }] : [field]
}

function isNew({ autocomplete }: FormField): boolean {
  return autocomplete === 'new-password'
}

function repeated({ help: _, ...field }: FormField): FormField {
  return { ...field, name: `${field.name}_again`, isRepeated: true }
}

/** Programs, and pages with scripts, do not send it twice. */
function demandSame(fields: readonly FormField[], members: JsonObject): void {
  for (const field of fields.filter(isNew)) {
    const { name } = repeated(field)
    if (members[name] !== undefined && members[name] !== members[field.name]) {
      throw problems.invalid({ [name]: ['This is not the same password.'] })
    }
  }
}

/** A form without a session must still be from our pages: nobody may sign a visitor in as someone else. */
function demandOwnForm(call: Call, members: JsonObject): void {
  if (call.identity.session) return
  demandOwnPage(call, cookieOf(call, CSRF_COOKIE), members[CSRF_MEMBER])
}
