/** The program. Whatever stops it is reported in one line; a stack trace is for bugs only. */
import { Command, CommanderError } from 'commander'
import { codeOf, redactUrl } from '../store/index.ts'
import { explain } from './explain.ts'
import { endIfOutputCloses, sayAside } from './terminal.ts'
import { VERSION } from './version.ts'

const program = new Command('nymdex')
  .description('A catalogue server for word sets and the texts they colour.')
  .version(VERSION)
  .option('--config <file>', 'the settings file (default: nymdex.json, if there is one) [NYMDEX_CONFIG]')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(withoutPasswords(text.replace(/^error: /, 'nymdex: '))) })

type Add = (program: Command) => void

/** What each file adds, in the order of the help. Loading them all would take longer than most commands do. */
const COMMANDS: readonly { readonly names: readonly string[]; readonly load: () => Promise<Add> }[] = [
  { names: ['serve', 'serve-process'], load: async () => (await import('./serve.ts')).addServe },
  { names: ['import'], load: async () => (await import('./import.ts')).addImport },
  { names: ['export'], load: async () => (await import('./export.ts')).addExport },
  { names: ['user'], load: async () => (await import('./user.ts')).addUser },
  { names: ['token'], load: async () => (await import('./token.ts')).addToken },
  { names: ['report', 'hidden'], load: async () => (await import('./care.ts')).addCare },
  { names: ['annotate', 'spin'], load: async () => (await import('./text.ts')).addText },
  { names: ['backup'], load: async () => (await import('./backup.ts')).addBackup },
  { names: ['restore'], load: async () => (await import('./restore.ts')).addRestore },
  { names: ['migrate'], load: async () => (await import('./migrate.ts')).addMigrate },
  { names: ['follow', 'promote'], load: async () => (await import('./follow.ts')).addFollow },
  { names: ['drop-unused'], load: async () => (await import('./drop-unused.ts')).addDropUnused },
  { names: ['forget'], load: async () => (await import('./forget.ts')).addForget },
  { names: ['compact'], load: async () => (await import('./compact.ts')).addCompact },
  { names: ['verify-board'], load: async () => (await import('./verify-board.ts')).addVerifyBoard },
  { names: ['config'], load: async () => (await import('./config.ts')).addConfig },
  { names: ['top'], load: async () => (await import('./top/index.ts')).addTop },
  { names: ['doctor'], load: async () => (await import('./doctor.ts')).addDoctor },
]

endIfOutputCloses()
try {
  const [, , name = ''] = process.argv
  const named = COMMANDS.filter(({ names }) => names.includes(name))
  // Without a known name it is a question for help, or a mistake, whose message may suggest any of them.
  for (const { load } of named.length > 0 ? named : COMMANDS) (await load())(program)
  await program.parseAsync()
} catch (error) {
  // The reader of our output has closed the pipe.
  if (codeOf(error) === 'EPIPE') process.exitCode = 0
  else if (error instanceof CommanderError) process.exitCode = error.exitCode
  else {
    sayAside(`nymdex: ${explain(error)}`)
    process.exitCode = 1
  }
}

/** The error message repeats a misplaced option, whose value may be an address with a password. */
function withoutPasswords(text: string): string {
  return text.replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s']+/gi, redactUrl)
}
