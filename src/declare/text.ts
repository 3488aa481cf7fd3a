/** Text: always shown, or left out when empty. Every text is trimmed at both ends before it is checked. */
import {
  type At,
  type Column,
  type Described,
  type Field,
  type Filter,
  foldForOrder,
  type Json,
  labelOf,
  type Maybe,
  type MemberDescription,
  type Parsed,
  type Row,
  type Schema,
  type SearchText,
  type Sortable,
  showMember,
  standsAlone,
} from './field.ts'
import { textOfJson } from './json.ts'

export interface TextRules extends Described {
  /** In code points, as JSON Schema and both databases count. */
  readonly max: number
  /** Whether the empty string is allowed. A missing member then means the same. */
  readonly blank?: boolean
  readonly choices?: readonly string[]
  readonly pattern?: { readonly is: RegExp; readonly says: string }
  /** Lists are often filtered by it. */
  readonly indexed?: boolean
  /** How search uses it; not at all by default. `of` picks the words out of the stored text. */
  readonly search?: { readonly as: SearchText['as']; readonly of?: (text: string) => string }
  /** Whether `icontains` can search it. */
  readonly inside?: boolean
  /** What records have that are older than the field: the first choice, or nothing, unless said otherwise. */
  readonly initial?: string
  /** A further rule: what is wrong with the text, or undefined. */
  readonly check?: (text: string) => string | undefined
  /** Converts another spelling of the same text to the stored one. */
  readonly tidy?: (text: string) => string
}

export function text(rules: TextRules): Field<string, string, At<string>> & Sortable {
  return {
    ...textKind(rules),
    describe: (key) => ({ [key]: describeText(key, rules) }),
    schema: (key) => ({
      [key]: {
        does: rules.does,
        shown: schemaOf(rules),
        always: true,
        given: schemaOf(rules),
        required: !rules.blank,
      },
    }),
    parse: (body, key) => readText(body[key], rules, key),
    show: (value, key) => showMember(key, value),
  }
}

/** Text that is left out of the JSON when it is empty; inside, missing is the empty string. */
export function optionalText(rules: TextRules): Field<string, string, Maybe<string>> & Sortable {
  const blank = { ...rules, blank: true }
  return {
    ...textKind(blank),
    describe: (key) => ({ [key]: describeText(key, blank) }),
    schema: (key) => ({
      [key]: {
        does: rules.does,
        shown: schemaOf(rules),
        always: false,
        given: orNull(schemaOf(blank)),
      },
    }),
    // Clients that cannot leave out a member send null for "none".
    parse: (body, key) => readText(body[key] ?? '', blank, key),
    show: (value, key) => (value === '' ? '' : showMember(key, value)),
  }
}

const textKind = (rules: TextRules) => ({
  ...standsAlone,
  sortable: true as const,
  writable: true,
  initial: rules.initial ?? (rules.blank ? '' : (rules.choices?.[0] ?? '')),
  storage: (key: string) => ({ in: 'columns' as const, columns: [columnOf(key, rules)] }),
  members: (key: string) => [key],
  filters: (key: string) => ({ [key]: textFilter(columnOf(key, rules), rules) }),
  pack: (value: string, key: string) => ({ [key]: value }),
  unpack: (row: Row, key: string) => String(row[key]),
  searches: rules.search?.as,
  searched: (value: string, key: string) => searchedText(value, key, rules),
  identity: (value: string) => value,
  sortKey: foldForOrder,
})

function columnOf(name: string, { max, indexed = false, inside = false }: TextRules): Column {
  return { name, type: 'text', indexed, folded: inside, longest: max }
}

export function searchedText(
  text: string,
  member: string,
  { search }: { readonly search?: TextRules['search'] | undefined },
): SearchText[] {
  return search && text !== '' ? [{ as: search.as, member, text: search.of ? search.of(text) : text }] : []
}

/** The filters of a text: exact, and by prefix; an optional text also by whether it has a value. */
export function textFilter(column: Column, { blank, choices, inside }: Partial<TextRules>): Filter {
  return {
    lookups: [
      'exact',
      'in',
      'startswith',
      ...(inside ? (['icontains'] as const) : []),
      ...(blank ? (['isnull'] as const) : []),
    ],
    on: { column },
    schema: choices ? { type: 'string', enum: choices } : { type: 'string' },
    parse: (given) =>
      choices && !choices.includes(given) ? { fault: `"${given}" is not a valid choice.` } : readWord(given),
  }
}

/** A text to compare with. PostgreSQL refuses U+0000 even in a comparison. */
export function readWord(given: string): { readonly value: string } | { readonly fault: string } {
  return given.includes('\0') ? { fault: 'Null characters are not allowed.' } : { value: given }
}

/** The schema of a text with these rules. */
export function schemaOf({ max, blank, choices, pattern }: TextRules): Schema {
  if (choices) return { type: 'string', enum: blank ? [...choices, ''] : choices }
  const whole = pattern ? { pattern: blank ? `${pattern.is.source}|^$` : pattern.is.source } : {}
  return { type: 'string', ...(blank ? {} : { minLength: 1 }), maxLength: max, ...whole }
}

/** The same, or null. */
export function orNull(schema: Schema): Schema {
  const { type, enum: choices } = schema
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] }
  return { ...schema, type: [type, 'null'], ...(Array.isArray(choices) ? { enum: [...choices, null] } : {}) }
}

export function describeText(member: string, { max, blank, choices }: TextRules): MemberDescription {
  const common = { required: !blank, read_only: false, label: labelOf(member) }
  if (!choices) return { type: 'string', ...common, max_length: max }
  return { type: 'choice', ...common, choices: choices.map((value) => ({ value, display_name: labelOf(value) })) }
}

/** The text given under `member`, or what is wrong with it. Slots use the same rules. */
export function readText(given: Json | undefined, rules: TextRules, member: string): Parsed<string> {
  const wrong = (...messages: string[]) => ({ errors: { [member]: messages } })
  if (given === undefined) return rules.blank ? { value: '' } : wrong('This field is required.')
  if (given === null) return wrong('This field may not be null.')
  if (rules.choices) return readChoice(given, rules, wrong)
  if (typeof given !== 'string' && !isExactNumber(given)) return wrong('Not a valid string.')
  const trimmed = String(given).trim()
  if (trimmed === '') return rules.blank ? { value: '' } : wrong('This field may not be blank.')
  const faults = faultsOf(trimmed, rules)
  if (faults.length > 0) return wrong(...faults)
  return { value: rules.tidy ? rules.tidy(trimmed) : trimmed }
}

/** A number may be given for a text, unless parsing lost digits. */
function isExactNumber(given: Json): boolean {
  return typeof given === 'number' && Number.isFinite(given) && Math.abs(given) <= Number.MAX_SAFE_INTEGER
}

function readChoice(given: Json, rules: TextRules, wrong: (message: string) => Parsed<string>): Parsed<string> {
  const chosen = textOfJson(given).trim()
  if (chosen === '' && rules.blank) return { value: '' }
  return rules.choices?.includes(chosen) ? { value: chosen } : wrong(`"${chosen}" is not a valid choice.`)
}

function faultsOf(text: string, { max, pattern, check }: TextRules): string[] {
  const faults: string[] = []
  if (text.length > max && [...text].length > max) faults.push(`Ensure this field has no more than ${max} characters.`)
  // PostgreSQL cannot store U+0000, and neither database returns a lone surrogate unchanged.
  if (text.includes('\0')) faults.push('Null characters are not allowed.')
  const surrogate = /\p{Surrogate}/u.exec(text)
  if (surrogate) {
    const point = surrogate[0].charCodeAt(0).toString(16).toUpperCase()
    faults.push(`Surrogate characters are not allowed: U+${point}.`)
  }
  if (pattern && !pattern.is.test(text)) faults.push(pattern.says)
  // A text that is too long is not checked any further.
  const fault = faults.length === 0 ? check?.(text) : undefined
  if (fault) faults.push(fault)
  return faults
}
