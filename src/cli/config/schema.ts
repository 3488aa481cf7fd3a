/** The JSON schema of the settings file, with which editors check it and complete names. */
import type { JsonSchema } from '../setting-kinds.ts'
import { SETTINGS } from '../setting-list.ts'

export function settingsSchema(): JsonSchema {
  const properties = SETTINGS.map(({ option, name, is, does, byDefault }) => {
    const usual = byDefault === '' ? '' : ` (default: ${byDefault})`
    return [option, { ...is.schema, description: `${does}${usual} [${name}]` }] as const
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of Nymdex',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
  }
}
