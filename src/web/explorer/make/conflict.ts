/**
 * Two people, or two tabs, changed the same record. The second one to save sees both versions side by side, and chooses
 * for each field. Fields that only one side changed are chosen already.
 */
import { type PageAnswer, WordDiff } from '../../../http/index.ts'
import { lastChange } from '../../history/last-change.ts'
import { labelOf } from '../../history/member-words.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, MadeKind, Shown } from '../../kinds/index.ts'
import { memberLabel } from '../../label.ts'
import { visitPage } from '../../visit-page.ts'
import { hasLines, LINES_KEPT, type Line } from './lines.ts'
import { hiddenFields, type Version } from './opened.ts'

const LINES = 'lines'
/** The radio buttons of a field: `take_name` is mine or theirs. */
const TAKE = 'take_'

export function isChoiceOfSide(name: string): boolean {
  return name.startsWith(TAKE)
}

type Side = 'mine' | 'theirs'

/** A field that differs. */
interface Disputed {
  readonly member: string
  readonly mine: string
  readonly theirs: string
  /** Undefined if both sides changed it. */
  readonly chosen: Side | undefined
}

/** What differs between the form and the record as it is now. */
export function disputedFields(mine: Version, theirs: Version, opened: Version | undefined): readonly Disputed[] {
  const [ours, others, start] = [textsOf(mine), textsOf(theirs), opened && textsOf(opened)]
  return Object.keys(ours).flatMap((member) => {
    const [one, other] = [ours[member] ?? '', others[member] ?? '']
    if (one === other) return []
    const before = start?.[member] ?? (start ? '' : undefined)
    return [{ member, mine: one, theirs: other, chosen: chosenOf(one, other, before) }]
  })
}

function chosenOf(mine: string, theirs: string, before: string | undefined): Side | undefined {
  if (before === theirs) return 'mine'
  return before === mine ? 'theirs' : undefined
}

/** Every field as one text. The fields of the form decide: a record has members that no form has. */
function textsOf({ values, lines }: Version): Readonly<Record<string, string>> {
  const tidied = Object.entries(values).map(([member, value]) => [member, value.replaceAll(/\r\n?/g, '\n').trim()])
  return { ...Object.fromEntries(tidied), ...(lines ? { [LINES]: lines.map(textOfLine).join('\n') } : {}) }
}

function textOfLine({ phrase, quadranym }: Line): string {
  return phrase === '' ? quadranym : `${phrase}: ${quadranym}`
}

type Posted = ReadonlyMap<string, readonly string[]>

/** What the visitor chose; undefined if a choice is missing. `theirs` is the version that the page showed. */
export function chosenVersion(posted: Posted, mine: Version, theirs: Version): Version | undefined {
  const takesAll = posted.get('action')?.at(-1) === 'mine'
  const sides = new Map<string, Side>()
  for (const { member } of disputedFields(mine, theirs, undefined)) {
    const given = takesAll ? 'mine' : posted.get(`${TAKE}${member}`)?.at(-1)
    if (given !== 'mine' && given !== 'theirs') return undefined
    sides.set(member, given)
  }
  const values = Object.entries(mine.values).map(([member, value]) => [
    member,
    sides.get(member) === 'theirs' ? (theirs.values[member] ?? '') : value,
  ])
  const lines = sides.get(LINES) === 'theirs' ? theirs.lines : mine.lines
  return { values: Object.fromEntries(values), lines }
}

interface Conflict {
  readonly kind: MadeKind
  readonly record: Shown
  /** The ETag of the record as it is now. */
  readonly etag: string
  readonly mine: Version
  readonly theirs: Version
  readonly fields: readonly Disputed[]
}

export async function conflictPage(visit: ExplorerVisit, conflict: Conflict): Promise<PageAnswer> {
  const { kind, record, etag, mine, theirs, fields } = conflict
  const changed = await lastChange(visit, { resource: kind.name, id: record[`${kind.name}_id`] })
  const title = 'It has changed in the meantime'
  const diffs = new WordDiff()
  const main = html`<p class="kind">${kind.form.title}</p>
    <h1 class="long">${title}</h1>
    <p class="does" role="alert">
      While you were editing “${kind.nameOf(record)}”, another version of it was saved${changed && html` (${changed})`}.
      Nothing of yours is lost, and nothing is overwritten: choose what to keep.
    </p>
    <form class="conflict" method="post" action=${visit.path}>
      <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />
      ${hiddenFields({ etag, version: theirs })}
      ${Object.entries(mine.values).map(([member, value]) => html`<input type="hidden" name=${member} value=${value} />`)}
      ${mine.lines?.map(
        ({ phrase, quadranym }) =>
          html`<input type="hidden" name="line_phrase" value=${phrase} /><input type="hidden" name="line_quadranym" value=${quadranym} />`,
      )}
      ${hasLines(kind.name) && !mine.lines && html`<input type="hidden" name=${LINES_KEPT} value="yes" />`}
      ${fields.map((field) => choice(kind, field, diffs))}
      <p class="soft">Everything else is the same in both versions.</p>
      <p class="chips">
        <button class="btn go" type="submit" name="action" value="merge">Save what is chosen</button>
        <button class="btn" type="submit" name="action" value="edit">Edit what is chosen</button>
        <button class="btn" type="submit" name="action" value="mine" formnovalidate>Save all of mine</button>
        <a class="btn" href=${kind.addressOf(record)}>Keep the saved version</a>
      </p>
    </form>`
  return {
    status: 412,
    page: visitPage(visit, { title, part: 'make', main }),
  }
}

function choice(kind: MadeKind, field: Disputed, diffs: WordDiff): Content {
  const { member, mine, theirs, chosen } = field
  const diff = diffs.compare(theirs, mine)
  const label = member === LINES ? 'Lines' : memberLabel(kind.name, member, labelOf(kind, member))
  const side = (which: Side, says: string, sign: '-' | '+', value: string) => html`<label class="card">
    <span class="side">
      <input type="radio" name=${`${TAKE}${member}`} value=${which} checked=${chosen === which} required />
      ${says}
    </span>
    <span class="value">${value === '' ? html`<i class="soft">nothing</i>` : diff.map(([at, text]) => (at === '=' ? text : at === sign && html`<mark>${text}</mark>`))}</span>
  </label>`
  return html`<fieldset>
    <legend>${label} <span class="soft">${origin(chosen)}</span></legend>
    <div class="sides">
      ${side('mine', 'Yours', '+', mine)} ${side('theirs', 'Saved', '-', theirs)}
    </div>
  </fieldset>`
}

function origin(chosen: Side | undefined): string {
  if (chosen === undefined) return 'differs: choose one'
  return chosen === 'mine' ? 'changed by you only' : 'changed in the saved version only'
}
