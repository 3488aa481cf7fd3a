/**
 * Writes a backup under a temporary name and renames it when it is complete and on disk. It is synchronous, because it
 * happens inside one transaction. Only its owner can read the file, because it holds password hashes.
 */
import { createHash } from 'node:crypto'
import { closeSync, existsSync, fstatSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sync } from '../../store/index.ts'
import { BadBackup, type Counts, type EndLine, type Header, type IdsLine, type RowLine } from './format.ts'

/** How much text is packed at a time, each as its own gzip member. */
const PORTION = 1024 * 1024

export class BackupWriter {
  readonly #path: string
  readonly #partial: string
  readonly #file: number
  readonly #hash = createHash('sha256')
  readonly #counts: Record<string, number>
  #text = ''
  #closed = false

  constructor(path: string, tables: Iterable<string>, { force }: { readonly force: boolean }) {
    if (!force && existsSync(path)) throw new BadBackup(`${path} exists; --force replaces it`)
    if (existsSync(path) && statSync(path).isDirectory()) throw new BadBackup(`${path} is a folder: name a file in it`)
    this.#path = path
    this.#partial = `${path}.partial`
    this.#counts = Object.fromEntries([...tables].map((name) => [name, 0]))
    rmSync(this.#partial, { force: true })
    this.#file = openSync(this.#partial, 'wx', 0o600)
  }

  begin(header: Header): void {
    this.#add(header)
  }

  row(line: RowLine): void {
    this.#counts[line.in]!++
    this.#add(line)
  }

  ids(line: IdsLine): void {
    this.#add(line)
  }

  /** The end is its own member, so that a complete file can be told from one that was cut. */
  finish(): { readonly counts: Counts; readonly bytes: number } {
    this.#flush()
    const end: EndLine = { end: true, counts: this.#counts, sha256: this.#hash.digest('hex') }
    this.#write(gzipSync(`${JSON.stringify(end)}\n`))
    fsyncSync(this.#file)
    const { size: bytes, ino } = fstatSync(this.#file)
    this.#closed = true
    closeSync(this.#file)
    if (statSync(this.#partial).ino !== ino) throw new BadBackup(`another backup writes to ${this.#path}`)
    renameSync(this.#partial, this.#path)
    sync(dirname(this.#path))
    return { counts: this.#counts, bytes }
  }

  /** An unfinished file is removed. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    closeSync(this.#file)
    rmSync(this.#partial, { force: true })
  }

  #add(line: object): void {
    this.#text += `${JSON.stringify(line)}\n`
    if (this.#text.length >= PORTION) this.#flush()
  }

  #flush(): void {
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    this.#hash.update(bytes)
    this.#write(gzipSync(bytes))
  }

  #write(bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done)
  }
}
