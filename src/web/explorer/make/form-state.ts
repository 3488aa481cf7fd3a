/** The state of a form: its fields, their values, and errors. */
import type { ExplorerVisit, MadeKind, Shown } from '../../kinds/index.ts'
import { isChoiceOfSide } from './conflict.ts'
import { type Pasted, pastedIn, TOO_MUCH_PASTED, withPasted } from './line-paste.ts'
import { LINES_KEPT, type Line, linesOfForm, type ResolvedLines } from './lines.ts'
import { isOfVersion, type Opened, openedOfForm } from './opened.ts'
import { type Errors, type Members, membersOf, type Values, valuesOfForm } from './values.ts'

export type Posted = ReadonlyMap<string, readonly string[]>

export interface Refused {
  readonly status: number
  readonly detail: string
  /** The record belongs to somebody else. */
  readonly isOthers?: true
}

export interface Form {
  readonly kind: MadeKind
  /** The record that is being changed. */
  readonly record: Shown | undefined
  /** The version of it that the form was opened with. */
  readonly opened?: Opened | undefined
  readonly members: Members
  readonly values: Values
  /** Undefined if the form leaves them unchanged. */
  readonly lines: readonly Line[] | undefined
  /** A story that was pasted and is not among the lines yet. */
  readonly pasted?: Pasted | undefined
  readonly errors?: Errors
  readonly lineFaults?: ReadonlyMap<number, string>
  readonly note?: string
  readonly refused?: Refused
  /** Its CSRF token is no longer valid: it is shown again, and nothing is written. */
  readonly isStale?: boolean
  /** What the lines name, if it has been looked up. */
  readonly resolved?: ResolvedLines | undefined
}

type FormLines = Pick<Form, 'lines' | 'pasted' | 'errors'>

/** The buttons that save, and the one that adds a pasted story, add it to the lines. Others leave it in its fields. */
export function postedLines(posted: Posted): FormLines {
  if (posted.has(LINES_KEPT)) return { lines: undefined }
  const lines = linesOfForm(posted)
  const pasted = pastedIn(posted)
  if (!pasted || !/^(save|paste)$/.test(actionOf(posted))) return { lines, pasted }
  const whole = withPasted(lines, pasted)
  return whole ? { lines: whole } : { lines, pasted, errors: { lines: [TOO_MUCH_PASTED] } }
}

export function actionOf(posted: Posted): string {
  return posted.get('action')?.at(-1) ?? 'save'
}

/** Members of forms that are not members of the record. */
const OTHERS = /^(csrfmiddlewaretoken|action|lines_kept|(line|paste)_.*|(from|relation|to)[0-9]+|relation_code)$/

/**
 * The form of a user who is no longer signed in, or cannot change the record any more, with all that was written. The API
 * describes its members only to users who are signed in. For others, they are those that were sent.
 */
export async function formAfterSession(visit: ExplorerVisit, kind: MadeKind, posted: Posted): Promise<Form> {
  const { json } = await visit.ask(`/api/${kind.name}/`, { method: 'OPTIONS' })
  const actions = json?.actions?.POST
  const members = actions ? membersOf(actions, kind) : sentMembers(posted)
  const record = await recordOf(visit, kind)
  return {
    kind,
    record,
    opened: record && openedOfForm(posted),
    members,
    values: valuesOfForm(members, posted),
    ...postedLines(posted),
    refused: refusedFor(visit, kind, record),
  }
}

function sentMembers(posted: Posted): Members {
  const sent = [...posted.keys()].filter((name) => !OTHERS.test(name) && !isOfVersion(name) && !isChoiceOfSide(name))
  return Object.fromEntries(
    sent.map((name) => [
      name,
      { type: 'string', read_only: false, max_length: name === 'body' || name === 'qode' ? 8192 : 0 },
    ]),
  )
}

function refusedFor({ visitor, places }: ExplorerVisit, kind: MadeKind, record: Shown | undefined): Refused {
  if (!visitor || places['id'] === undefined) return { status: 401, detail: '' }
  if (!record) return { status: 404, detail: GONE }
  const owner = kind.owner && record[kind.owner]
  const whose = owner ? `It belongs to ${owner}` : 'Somebody else made it'
  return { status: 403, detail: `${whose}, and you are signed in as ${visitor.name}. ${OTHER_USER}`, isOthers: true }
}

const GONE =
  'The record is no longer there. Nothing that you wrote is lost: the button at the end makes a new record of it.'
const OTHER_USER =
  'Nothing that you wrote is lost: sign in as its owner in another tab, and then press the button once more.'

async function recordOf(visit: ExplorerVisit, kind: MadeKind): Promise<Shown | undefined> {
  const id = visit.places['id']
  if (id === undefined) return undefined
  const { status, json } = await visit.ask(`/api/${kind.name}/${encodeURIComponent(id)}/`)
  return status === 200 ? json : undefined
}
