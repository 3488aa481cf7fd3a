/** A list as a table, for curators: chosen columns, an order for each, records to select, and everything to take away. */
import { hereOf, listAddress, personAddress, queryWith, recordAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import type { Column } from '../kinds/columns.ts'
import type { ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { memberLabel, whatMeans } from '../label.ts'
import { webLink } from '../links.ts'
import { shortened } from '../texts/marked.ts'

export const TABLE_SIZE = 50
const LONGEST_TEXT = 140
const LONGEST_NAME = 60
const MOST_RECORDS = 3

/** Parameters of the page, of which the API knows nothing. */
export const PAGE_ONLY = { view: undefined, columns: undefined, wish: undefined } as const

export function isTable({ query }: ExplorerVisit): boolean {
  return query.get('view') === 'table'
}

/** `columns=name,area`, or repeated; unknown ones are left out. */
function chosenColumns({ query }: ExplorerVisit, { columns }: Kind): readonly Column[] {
  const wanted = new Set(query.all('columns').flatMap((value) => value.split(',')))
  const chosen = columns.filter(({ key, type }) => type === 'name' || wanted.has(key))
  return wanted.size > 0 && chosen.length > 0 ? chosen : columns.filter(({ isUsual }) => isUsual)
}

/** Links between the two views, which keep the filters. */
export function viewLinks(visit: ExplorerVisit): Content {
  const { path, query } = visit
  const inTable = isTable(visit)
  const link = (label: string, view: string | undefined, isHere: boolean) => {
    const href = listAddress(path, query, { view, page_size: undefined, ...(view ? {} : { columns: undefined }) })
    return html`<a class="btn small" href=${href} aria-current=${isHere ? 'true' : undefined}>${label}</a>`
  }
  return html`<p class="views chips" role="group" aria-label="View">
    ${link('Cards', undefined, !inTable)} ${link('Table', 'table', inTable)}
  </p>`
}

export function table(visit: ExplorerVisit, kind: Kind, records: readonly Shown[]): Content {
  const columns = chosenColumns(visit, kind)
  const id = `${kind.name}_id`
  return html`${tools(visit, kind, columns)}
    <form class="select-many" action=${`/${kind.name}/selected/`} data-select-many>
      <p class="soft sideways" id="sideways">Move the table sideways to see all columns.</p>
      <div class="sheet-scroll" role="region" tabindex="0" aria-label=${`Table of ${kind.many.toLowerCase()}`} aria-describedby="sideways">
        <table class="curators">
          <caption class="unseen">${kind.many}</caption>
          <thead>
            <tr>
              <th scope="col" class="tick"><span class="unseen">Select</span></th>
              ${columns.map((column) => heading(visit, kind, column))}
            </tr>
          </thead>
          <tbody>
            ${records.map(
              (record) => html`<tr>
                <td class="tick"><input type="checkbox" name="id" value=${record[id]} aria-label=${`Select ${shortened(kind.nameOf(record), 60)}`} /></td>
                ${columns.map((column) => cell(kind, column, record))}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${selectedTools(visit, kind)}
    </form>`
}

function heading({ path, query }: ExplorerVisit, kind: Kind, { key, label, order, type }: Column): Content {
  const className = type === 'number' ? 'number' : undefined
  if (order === undefined) return html`<th scope="col" class=${className}>${memberLabel(kind.name, key, label)}</th>`
  const isByName = kind.order === 'A to Z' && !query.get('search')?.trim()
  const now = query.get('ordering') || (isByName ? kind.nameMember : undefined)
  const sorted = now === order ? 'ascending' : now === `-${order}` ? 'descending' : undefined
  const next = sorted === 'ascending' ? `-${order}` : order
  const arrow = sorted === 'ascending' ? ' ↑' : sorted === 'descending' ? ' ↓' : ''
  return html`<th scope="col" class=${className} aria-sort=${sorted}>
    <a href=${listAddress(path, query, { ordering: next })}>${label}<span aria-hidden="true">${arrow}</span></a>
    ${whatMeans(kind.name, key)}
  </th>`
}

const CLASSES: Partial<Record<Column['type'], string>> = { number: 'number', words: 'words' }

function cell(kind: Kind, column: Column, record: Shown): Content {
  if (column.type === 'name') {
    return html`<th scope="row"><a href=${kind.addressOf(record)}>${shortened(kind.nameOf(record), LONGEST_TEXT)}</a></th>`
  }
  const values = column.members.flatMap((member) => record[member] ?? [])
  if (column.to !== undefined) return html`<td>${recordLinks(column.to, values)}</td>`
  return html`<td class=${CLASSES[column.type]}>${shownValue(column, values)}</td>`
}

function shownValue({ type }: Column, values: readonly (string | number)[]): Content {
  const [value] = values
  if (value === undefined) return undefined
  const text = String(value)
  switch (type) {
    case 'number':
      return Number(value).toLocaleString('en')
    case 'person':
      return html`<a href=${personAddress(text)}>${text}</a>`
    case 'link':
      return webLink(text) ?? shortened(text, LONGEST_TEXT)
    default:
      return shortened(values.join(' · '), LONGEST_TEXT)
  }
}

function recordLinks(kind: string, records: readonly Shown[]): Content {
  const more = records.length - MOST_RECORDS
  const links = records.slice(0, MOST_RECORDS).map((each, i) => {
    const name = shortened(String(each['name'] ?? each['body'] ?? `${kind} ${each[`${kind}_id`]}`), LONGEST_NAME)
    return [i > 0 && ', ', html`<a href=${recordAddress(kind, each)}>${name}</a>`]
  })
  return html`${links}${more > 0 && ` and ${more} more`}`
}

/** Which columns, and the whole list as files. */
function tools(visit: ExplorerVisit, kind: Kind, shown: readonly Column[]): Content {
  const { path, query } = visit
  const fields = shown.flatMap(({ members }) => members).join(',')
  const all = queryWith(query, { ...PAGE_ONLY, page: undefined, page_size: undefined, fields })
  const page = queryWith(query, {
    ...PAGE_ONLY,
    page_size: query.get('page_size') || TABLE_SIZE,
    fields,
    format: 'json',
  })
  const kept = query.pairs.filter(([name, value]) => !['columns', 'page'].includes(name) && value !== '')
  return html`<div class="table-tools">
    <details>
      <summary>Columns</summary>
      <form class="columns" action=${path}>
        ${kept.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
        ${kind.columns.map(
          (column) => html`<label>
            <input type="checkbox" name="columns" value=${column.key} checked=${shown.includes(column)} disabled=${column.type === 'name'} />
            ${column.label}
          </label>`,
        )}
        <button class="btn small" type="submit">Show these</button>
      </form>
    </details>
    <p class="meta">
      <span>Export all of this list:</span> <a href=${`/api/${kind.name}.csv?${all}`}>CSV</a>
      <a href=${`/api/${kind.name}.ndjson?${all}`}>JSON lines</a>
      <a href=${`/api/${kind.name}/?${page}`}>This page as JSON</a>
    </p>
  </div>`
}

function selectedTools(visit: ExplorerVisit, kind: Kind): Content {
  return html`<p class="chips selected-tools">
    <input type="hidden" name="back" value=${hereOf(visit)} />
    <span class="soft" data-selected role="status">With the selected ones:</span>
    <button class="btn small" type="submit" name="do" value="csv">Export CSV</button>
    <button class="btn small" type="submit" name="do" value="json">Export JSON</button>
    ${visit.visitor && kind.form && html`<button class="btn small" type="submit" name="do" value="delete">Delete …</button>`}
  </p>`
}
