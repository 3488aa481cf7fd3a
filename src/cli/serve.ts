/** nymdex serve: the command and its options. */
import type { Command } from 'commander'
import { SETTINGS } from './setting-list.ts'
import { readSettings } from './settings.ts'

export function addServe(program: Command): void {
  const command = program.command('serve').description('Serve the catalogue.')
  for (const { option, name, does, byDefault } of SETTINGS) {
    const shown = byDefault ? ` (default: ${byDefault})` : ''
    command.option(`--${option} <value>`, `${does}${shown} [${name}]`)
  }
  command.action(async (options: Record<string, string>) => {
    const given = { ...process.env, ...named(options) }
    const settings = readSettings(given)
    // The server and its pages are half of the program: other commands start sooner without them.
    if (settings.workers === 1) await (await import('./run-server.ts')).runServer(settings)
    else await (await import('./workers/supervisor.ts')).supervise(settings, given)
  })
  // What the supervisor starts; it is no use to operators.
  program.command('serve-process', { hidden: true }).action(async () => {
    await (await import('./workers/run-process.ts')).runProcess()
  })
}

/** --page-size 10 says the same as NYMDEX_PAGE_SIZE=10. */
function named(options: Record<string, string>): Record<string, string> {
  const given = SETTINGS.map(({ name, option }) => [name, options[camelCase(option)]] as const)
  return Object.fromEntries(given.filter((pair): pair is [(typeof pair)[0], string] => pair[1] !== undefined))
}

const camelCase = (option: string) => option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
