/**
 * The version of a record that a form was opened with. The form sends it back, so that nobody overwrites what somebody
 * else has saved in the meantime: its ETag is the condition of the write, and its values show who changed what.
 */
import { ETAG, etagField, etagOfForm } from '../../etag-field.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, MadeKind, Shown } from '../../kinds/index.ts'
import { hasLines, type Line, linesOfRecord } from './lines.ts'
import { type Values, valuesOfRecord } from './values.ts'

const VERSION = '_version'

/** The fields of a record as a form has them. */
export interface Version {
  readonly values: Values
  /** Undefined if there are none, or more than a form can send. */
  readonly lines?: readonly Line[] | undefined
}

export interface Opened {
  readonly etag: string
  /** Undefined if it is not known, such as after signing in again. */
  readonly version: Version | undefined
}

export async function versionOf(visit: ExplorerVisit, kind: MadeKind, record: Shown): Promise<Version> {
  const values = await valuesOfRecord(visit, kind, record)
  if (!hasLines(kind.name)) return { values }
  return { values, lines: await linesOfRecord(visit, kind.name, record[`${kind.name}_id`]) }
}

/** For the form. */
export function hiddenFields(opened: Opened | undefined): Content {
  if (!opened) return undefined
  return html`${etagField(opened.etag)}
    ${opened.version && html`<input type="hidden" name=${VERSION} value=${JSON.stringify(opened.version)} />`}`
}

export function openedOfForm(posted: ReadonlyMap<string, readonly string[]>): Opened | undefined {
  const etag = etagOfForm(posted)
  return etag === undefined ? undefined : { etag, version: readVersion(posted.get(VERSION)?.at(-1)) }
}

export function isOfVersion(name: string): boolean {
  return name === ETAG || name === VERSION
}

function readVersion(text: string | undefined): Version | undefined {
  try {
    const given = JSON.parse(text ?? 'null')
    if (!isTexts(given?.values)) return undefined
    const { values, lines } = given
    if (!Array.isArray(lines)) return { values }
    return { values, lines: lines.filter((line) => isTexts(line) && 'phrase' in line && 'quadranym' in line) }
  } catch {
    return undefined
  }
}

function isTexts(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Object.values(given).every((each) => typeof each === 'string')
}
