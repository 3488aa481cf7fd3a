/** The fields of a form, from the API's description of a resource. Each error is shown at its field. */
import { inOurWords } from '../../form-errors.ts'
import { type Content, html } from '../../html.ts'
import { PARTS_OF_SPEECH, REALMS } from '../../kinds/form-words.ts'
import type { MadeKind, Reference } from '../../kinds/index.ts'
import { whatMeans } from '../../label.ts'
import type { Described, Errors, Members, Values } from './values.ts'

export interface Sheet {
  readonly kind: MadeKind
  readonly members: Members
  readonly values: Values
  readonly errors: Errors
  /** Values to suggest, from fields of this name in other records. */
  readonly offers: Readonly<Record<string, readonly string[]>>
  /** Other fields for numbered members, by their letter. */
  readonly groups?: Readonly<Record<string, Content>>
}

/** Texts that may be this long get more than one line. */
const LONG = 1000
const NUMBERED = /^[a-z][0-9]+$/
/** Folded under "More about it": where a record comes from and belongs. */
export const ASIDE: ReadonlySet<string> = new Set([
  'src',
  'area',
  'wiki',
  'realm',
  'pos',
  'epos',
  'rpos',
  'opos',
  'spos',
])

/** `between` is shown after the main fields and before the folded ones. */
export function controls(sheet: Sheet, between?: Content): Content {
  const names = Object.keys(sheet.members)
  const isAside = (name: string) => ASIDE.has(name) && !sheet.members[name]!.required
  const main = names.filter((name) => !isAside(name))
  const aside = names.filter(isAside)
  const isOpen = aside.some((name) => sheet.errors[name] || sheet.values[name])
  return html`${inGroups(sheet, main)} ${between}
    ${
      aside.length > 0 &&
      html`<details class="aside" open=${isOpen}>
        <summary>More about it</summary>
        ${aside.map((name) => field(sheet, name))}
      </details>`
    }
    ${Object.entries(offersOf(sheet)).map(
      ([id, values]) =>
        html`<datalist id=${id}>${values.map((each) => html`<option value=${each}></option>`)}</datalist>`,
    )}`
}

/** Values to choose from, by the id of their list. */
function offersOf({ members, offers }: Sheet): Readonly<Record<string, readonly string[]>> {
  return {
    ...(members['realm'] ? { realms: REALMS } : {}),
    ...(members['pos'] ? { tags: PARTS_OF_SPEECH } : {}),
    ...Object.fromEntries(Object.entries(offers).map(([name, values]) => [`offers-${name}`, values])),
  }
}

/** Members of one letter and a number are grouped. */
function inGroups(sheet: Sheet, names: readonly string[]): Content[] {
  const done = new Set<string>()
  return names.map((name) => {
    const letter = /^([a-z])[0-9]+$/.exec(name)?.[1]
    const words = letter === undefined ? undefined : sheet.kind.form.slots[letter]
    if (!words) return isFoldedCode(sheet, name) ? foldedCode(sheet, name) : field(sheet, name)
    if (done.has(letter!)) return undefined
    done.add(letter!)
    const instead = sheet.groups?.[letter!]
    if (instead) return instead
    const slots = names.filter((each) => new RegExp(`^${letter}[0-9]+$`).test(each))
    const least = slots.filter((slot) => sheet.members[slot]!.required).length
    return html`<fieldset class="slots" data-grow=${Math.max(least, 1)}>
      <legend>${words.label} ${whatMeans(sheet.kind.name, letter!)}</legend>
      ${words.help && html`<span class="help">${words.help}</span>`}
      <ol>
        ${slots.map((slot, i) => html`<li>${field(sheet, slot, `${words.each} ${i + 1}`)}</li>`)}
      </ol>
    </fieldset>`
  })
}

/** The server writes the code of a saying, so people see it only when they ask for it, or when it is wrong. */
function isFoldedCode({ members }: Sheet, name: string): boolean {
  return name === 'qode' && !members[name]!.required
}

function foldedCode(sheet: Sheet, name: string): Content {
  return html`<details class="code" open=${sheet.errors[name] !== undefined}>
    <summary>Show code</summary>
    ${field(sheet, name)}
  </details>`
}

function field(sheet: Sheet, name: string, given?: string): Content {
  const { kind, members, values, errors } = sheet
  const described = members[name]!
  const words = kind.form.words[name]
  const label = given ?? words?.label ?? described.label ?? name
  const reference = kind.form.references[name]
  const help = reference ? helpOf(reference) : words?.help
  const wrong = errors[name]
  const about = [help && !given && `${name}-help`, wrong && `${name}-wrong`].filter(Boolean).join(' ')
  const attributes = {
    id: name,
    name,
    'aria-describedby': about || undefined,
    'aria-invalid': wrong ? 'true' : undefined,
    'aria-required': described.required ? 'true' : undefined,
  }
  const value = values[name] ?? ''
  return html`<div class=${`field ${/^[eros]$/.test(name) ? name : ''}`}>
    <label for=${name}>${label}${described.required === false && !given && html` <span class="soft">optional</span>`}</label>
    ${!given && whatMeans(kind.name, name)}
    ${reference ? named(reference, attributes, value) : typed(sheet, name, described, attributes, value)}
    ${help && !given && html`<span class="help" id=${`${name}-help`}>${help}</span>`}
    ${wrong && html`<span class="wrong" id=${`${name}-wrong`}>${wrong.map(inOurWords).join(' ')}</span>`}
  </div>`
}

type Attributes = Readonly<Record<string, string | undefined>>

function typed(sheet: Sheet, name: string, described: Described, attributes: Attributes, value: string): Content {
  const { choices, max_length: most = 0 } = described
  if (choices) {
    return html`<select ...${attributes}>
      <option value="">Choose …</option>
      ${choices.map((choice) => html`<option value=${choice.value} selected=${choice.value === value}>${choice.display_name}</option>`)}
    </select>`
  }
  if (most >= LONG && !NUMBERED.test(name)) {
    const isCode = name === 'qode'
    return html`<textarea ...${attributes} class=${isCode ? 'code' : 'words'} rows=${isCode ? 4 : 3}
      data-unique=${name === 'body' ? 'body' : undefined}>${value}</textarea>`
  }
  const isTerm = /^([eros]|p[0-9]+)$/.test(name)
  return html`<input ...${attributes} value=${value} autocomplete="off" inputmode=${described.type === 'integer' ? 'numeric' : undefined} list=${listOf(sheet, name)}
    data-unique=${name === 'name' ? 'name' : undefined} data-terms=${isTerm ? sheet.kind.name : undefined} />`
}

function listOf({ offers }: Sheet, name: string): string | undefined {
  if (name === 'realm') return 'realms'
  if (/^[eros]?pos$/.test(name)) return 'tags'
  return offers[name] ? `offers-${name}` : undefined
}

/** A record by its number or name; several have one line each. */
function named({ kind, many }: Reference, attributes: Attributes, value: string): Content {
  if (many) {
    return html`<textarea ...${attributes} rows=${Math.max(4, value.split('\n').length + 1)} data-pick-many=${kind}>${value}</textarea>`
  }
  return html`<span class="pick"><input ...${attributes} value=${value} autocomplete="off" list=${`some-${kind}`} data-pick=${kind} /></span>`
}

function helpOf({ kind, many }: Reference): string {
  return many ? `Each ${kind} on its own line, by its name.` : `A ${kind}, by its name.`
}

/** The hidden list from which browsers suggest values without a script. */
export function someOf(kind: string, records: readonly string[]): Content {
  return html`<datalist id=${`some-${kind}`}>${records.map((each) => html`<option value=${each}></option>`)}</datalist>`
}
