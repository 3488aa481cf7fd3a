/** The program, run as an operator runs it. */
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'

export const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'nymdex.js')
/** The same with the checks of tests. */
export const BIN = join(import.meta.dirname, 'nymdex.js')

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
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
