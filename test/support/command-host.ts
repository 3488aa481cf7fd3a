/**
 * A process that runs one command after another, as operators give them. Starting the program costs half a second of
 * processor time, most of it for loading its modules: here they are loaded once.
 */
import { fstatSync, ftruncateSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import './quick-imports.js'
import type { CommandRun, Ended } from './command.ts'

const OUTPUT = 1
const write = { out: process.stdout.write, err: process.stderr.write }
let runs = 0
let last = Promise.resolve()

process.on('message', (run: CommandRun) => {
  last = last.then(async () => {
    process.send!({ id: run.id, ended: await finish(run) })
  })
})

async function finish({ args, env, input }: CommandRun): Promise<Ended> {
  const printed = { out: '', err: '' }
  const keep =
    (where: keyof typeof printed) =>
    (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
      printed[where] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      const written = more.at(-1)
      if (typeof written === 'function') process.nextTick(written)
      return true
    }
  process.stdout.write = keep('out')
  process.stderr.write = keep('err')
  Object.defineProperty(process, 'stdin', { value: Readable.from(input === '' ? [] : [Buffer.from(input)]) })
  process.argv = [process.argv[0]!, 'nymdex', ...args]
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, defined(env), { NYMDEX_CHECK_TOUCHES: 'on' })
  process.exitCode = 0
  try {
    // The address is new for each run, so that the program begins again; what it imports stays loaded.
    await import(`../../src/cli/main.ts?run=${++runs}`)
  } catch (error) {
    printed.err += String(error)
    process.exitCode = 1
  }
  const code = Number(process.exitCode)
  printed.out += writtenToOutput()
  process.stdout.write = write.out
  process.stderr.write = write.err
  process.exitCode = 0
  return { code, ...printed }
}

/** What the command wrote to the file descriptor; the next one begins with an empty file. */
function writtenToOutput(): string {
  const written = Buffer.alloc(fstatSync(OUTPUT).size)
  if (written.length > 0) readSync(OUTPUT, written, 0, written.length, 0)
  ftruncateSync(OUTPUT)
  return written.toString('utf8')
}

/** Assigned to the environment, an undefined value would become the text "undefined". */
function defined(env: CommandRun['env']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}
