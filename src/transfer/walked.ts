/** The folder of a walk: an NDJSON file for each collection, and state.json, which says how far it got. */
import {
  appendFileSync,
  createReadStream,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../store/index.ts'
import { Unreachable } from './client.ts'

export interface Walked {
  readonly collection: string
  /** Distinct records written, and how many the server said there are. */
  readonly records: number
  readonly count: number
}

/** How far the walk of one collection got. */
export interface Progress {
  /** The query of the next page; null after the last one. */
  readonly next: string | null
  readonly records: number
  readonly count: number
  readonly pages: number
}

interface State extends Progress {
  readonly url: string
  /** The current collection; the first `bytes` bytes of its file are valid. */
  readonly collection: string | null
  readonly bytes: number
  readonly done: readonly Walked[]
}

const NOWHERE = { collection: null, next: null, bytes: 0, records: 0, count: 0, pages: 0 }

export class WalkFolder {
  readonly #folder: string
  readonly #note: (line: string) => void
  #state: State

  /** Resumes another walk of the same address in the same folder. */
  constructor(folder: string, url: string, names: readonly string[], note: (line: string) => void) {
    this.#folder = folder
    this.#note = note
    makeFolder(folder)
    const found = this.#readState()
    if (found && found.url !== url) throw new Unreachable(`${folder} holds a walk of ${found.url}: give another folder`)
    const stranger = found ? undefined : names.find((name) => existsSync(this.file(name)))
    if (stranger) throw new Unreachable(`${this.file(stranger)} is there already: give an empty folder`)
    const { collection = null, done = [] } = found ?? {}
    this.#state = {
      ...NOWHERE,
      ...found,
      url,
      collection: collection !== null && names.includes(collection) ? collection : null,
      done: done.filter(({ collection }) => existsSync(this.file(collection))),
    }
    const complete = this.#state.done.map(({ collection }) => collection).join(', ')
    if (found) note(`resuming the walk in ${folder}; complete so far: ${complete || 'none'}`)
  }

  file(collection: string): string {
    return join(this.#folder, `${collection}.ndjson`)
  }

  done(name: string): Walked | undefined {
    return this.#state.done.find(({ collection }) => collection === name)
  }

  /** Prepares the file for the next page, and returns which one that is. */
  begin(collection: string, first: string): Progress {
    const { collection: current, bytes, next, records, count, pages } = this.#state
    const file = this.file(collection)
    if (
      current === collection &&
      next?.startsWith('?') &&
      bytes > 0 &&
      existsSync(file) &&
      statSync(file).size >= bytes
    ) {
      truncateSync(file, bytes)
      this.#note(`resuming ${collection} after ${records} of ${count} records`)
      return { next, records, count, pages }
    }
    if (current !== null && current !== collection) {
      rmSync(this.file(current), { force: true })
      this.#note(`dropping the part of ${current}, because ${collection} comes first now`)
    }
    const { url, done } = this.#state
    this.#write({ ...NOWHERE, url, collection, next: first, done })
    writeFileSync(file, '')
    return this.#state
  }

  /** The ids in the current file, to recognise repeats. */
  async ids(member: string): Promise<Set<number>> {
    const ids = new Set<number>()
    const file = this.file(this.#state.collection!)
    let rest = ''
    try {
      for await (const chunk of createReadStream(file, 'utf8')) {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()!
        for (const line of lines) {
          const id = JSON.parse(line)[member]
          if (typeof id === 'number') ids.add(id)
        }
      }
    } catch (error) {
      if (error instanceof SyntaxError)
        throw new Unreachable(`${file} was changed since it was written: remove ${this.#folder} and walk again`)
      throw error
    }
    return ids
  }

  /**
   * First the records, then the state that counts them: if the walk is interrupted in between, they are written again.
   */
  save(lines: string, progress: Progress): void {
    const { url, collection, bytes, done } = this.#state
    if (lines !== '') appendFileSync(this.file(collection!), lines, { flush: true })
    const { records, count } = progress
    this.#write(
      progress.next === null
        ? { ...NOWHERE, url, done: [...done, { collection: collection!, records, count }] }
        : { url, collection, ...progress, bytes: bytes + Buffer.byteLength(lines), done },
    )
  }

  #write(state: State): void {
    const hidden = join(this.#folder, '.state.json')
    writeFileSync(hidden, `${JSON.stringify(state)}\n`, { flush: true })
    renameSync(hidden, join(this.#folder, 'state.json'))
    this.#state = state
  }

  #readState(): State | undefined {
    const path = join(this.#folder, 'state.json')
    if (!existsSync(path)) return undefined
    try {
      const state = JSON.parse(readFileSync(path, 'utf8')) as State
      if (typeof state.url === 'string' && Array.isArray(state.done)) return state
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
    throw new Unreachable(`${path} is not the state of a walk: give another folder`)
  }
}
