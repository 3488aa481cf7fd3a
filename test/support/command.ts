/** The program, run as an operator runs it. */
import { type ChildProcess, fork } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'nymdex.js')
/** The same with the checks of tests. */
export const BIN = join(import.meta.dirname, 'nymdex.js')

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface CommandRun {
  readonly id: number
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: string
}

let host: ChildProcess | undefined
const waiting = new Map<number, (result: Ended) => void>()
let given = 0

/** Runs a command that ends by itself, in a process that has the program loaded. */
export function runCommand(args: readonly string[], env: CommandRun['env'], input = ''): Promise<Ended> {
  host ??= startHost()
  const run: CommandRun = { id: ++given, args, env, input }
  return new Promise((done) => {
    waiting.set(run.id, done)
    host!.ref()
    host!.channel!.ref()
    host!.send(run)
  })
}

/** It ends with the test file that uses it, and does not keep that waiting. */
function startHost(): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'nymdex-host-'))
  // An export writes to the file descriptor of the standard output, past the stream: the process reads it from there.
  const output = openSync(join(folder, 'output'), 'a+')
  const child = fork(join(import.meta.dirname, 'command-host.ts'), { stdio: ['ignore', output, 'inherit', 'ipc'] })
  closeSync(output)
  rmSync(folder, { recursive: true })
  child.on('message', ({ id, ended: result }: { id: number; ended: Ended }) => {
    waiting.get(id)!(result)
    waiting.delete(id)
    if (waiting.size > 0) return
    child.unref()
    child.channel!.unref()
  })
  return child
}

/** Everything it printed, and how it ended. */
export function ended(child: ChildProcess): Promise<Ended> {
  let [out, err] = ['', '']
  child.stdout!.on('data', (chunk) => (out += chunk))
  child.stderr!.on('data', (chunk) => (err += chunk))
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })))
}

/** The address the server says it is at. */
export function listening(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let out = ''
    child.stdout!.on('data', (chunk) => {
      out += chunk
      const [, url] = /Nymdex is at (http:[^"\s]+)/.exec(out) ?? []
      if (url) found(url)
    })
    child.once('close', () => failed(new Error(`ended early: ${out}`)))
  })
}
