/** All that the operator set: options win over the environment, the environment wins over the file. */
import { SettingFault } from '../bad-setting.ts'
import { SETTINGS } from '../setting-list.ts'
import { type Given, readSettings, type Settings } from '../settings.ts'
import { ALSO_READ } from '../tracing-settings.ts'
import { readSettingsFile, type SettingsFile, unknownName } from './file.ts'
import { similarTo } from './similar.ts'

/** Where a setting comes from, as messages and lists of settings say it. */
export type Places = ReadonlyMap<string, { readonly from: 'option' | 'environment' | 'file'; readonly where: string }>

export interface Gathered {
  /** By the name in the environment. */
  readonly given: Given
  readonly places: Places
  /** The settings file, if there is one. */
  readonly file: string | undefined
  /** Each stops a start. */
  readonly faults: readonly string[]
  readonly warnings: readonly string[]
}

export type Options = Readonly<Record<string, unknown>>

export function gatherSettings(options: Options, environment: Given = process.env): Gathered {
  const { config } = options
  const named = typeof config === 'string' ? config : environment['NYMDEX_CONFIG'] || undefined
  const file = tryFile(named)
  const given: Record<string, string | undefined> = {}
  for (const name of ALSO_READ) given[name] = environment[name]
  const places = new Map<string, { from: 'option' | 'environment' | 'file'; where: string }>()
  for (const { name, option } of SETTINGS) {
    const inOptions = options[camelCase(option)]
    const inFile = file?.settings.find(({ setting }) => setting.name === name)
    if (typeof inOptions === 'string') {
      given[name] = inOptions
      places.set(name, { from: 'option', where: `--${option}` })
    } else if (environment[name]?.trim()) {
      given[name] = environment[name]
      places.set(name, { from: 'environment', where: name })
    } else if (file && inFile) {
      given[name] = inFile.text
      places.set(name, { from: 'file', where: `"${option}" in ${file.name}, line ${inFile.line}` })
    }
  }
  const unknown = unknownInEnvironment(environment)
  return {
    given,
    places,
    file: file?.name,
    faults: [...(file?.faults ?? []), ...unknown.faults],
    warnings: [...(file?.warnings ?? []), ...unknown.warnings],
  }
}

/** The settings of a start; the first fault is thrown. */
export function settingsOf({ given, places, faults }: Gathered): Settings {
  const [fault] = faults
  if (fault !== undefined) throw new SettingFault(fault)
  return readSettings(given, (name) => places.get(name)?.where ?? name)
}

/** A file that cannot be read is a fault like others, so that one mistake does not hide them. */
function tryFile(named: string | undefined): SettingsFile | undefined {
  try {
    return readSettingsFile(named)
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error
    return { name: named ?? '', settings: [], faults: [error.message], warnings: [] }
  }
}

/** Names that begin like those of settings, and are none. */
const OTHERS = ['NYMDEX_CONFIG', 'NYMDEX_CHECK_TOUCHES']

/**
 * A misspelt name stops the start. Other names with our prefix do not: Kubernetes sets NYMDEX_PORT and
 * NYMDEX_SERVICE_HOST for a service called nymdex, and clients keep their tokens in such variables.
 */
function unknownInEnvironment(environment: Given): Pick<Gathered, 'faults' | 'warnings'> {
  const names: string[] = SETTINGS.map(({ name }) => name)
  const faults: string[] = []
  const warnings: string[] = []
  for (const [name, value = ''] of Object.entries(environment)) {
    if (!name.startsWith('NYMDEX_') || names.includes(name) || OTHERS.includes(name)) continue
    const similar = similarTo(name, names)
    const line = unknownName(name, 'the environment', similar)
    if (similar === undefined) warnings.push(line)
    else if (!value.startsWith('tcp://')) faults.push(line)
  }
  return { faults, warnings }
}

const camelCase = (option: string) => option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
