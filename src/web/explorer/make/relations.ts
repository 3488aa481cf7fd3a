/** The relations of a polymap: rows of a word, a relation and a word, each chosen from a list. */
import { inOurWords } from '../../form-errors.ts'
import { type Content, html } from '../../html.ts'
import { RELATIONS } from '../../kinds/form-words.ts'
import type { ExplorerVisit } from '../../kinds/index.ts'
import { whatIs } from '../../label.ts'
import { relationInWords } from '../../pictures/index.ts'
import { wordsOfRecord } from '../../record-labels.ts'
import { resolve } from './references.ts'
import type { Errors, Values } from './values.ts'

const MOST_ROWS = 12
/** Rows that are offered before any is filled. */
const BLANK_ROWS = 2

/** A field for several rows as the API takes them. */
const CODE = 'relation_code'

type Form = ReadonlyMap<string, readonly string[]>
type Row = readonly [from: string, name: string, to: string]

const NUMBERS = Array.from({ length: MOST_ROWS }, (_, i) => i + 1)
const last = (form: Form, name: string) => form.get(name)?.at(-1)?.trim() ?? ''

/** The words of both polynyms; undefined until both are chosen. */
async function wordsOf(visit: ExplorerVisit, pa: string, pb: string): Promise<[string[], string[]] | undefined> {
  if (pa === '' || pb === '') return undefined
  const [a, b] = [await resolve(visit, 'polynym', pa), await resolve(visit, 'polynym', pb)]
  return 'record' in a && 'record' in b ? [wordsOfRecord(a.record), wordsOfRecord(b.record)] : undefined
}

/** A row as the API takes it. Typed rows may have spaces around their commas. */
export function tidyRow(row: string, [left, right]: readonly [readonly string[], readonly string[]]): string {
  return partsOf(row, left, right)?.join(',') ?? row
}

/** Words may have commas themselves, so a row is read with the known words. */
function partsOf(row: string, left: readonly string[], right: readonly string[]): Row | undefined {
  for (const from of left.filter((word) => row.startsWith(word))) {
    for (const to of right.filter((word) => row.endsWith(word))) {
      const [, name] = /^\s*,\s*(\w*)\s*,\s*$/.exec(row.slice(from.length, row.length - to.length)) ?? []
      if (name !== undefined) return [from, name, to]
    }
  }
  return undefined
}

/** The form with its chosen rows as members r1, r2 ...; empty rows are left out. */
export async function withRelations(visit: ExplorerVisit, form: Form): Promise<Form> {
  const chosen = NUMBERS.map((i): Row => [last(form, `from${i}`), last(form, `relation${i}`), last(form, `to${i}`)])
  const words = await wordsOf(visit, last(form, 'pa'), last(form, 'pb'))
  const code = [...NUMBERS.map((i) => last(form, `r${i}`)), ...last(form, CODE).split(/[\r\n]+/)]
  const typed = code.map((row) => (words ? tidyRow(row.trim(), words) : row.trim()))
  const rows = [...chosen.filter((row) => row.some((part) => part !== '')).map((row) => row.join(',')), ...typed]
  const filled = rows.filter((row) => row !== '')
  return new Map([...form, ...NUMBERS.map((i): [string, string[]] => [`r${i}`, [filled[i - 1] ?? '']])])
}

/** Undefined until both polynyms are known: then the rows are typed. */
export async function relationFields(visit: ExplorerVisit, values: Values, errors: Errors): Promise<Content> {
  const words = await wordsOf(visit, values['pa'] ?? '', values['pb'] ?? '')
  const rows = NUMBERS.map((i) => values[`r${i}`] ?? '').filter((row) => row !== '')
  if (!words) {
    return html`<fieldset class="slots" data-swap-part="relations">
      <legend>Relations ${whatIs('relation')}</legend>
      <span class="help">Choose both polynyms, and their words are listed here.</span>
      <p class="chips"><button class="btn small" name="action" value="relations" data-key="relations">List their words</button></p>
      ${codeField(rows)}
    </fieldset>`
  }
  const parts = rows.map((row) => partsOf(row, ...words) ?? splitAt(row))
  const shown = Math.min(Math.max(parts.length + 1, BLANK_ROWS), MOST_ROWS)
  return html`<fieldset class="slots relating" data-swap-part="relations" data-rows>
    <legend>Relations ${whatIs('relation')}</legend>
    <span class="help">Each reads as a sentence: a word of the first, how it relates, a word of the second.</span>
    <ol>
      ${NUMBERS.slice(0, shown).map((i) => relationRow(i, parts[i - 1] ?? ['', '', ''], words, errors[`r${i}`] ?? []))}
    </ol>
    <p class="chips"><button class="btn small" name="action" value="relations" data-key="relations">Add a row</button></p>
    ${codeField([])}
  </fieldset>`
}

function codeField(rows: readonly string[]): Content {
  return html`<details class="code" open=${rows.length > 0}>
    <summary>Paste code</summary>
    <textarea name=${CODE} class="code" rows="3" aria-label="Relations as code" aria-describedby="relation-code-help">${rows.join('\n')}</textarea>
    <span class="help" id="relation-code-help">One relation on each line: a word, a relation such as IsA or PartOf, and a word, with commas between them.</span>
  </details>`
}

/** A row whose words are gone keeps them, so that people see what it said. */
function splitAt(row: string): Row {
  const [from = '', name = '', ...to] = row.split(',')
  return [from, name, to.join(',')]
}

const SENTENCES = RELATIONS.map((name): [string, string] => [name, relationInWords(name)])

function relationRow(
  i: number,
  [from, name, to]: Row,
  [left, right]: [string[], string[]],
  wrong: readonly string[],
): Content {
  const about = wrong.length > 0 ? { 'aria-invalid': 'true', 'aria-describedby': `r${i}-wrong` } : {}
  const choice = (of: string, label: string, value: string, all: readonly [string, string][]) => {
    const known: readonly [string, string][] =
      value === '' || all.some(([each]) => each === value) ? all : [...all, [value, value]]
    return html`<select name=${`${of}${i}`} data-key=${`${of}${i}`} aria-label=${`${label} ${i}`} ...${about}>
      <option value="">${of === 'relation' ? 'relates to' : 'word'} …</option>
      ${known.map(([each, says]) => html`<option value=${each} selected=${each === value}>${says}</option>`)}
    </select>`
  }
  const asChoices = (words: readonly string[]) => words.map((word): [string, string] => [word, word])
  return html`<li class="relation-row">
    ${choice('from', 'First word of row', from, asChoices(left))}
    ${choice('relation', 'Relation of row', name, SENTENCES)}
    ${choice('to', 'Second word of row', to, asChoices(right))}
    <button class="btn small" name="action" value=${`unrelate:${i}`} data-key=${`unrelate-${i}`} aria-label=${`Remove row ${i}`} title="Remove">×</button>
    ${wrong.length > 0 && html`<span class="wrong" id=${`r${i}-wrong`}>${wrong.map(inOurWords).join(' ')}</span>`}
  </li>`
}

/** The form without one row. */
export function unrelated(form: Form, action: string): Form {
  const [what, row] = action.split(':')
  return what === 'unrelate'
    ? new Map([...form, ...['from', 'relation', 'to'].map((of): [string, string[]] => [`${of}${row}`, ['']])])
    : form
}
