/** Where the writer listens for the workers: files in a folder that no other user can enter, or pipes on Windows. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../../store/index.ts'
import { Mistake } from '../desk.ts'

/** What every system allows for the path of a socket. */
const LONGEST_PATH = 100

export class SocketFolder {
  #folder: string | undefined
  #count = 0

  /** The path of another socket. */
  next(): string {
    const name = `writer-${++this.#count}`
    if (process.platform === 'win32') return `\\\\.\\pipe\\nymdex-${randomBytes(16).toString('hex')}`
    this.#folder ??= makeFolder()
    const path = join(this.#folder, name)
    if (Buffer.byteLength(path) > LONGEST_PATH)
      throw new Mistake(`TMPDIR: the path ${tmpdir()} is too long for sockets`)
    return path
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
  }
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'nymdex-'))
  } catch (error) {
    throw new Mistake(`TMPDIR: ${messageOf(error)}`)
  }
}
