/** nymdex serve: the command and its options. */
import type { Command } from 'commander'
import { gatherSettings, settingsOf } from './config/gather.ts'
import { handedSocket } from './handed-socket.ts'
import { SETTINGS } from './setting-list.ts'

export function addServe(program: Command): void {
  const command = program.command('serve').description('Serve the catalogue.')
  for (const { option, name, does, byDefault } of SETTINGS) {
    const shown = byDefault ? ` (default: ${byDefault})` : ''
    command.option(`--${option} <value>`, `${does}${shown} [${name}]`)
  }
  command.action(async (_: object, command: Command) => {
    const gathered = gatherSettings(command.optsWithGlobals())
    const settings = { ...settingsOf(gathered), socket: handedSocket() }
    // The process that makes backups reads the same file.
    if (gathered.file !== undefined) process.env['NYMDEX_CONFIG'] = gathered.file
    // The server and its pages are half of the program: other commands start sooner without them.
    if (settings.workers === 1) await (await import('./run-server.ts')).runServer(settings, gathered)
    else await (await import('./workers/supervisor.ts')).supervise(settings, gathered)
  })
  // What the supervisor starts; it is no use to operators.
  program.command('serve-process', { hidden: true }).action(async () => {
    await (await import('./workers/run-process.ts')).runProcess()
  })
}
