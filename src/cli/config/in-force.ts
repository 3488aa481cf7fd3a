/** All settings as they are in force, and where each comes from. Passwords are left out. */
import { SETTINGS } from '../setting-list.ts'
import type { Given } from '../settings.ts'
import type { Places } from './gather.ts'

export interface SettingInForce {
  /** Of the environment. */
  readonly name: string
  /** Of the command line and the file. */
  readonly option: string
  readonly value: string
  readonly from: 'option' | 'environment' | 'file' | 'default'
  /** `--port`, `PORT`, or `"port" in nymdex.json, line 2`; empty for a default. */
  readonly where: string
}

export function settingsInForce(given: Given, places: Places): SettingInForce[] {
  return SETTINGS.map(({ name, option, is, byDefault }) => {
    const value = given[name]?.trim() || byDefault
    const { from, where } = places.get(name) ?? { from: 'default', where: '' }
    return { name, option, value: value === '' ? '' : is.shown(value), from, where }
  })
}
