/** A set of changes as a block: who did what to which records, in one request. */
import { counted } from '../../language/index.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerVisit } from '../kinds/index.ts'
import { type Change, type ChangeSet, deed, linesOf, mainChange, personLink, plainDeed, summary } from './deeds.ts'
import { historyAddress, RecordNames } from './record-names.ts'
import { when } from './when.ts'

/** How many records of a set are named. */
const SHOWN = 5

/** The names of all records that the blocks show. */
export async function namesIn(visit: ExplorerVisit, sets: readonly ChangeSet[], most = SHOWN): Promise<RecordNames> {
  const names = new RecordNames(visit)
  for (const set of sets) {
    const main = mainChange(set, visit.kinds)
    for (const change of main ? [main] : set.changes.slice(0, most)) {
      names.want(change.resource, [change.id])
      if (change.action === 'remove') names.remember(change, change.old)
    }
  }
  await names.read()
  return names
}

interface Shape {
  /** How many records are named. */
  readonly most?: number
  /** It is the only one of its page. */
  readonly isAlone?: boolean
}

export function setBlock(visit: ExplorerVisit, set: ChangeSet, names: RecordNames, shape: Shape = {}): Content {
  const { most = SHOWN, isAlone = false } = shape
  const { kinds } = visit
  const main = mainChange(set, kinds)
  const [first] = set.changes
  if (!first) return undefined
  const { user, at } = first
  const address = `/changes/set/${set.set}/`
  const rest = set.count - Math.min(set.changes.length, most)
  return html`<li id=${`set-${set.set}`} class=${(main ?? first).action}>
    <p class="did">
      ${personLink(user)} ${main ? html`${deed(main, names, kinds)} ${linesOf(set, main, kinds)}` : summary(set, kinds)}
    </p>
    ${!main && html`<ul class="deeds">${set.changes.slice(0, most).map((each) => html`<li>${deed(each, names, kinds)}</li>`)}</ul>`}
    ${!main && rest > 0 && html`<p class="soft">and ${isAlone ? counted(rest, 'more change') : html`<a href=${address}>${counted(rest, 'more change')}</a>`}</p>`}
    <p class="meta">
      ${isAlone ? when(at, visit) : html`<a href=${address}>${when(at, visit)}</a>`}
      ${main && html`<a href=${historyAddress(main)}>History</a>`}
      ${mayUndo(visit, set, names) && html`<a href=${`${address}undo/`}>Undo</a>`}
    </p>
  </li>`
}

/** The API decides; the page offers it to the owner, to the user who made the changes, and to staff. */
function mayUndo({ visitor, kinds }: ExplorerVisit, { changes }: ChangeSet, names: RecordNames): boolean {
  if (!visitor) return false
  const isTheirs = (change: Change) =>
    change.user === visitor.name || names.record(change)?.[kinds.find(change.resource)?.owner ?? ''] === visitor.name
  return visitor.staff || changes.every(isTheirs)
}

/** A sentence in plain text. */
export function plainSet({ kinds }: ExplorerVisit, set: ChangeSet, names: RecordNames): string {
  const main = mainChange(set, kinds)
  const lines = main && linesOf(set, main, kinds)
  const said = main ? [plainDeed(main, names, kinds), lines].filter(Boolean).join(' ') : summary(set, kinds)
  return `${set.changes[0]?.user ?? 'The server'} ${said}`
}
