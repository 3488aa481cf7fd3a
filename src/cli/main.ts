/** The program. Whatever stops it is reported in one line; a stack trace is for bugs only. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { codeOf, redactUrl } from '../store/index.ts'
import { addBackup } from './backup.ts'
import { addCompact } from './compact.ts'
import { addDoctor } from './doctor.ts'
import { addDropUnused } from './drop-unused.ts'
import { explain } from './explain.ts'
import { addExport } from './export.ts'
import { addFollow } from './follow.ts'
import { addForget } from './forget.ts'
import { addImport } from './import.ts'
import { addRestore } from './restore.ts'
import { addServe } from './serve.ts'
import { sayAside } from './terminal.ts'
import { addText } from './text.ts'
import { addToken } from './token.ts'
import { addUser } from './user.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const program = new Command('nymdex')
  .description('A catalogue server for word sets and the texts they colour.')
  .version(version)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(withoutPasswords(text.replace(/^error: /, 'nymdex: '))) })
addServe(program)
addImport(program)
addExport(program)
addUser(program)
addToken(program)
addText(program)
addBackup(program)
addRestore(program)
addFollow(program)
addDropUnused(program)
addForget(program)
addCompact(program)
addDoctor(program)

try {
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
