/** Forms: one for every kind of record that a curator adds, to create and to change records. */
import type { PageAnswer } from '../../../http/index.ts'
import { MAKE, SENTENCE } from '../../assets.ts'
import { ETAG, readEtag } from '../../etag-field.ts'
import { signedInAgain } from '../../failure.ts'
import { inOurWords } from '../../form-errors.ts'
import { html, render } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Kinds, MadeKind, Shown } from '../../kinds/index.ts'
import { whatIs } from '../../label.ts'
import { visitPage } from '../../visit-page.ts'
import { chosenVersion, conflictPage, disputedFields } from './conflict.ts'
import { controls } from './controls.ts'
import { actionOf, type Form, formAfterSession, type Posted, postedLines } from './form-state.ts'
import { hub, madeKinds } from './hub.ts'
import { lineFields } from './line-fields.ts'
import { preview } from './line-preview.ts'
import {
  changedLines,
  ensureBreak,
  hasLines,
  type Line,
  linesOfForm,
  linesOfRecord,
  resolveLines,
  topicsOf,
} from './lines.ts'
import { hiddenFields, type Opened, openedOfForm, type Version, versionOf } from './opened.ts'
import { resolve } from './references.ts'
import { failure, notYours, refusal, signInFirst } from './refusals.ts'
import { relationFields, unrelated, withRelations } from './relations.ts'
import { sentencePage } from './sentence.ts'
import { alike, offersFor, someRecords } from './suggestions.ts'
import { hasTable, tablePages } from './table-page.ts'
import {
  errorsByField,
  type Members,
  membersOf,
  toJson,
  type Values,
  valuesOfForm,
  valuesOfQuery,
  valuesOfRecord,
} from './values.ts'

export function makePages(kinds: Kinds): readonly ExplorerPage[] {
  return [{ path: '/make/', title: 'Make something', GET: hub }, sentencePage, ...madeKinds(kinds).flatMap(formPages)]
}

function formPages(kind: MadeKind): ExplorerPage[] {
  const { name } = kind
  return [
    {
      path: `/make/${name}/`,
      title: `Make a ${name}`,
      GET: (visit) => begin(visit, kind),
      POST: (visit) => work(visit, kind),
      showAgain: (visit) => work(visit, kind, true),
    },
    ...tablePages(kind),
    { path: `/make/${name}/picture/`, title: 'Picture', GET: (visit) => picture(visit, kind) },
    {
      path: `/make/${name}/:id/`,
      title: `Change a ${name}`,
      GET: (visit) => change(visit, kind),
      POST: (visit) => work(visit, kind),
      showAgain: (visit) => work(visit, kind, true),
    },
  ]
}

async function begin(visit: ExplorerVisit, kind: MadeKind): Promise<PageAnswer> {
  const asked = await visit.ask(`/api/${kind.name}/`, { method: 'OPTIONS' })
  const actions = asked.json?.actions?.POST
  if (!actions) return signInFirst(visit, kind)
  const members = membersOf(actions, kind)
  const from = visit.query.get('from')
  const model = from ? await visit.ask(`/api/${kind.name}/${encodeURIComponent(from)}/`) : undefined
  const copied = model?.status === 200 ? await valuesOfRecord(visit, kind, model.json) : {}
  const kept =
    model?.status === 200 && hasLines(kind.name)
      ? await linesOfRecord(visit, kind.name, model.json[`${kind.name}_id`])
      : []
  const given = linesOfQuery(visit)
  const resolved = given && hasLines(kind.name) ? await resolveLines(visit, kind.name, given) : undefined
  const values = { ...copied, ...valuesOfQuery(members, visit.query) }
  return await show(visit, { kind, record: undefined, members, values, lines: resolved?.lines ?? kept, resolved })
}

async function change(visit: ExplorerVisit, kind: MadeKind): Promise<PageAnswer> {
  const found = await openRecord(visit, kind)
  if ('answer' in found) return found.answer
  const { record, members, etag } = found
  const version = await versionOf(visit, kind, record)
  const lines = linesOfQuery(visit) ?? (hasLines(kind.name) ? version.lines : [])
  const values = { ...version.values, ...valuesOfQuery(members, visit.query) }
  const before = readEtag(visit.query.get(ETAG))
  const opened = before && before !== etag ? { etag: before, version: undefined } : { etag, version }
  return await show(visit, { kind, record, opened, members, values, lines })
}

/** What was being written when a session ended. */
function linesOfQuery({ query }: ExplorerVisit): readonly Line[] | undefined {
  const given = new Map(['line_phrase', 'line_quadranym'].map((name) => [name, query.all(name)]))
  const lines = linesOfForm(given)
  return lines.length > 0 ? lines : undefined
}

type Found =
  | { readonly answer: PageAnswer }
  | { readonly record: Shown; readonly etag: string; readonly members: Members }

/** The record, if the visitor may change it. The ETag of a story covers its lines. */
async function openRecord(visit: ExplorerVisit, kind: MadeKind): Promise<Found> {
  const path = `/api/${kind.name}/${encodeURIComponent(visit.places['id']!)}/`
  const asked = await visit.ask(hasLines(kind.name) ? `${path}?embed=lines` : path)
  if (asked.status !== 200) return { answer: failure(visit, asked) }
  if (!visit.visitor) return { answer: signInFirst(visit, kind, asked.json) }
  const { json } = await visit.ask(path, { method: 'OPTIONS' })
  const actions = json?.actions?.PUT
  return actions
    ? { record: asked.json, etag: String(asked.headers['ETag']), members: membersOf(actions, kind) }
    : { answer: notYours(visit, kind, asked.json) }
}

async function work(visit: ExplorerVisit, kind: MadeKind, isStale = false): Promise<PageAnswer> {
  const sent = await visit.form()
  const action = actionOf(sent)
  const posted = kind.form.relations ? await withRelations(visit, unrelated(sent, action)) : sent
  const opened =
    visit.places['id'] === undefined ? await openNew(visit, kind, posted) : await openChanged(visit, kind, posted)
  if ('answer' in opened) return opened.answer
  const form: Form = {
    kind,
    record: opened.record,
    opened: openedOfForm(posted),
    members: opened.members,
    values: valuesOfForm(opened.members, posted),
    ...postedLines(posted),
    isStale,
  }
  if (form.errors) return await show(visit, form)
  if (CHOICES.has(action)) return await choose(visit, form, posted)
  if (action === 'paste' && form.lines) return await paste(visit, form, form.lines)
  // Without a script, Enter presses the first button of a form, which is not the one that saves.
  if (action === 'enter')
    return await show(visit, { ...form, note: 'Not saved yet. Press the button below to save it.' })
  if (action !== 'save') return await show(visit, { ...form, lines: form.lines && changedLines(form.lines, action) })
  return await save(visit, form)
}

/** Names that are not known, or not unique, are marked at once. */
async function paste(visit: ExplorerVisit, form: Form, lines: readonly Line[]): Promise<PageAnswer> {
  const resolved = await resolveLines(visit, 'story', lines)
  return await show(visit, { ...form, lines: resolved.lines, resolved, lineFaults: resolved.faults })
}

/** The buttons of the page that shows two versions. */
const CHOICES = new Set(['merge', 'mine', 'edit'])

async function choose(visit: ExplorerVisit, form: Form, posted: Posted): Promise<PageAnswer> {
  const theirs = form.opened?.version
  const chosen = theirs && chosenVersion(posted, versionIn(form), theirs)
  if (!chosen) return await show(visit, form)
  const settled = { ...form, values: chosen.values, lines: chosen.lines }
  return actionOf(posted) === 'edit' ? await show(visit, settled) : await save(visit, settled)
}

/** The page that shows both versions; or the record's new ETag, if nothing that the form has was changed. */
async function compared(visit: ExplorerVisit, form: Form): Promise<PageAnswer | Opened> {
  const { kind, opened } = form
  const found = await openRecord(visit, kind)
  if ('answer' in found) return found.answer
  const { record, etag } = found
  const [mine, theirs] = [versionIn(form), await versionOf(visit, kind, record)]
  const fields = disputedFields(mine, theirs, opened?.version)
  if (fields.every(({ chosen }) => chosen === 'mine')) return { etag, version: theirs }
  return await conflictPage(visit, { kind, record, etag, mine, theirs, fields })
}

function versionIn({ values, lines, kind }: Form): Version {
  return { values, lines: hasLines(kind.name) ? lines : undefined }
}

type OpenedForm = { readonly answer: PageAnswer } | { readonly record: Shown | undefined; readonly members: Members }

async function openNew(visit: ExplorerVisit, kind: MadeKind, posted: Posted): Promise<OpenedForm> {
  const { json } = await visit.ask(`/api/${kind.name}/`, { method: 'OPTIONS' })
  const actions = json?.actions?.POST
  return actions
    ? { record: undefined, members: membersOf(actions, kind) }
    : { answer: await show(visit, await formAfterSession(visit, kind, posted)) }
}

/** If the record is no longer there, or not the visitor's, the form keeps what was written. */
async function openChanged(visit: ExplorerVisit, kind: MadeKind, posted: Posted): Promise<OpenedForm> {
  const found = visit.visitor && (await openRecord(visit, kind))
  if (found && 'record' in found) return found
  return { answer: await show(visit, await formAfterSession(visit, kind, posted)) }
}

/** How often likes may come between. */
const MOST_TRIES = 5

async function save(visit: ExplorerVisit, form: Form, triesLeft = MOST_TRIES): Promise<PageAnswer> {
  if (form.isStale) return await show(visit, { ...form, refused: { status: 403, detail: signedInAgain(visit) } })
  const { kind, record, members, opened } = form
  const { json, errors, values } = await toJson(visit, kind, members, form.values)
  if (kind.name === 'story' && form.lines) await ensureBreak(visit, form.lines)
  const fable = form.lines && (await fableIn(visit, values))
  const lines = hasLines(kind.name) && form.lines ? await resolveLines(visit, kind.name, form.lines, fable) : undefined
  const again = { ...form, values, lines: lines?.lines ?? form.lines, resolved: lines }
  if (Object.keys(errors).length > 0 || (lines && lines.faults.size > 0)) {
    return await show(visit, { ...again, errors, ...(lines ? { lineFaults: lines.faults } : {}) })
  }
  const path = `/api/${kind.name}/${record ? `${record[`${kind.name}_id`]}/` : ''}`
  const sent = lines ? { ...json, lines: lines.json } : json
  const method = record ? 'PUT' : 'POST'
  const saved = await visit.ask(path, { method, json: sent, ifMatch: opened?.etag, isOptional: true })
  if (saved.status === 412 && triesLeft > 1) {
    const newest = await compared(visit, again)
    return 'etag' in newest ? await save(visit, { ...form, opened: newest }, triesLeft - 1) : newest
  }
  if (saved.status === 200 || saved.status === 201)
    return { location: kind.addressOf(saved.json), message: { code: record ? 'saved' : 'created' } }
  if (saved.status === 400) return await show(visit, { ...again, errors: errorsByField(saved.json, kind) })
  return await show(visit, { ...again, refused: { status: saved.status, detail: saved.json?.detail ?? '' } })
}

async function show(visit: ExplorerVisit, form: Form): Promise<PageAnswer> {
  const { kind, record, members, values, errors = {}, refused } = form
  const { form: made } = kind
  const { title, about } = made
  const [offers, known, twins, told, relations] = await Promise.all([
    offersFor(visit, kind, members),
    someRecords(visit, kind),
    alike(visit, kind, values, errors, record),
    hasLines(kind.name) ? telling(visit, kind.name, form) : undefined,
    made.relations ? relationFields(visit, values, errors) : undefined,
  ])
  const heading = record
    ? `Change ${values[kind.nameMember] && kind.nameMember !== 'body' ? values[kind.nameMember] : title.toLowerCase()}`
    : `Make a ${title.toLowerCase()}`
  const general = [...(errors['non_field_errors'] ?? []), ...(errors['detail'] ?? [])]
  const drawn = made.picture?.(trimmed(values))
  const main = html`<p class="kind">${title} ${whatIs(kind.name)}</p>
    <h1>${heading}</h1>
    <p class="does">${about}${made.hint?.()}${!record && hasTable(kind) && html` <a href=${`/make/${kind.name}/table/`}>Many at once, in a table</a>`}</p>
    <div class="making">
      <form class="maker" method="post" action=${record ? visit.path : `/make/${kind.name}/`} data-kind=${kind.name} data-id=${record?.[`${kind.name}_id`]} data-topics=${made.openTopics}>
        <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} /> ${hiddenFields(form.opened)}
        <button class="unseen" name="action" value="enter" tabindex="-1" aria-hidden="true">Check it</button>
        ${form.note && html`<p class="note" role="status">${form.note}</p>`}
        ${general.map((message) => html`<p class="note bad" role="alert">${inOurWords(message)}</p>`)}
        ${refused && refusal(visit, refused, form)}
        ${twins} ${controls({ kind, members, values, errors, offers, groups: { r: relations } }, told?.fields)} ${known}
        <p class="chips">
          <button class="go" type="submit" name="action" value="save">${record ? 'Save' : `Make it`}</button>
          ${record && html`<a class="btn" href=${kind.addressOf(record)}>Cancel</a>`}
        </p>
      </form>
      ${told?.shown}
      ${drawn !== undefined && html`<figure class="card live" data-picture=${`/make/${kind.name}/picture/`} aria-live="off">${drawn}</figure>`}
    </div>`
  const isBad = Object.keys(errors).length > 0 || (form.lineFaults?.size ?? 0) > 0
  return {
    status: refused?.status ?? (isBad ? 400 : 200),
    page: visitPage(visit, {
      title: heading,
      part: 'make',
      main,
      scripts: [MAKE, ...(made.openTopics ? [SENTENCE] : [])],
    }),
  }
}

/** The fields of the lines, and the text they make. */
async function telling(visit: ExplorerVisit, kind: 'story' | 'tale', form: Form) {
  const { lines, values, errors, lineFaults, pasted } = form
  const resolved = form.resolved ?? (await resolveLines(visit, kind, lines ?? []))
  const fable = await fableIn(visit, values)
  const view = {
    kind,
    lines,
    faults: lineFaults ?? new Map(),
    errors: errors?.['lines'] ?? [],
    topics: fable && topicsOf(fable),
    pasted,
  }
  return { fields: lineFields(view), shown: await preview(visit, kind, resolved, fable) }
}

/** The fable that a tale names. */
async function fableIn(visit: ExplorerVisit, { fable = '' }: Values): Promise<Shown | undefined> {
  const named = fable === '' ? undefined : await resolve(visit, 'fable', fable)
  return named && 'record' in named ? named.record : undefined
}

function picture(visit: ExplorerVisit, kind: MadeKind): PageAnswer {
  const values = Object.fromEntries(visit.query.pairs)
  const drawn = kind.form.picture?.(trimmed(values))
  const bytes = drawn ? render(html`<figure>${drawn}</figure>`) : ''
  return { bytes, type: 'text/html; charset=utf-8', headers: { 'Cache-Control': 'no-store' } }
}

function trimmed(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([member, value]) => [member, value.trim()]))
}
