/** nymdex config: what the settings are, without a start. */
import type { Command } from 'commander'
import { refuseReplicas } from './address-settings.ts'
import { BadSetting } from './bad-setting.ts'
import { gatherSettings, settingsOf } from './config/gather.ts'
import { type SettingInForce, settingsInForce } from './config/in-force.ts'
import { settingsSchema } from './config/schema.ts'
import { Mistake } from './desk.ts'
import { checkSettings } from './doctor/check-settings.ts'
import { type Finding, fail } from './doctor/finding.ts'
import { refuseBadKey } from './server-backups.ts'
import type { Settings } from './settings.ts'
import { say } from './terminal.ts'

export function addConfig(program: Command): void {
  const config = program.command('config').description('Check and show the settings of the file and the environment.')

  config
    .command('check')
    .description('Check all settings, and show those that are set. Exits with 1 if a start would be refused.')
    .action(async (_: object, command: Command) => {
      const { findings: alone, gathered, settings } = checkSettings(command.optsWithGlobals())
      const faults = [faultOfReplicas(settings), faultOfPorts(settings), await faultOfKey(settings)]
      const found = faults.filter((fault) => fault !== undefined)
      const findings = found.length > 0 ? [...found, ...alone.filter(({ level }) => level !== 'ok')] : alone
      for (const { level, says } of findings) say(`${level.padEnd(4)}  ${says}`)
      const set = settingsInForce(gathered.given, gathered.places).filter(({ from }) => from !== 'default')
      if (set.length > 0) say(table(set))
      if (findings.some(({ level }) => level === 'fail')) process.exitCode = 1
    })

  config
    .command('show')
    .description('Show all settings in force, and where each comes from. Passwords are left out.')
    .option('--json', 'as JSON')
    .action((options: { json?: true }, command: Command) => {
      const gathered = gatherSettings(command.optsWithGlobals())
      settingsOf(gathered)
      const all = settingsInForce(gathered.given, gathered.places)
      say(options.json ? JSON.stringify(all, null, 2) : table(all))
    })

  config
    .command('schema')
    .description('Print the JSON schema of the settings file.')
    .action(() => say(JSON.stringify(settingsSchema(), null, 2)))
}

/** A start looks at them when it opens the database. */
function faultOfReplicas({ replicas, databaseUrl }: Settings): Finding | undefined {
  try {
    refuseReplicas(replicas, databaseUrl)
    return undefined
  } catch (error) {
    if (error instanceof BadSetting) return fail(error.message)
    throw error
  }
}

function faultOfPorts({ host, port, metrics }: Settings): Finding | undefined {
  if (!metrics || metrics.port !== port || port === 0 || metrics.host !== host) return undefined
  return fail(`NYMDEX_METRICS: ${host} has the port ${port} already, which is PORT`)
}

async function faultOfKey(settings: Settings): Promise<Finding | undefined> {
  try {
    await refuseBadKey(settings)
    return undefined
  } catch (error) {
    if (error instanceof Mistake) return fail(error.message)
    throw error
  }
}

function table(settings: readonly SettingInForce[]): string {
  const widthOf = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length))
  const names = widthOf(settings.map(({ option }) => option))
  const values = Math.min(40, widthOf(settings.map(({ value }) => value)))
  return settings
    .map(({ option, value, from, where }) =>
      `${option.padEnd(names)}  ${value.padEnd(values)}  ${from === 'default' ? from : where}`.trimEnd(),
    )
    .join('\n')
}
