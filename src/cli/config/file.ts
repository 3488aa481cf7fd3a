/** The settings file: nymdex.json in the working folder, or the one that --config or NYMDEX_CONFIG names. */
import { readFileSync, statSync } from 'node:fs'
import { codeOf } from '../../store/index.ts'
import { SettingFault } from '../bad-setting.ts'
import { SETTINGS, type Setting } from '../setting-list.ts'
import { type JsonMember, type JsonValue, readMembers } from './json-members.ts'
import { similarTo } from './similar.ts'

const USUAL = 'nymdex.json'
const MOST_BYTES = 1_000_000

export interface SettingsFile {
  readonly name: string
  readonly settings: readonly { readonly setting: Setting; readonly text: string; readonly line: number }[]
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
}

/** Undefined if no file is named and there is none in the working folder. */
export function readSettingsFile(named: string | undefined): SettingsFile | undefined {
  const name = named ?? USUAL
  const found = open(name, named !== undefined)
  if (!found) return undefined
  const settings: SettingsFile['settings'][number][] = []
  const faults: string[] = []
  for (const member of readMembers(found.text, name)) {
    // Editors check the file by it.
    if (member.name === '$schema') continue
    const setting = SETTINGS.find(({ option }) => option === member.name)
    const text = setting && textOf(setting, member.value)
    if (!setting) faults.push(unknown(member, name))
    else if (text === undefined) faults.push(wrongType(setting, member, name))
    else settings.push({ setting, text, line: member.line })
  }
  const secret = settings.find(({ setting, text }) => setting.is.shown(text) !== text)
  const warnings =
    secret && found.isReadByOthers
      ? [
          `other users of this machine can read ${name}, and "${secret.setting.option}" has a password: chmod 600 ${name}`,
        ]
      : []
  return { name, settings, faults, warnings }
}

function open(name: string, isNamed: boolean): { readonly text: string; readonly isReadByOthers: boolean } | undefined {
  try {
    const { size, mode, uid } = statSync(name)
    if (size > MOST_BYTES) throw new SettingFault(`${name} is too large for a settings file`)
    // In a folder that all can write to, anybody could choose the database.
    const own = process.getuid?.()
    if (!isNamed && own !== undefined && uid !== own && uid !== 0) {
      throw new SettingFault(`${name} belongs to another user: name it with --config if you trust it`)
    }
    return { text: readFileSync(name, 'utf8'), isReadByOthers: process.platform !== 'win32' && (mode & 0o004) !== 0 }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' && !isNamed) return undefined
    if (code === '') throw error
    throw new SettingFault(`${name} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}`)
  }
}

/** As the environment would give it; undefined for a value of the wrong type. */
function textOf({ is }: Setting, value: JsonValue): string | undefined {
  switch (typeof value) {
    case 'string':
      // A number in quotes would pass here, and the JSON schema would refuse it.
      return is.type === 'number' && /^[0-9]/.test(value) ? undefined : value
    case 'number':
      return takesNumbers(is) ? String(value) : undefined
    case 'boolean':
      return is.words.find((word) => word === (value ? 'on' : 'off'))
    default:
      return value !== null && is.type === 'list' && value.every(isWord) ? value.join(',') : undefined
  }
}

const isWord = (value: JsonValue) => typeof value === 'string' && /^[^\s,]+$/.test(value)

const takesNumbers = ({ schema }: Setting['is']) => JSON.stringify(schema).includes('"integer"')

function unknown({ name, line }: JsonMember, file: string): string {
  const names = SETTINGS.map(({ option }) => option)
  return unknownName(name, `${file}, line ${line}`, similarTo(name, names))
}

/** `Unknown setting "prot" in nymdex.json, line 2: did you mean "port"?` */
export function unknownName(name: string, place: string, similar: string | undefined): string {
  const help = similar === undefined ? 'nymdex serve --help lists all' : `did you mean "${similar}"?`
  return `unknown setting ${JSON.stringify(name.slice(0, 100))} in ${place}: ${help}`
}

function wrongType({ is, option }: Setting, { value, line }: JsonMember, file: string): string {
  const what = value === null ? 'null' : Array.isArray(value) ? 'this array' : `the ${typeof value} ${given(is, value)}`
  return `"${option}" in ${file}, line ${line}: ${what} is not ${is.wants}`
}

const given = (is: Setting['is'], value: JsonValue) =>
  JSON.stringify(typeof value === 'string' ? is.shown(value) : value).slice(0, 100)
