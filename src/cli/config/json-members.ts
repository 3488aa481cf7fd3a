/**
 * The members of one flat JSON object, each with its line. JSON.parse would not say where every mistake is, and would
 * take the last of two members with the same name without a word.
 */
import { SettingFault } from '../bad-setting.ts'

export type JsonValue = string | number | boolean | null | readonly JsonValue[]

export interface JsonMember {
  readonly name: string
  readonly value: JsonValue
  readonly line: number
}

const SPACE = /[ \t\r\n]*/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const WORD = /true|false|null/y
const WORDS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

export function readMembers(text: string, file: string): JsonMember[] {
  return new Reader(text, file).members()
}

class Reader {
  readonly #text: string
  readonly #file: string
  #at = 0
  /** How far lines are counted, the number of the last one, and where it begins. */
  #counted = { to: 0, line: 1, start: 0 }

  constructor(text: string, file: string) {
    this.#text = text.replace(/^\uFEFF/, '')
    this.#file = file
  }

  members(): JsonMember[] {
    const found = new Map<string, JsonMember>()
    this.#demand('{')
    for (let more = !this.#takes('}'); more; more = this.#hasMore('}')) {
      const { line } = this.#place()
      const name = this.#string('the name of a setting in double quotes')
      if (found.has(name)) this.#fail(`${JSON.stringify(name.slice(0, 100))} is there twice`)
      this.#demand(':')
      found.set(name, { name, value: this.#value(), line })
    }
    this.#skip()
    if (this.#at < this.#text.length) this.#fail('nothing may follow the last brace')
    return [...found.values()]
  }

  #value(): JsonValue {
    this.#skip()
    if (this.#takes('[')) return this.#array()
    if (this.#text[this.#at] === '"') return this.#string('a closed string')
    const number = this.#match(NUMBER)
    if (number !== undefined) return Number(number)
    const word = this.#match(WORD)
    return word === undefined
      ? this.#fail('expected a string, a number, true, false or an array')
      : (WORDS.get(word) ?? null)
  }

  /** Of strings and numbers: settings have no deeper ones. */
  #array(): JsonValue[] {
    const values: JsonValue[] = []
    for (let more = !this.#takes(']'); more; more = this.#hasMore(']')) {
      this.#skip()
      if (this.#text[this.#at] === '[') this.#fail('expected a string')
      values.push(this.#value())
    }
    return values
  }

  #hasMore(end: string): boolean {
    if (this.#takes(',')) return true
    if (!this.#takes(end)) this.#fail(`expected a comma or ${end}`)
    return false
  }

  #string(wants: string): string {
    this.#skip()
    const matched = this.#match(STRING)
    return matched === undefined ? this.#fail(`expected ${wants}`) : String(JSON.parse(matched))
  }

  #takes(character: string): boolean {
    this.#skip()
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #demand(character: string): void {
    if (!this.#takes(character)) this.#fail(`expected ${character}`)
  }

  #skip(): void {
    this.#match(SPACE)
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [matched] = pattern.exec(this.#text) ?? []
    if (matched !== undefined) this.#at += matched.length
    return matched
  }

  #place(): { readonly line: number; readonly column: number } {
    this.#skip()
    const at = this.#at
    const { to, line, start } = this.#counted
    const [last = '', ...lines] = this.#text.slice(to, at).split('\n').toReversed()
    this.#counted = { to: at, line: line + lines.length, start: lines.length > 0 ? at - last.length : start }
    return { line: this.#counted.line, column: at - this.#counted.start + 1 }
  }

  #fail(reason: string): never {
    const { line, column } = this.#place()
    throw new SettingFault(`${this.#file} is not valid JSON: line ${line}, column ${column}: ${reason}`)
  }
}
