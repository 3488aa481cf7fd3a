/** nymdex export: writes the catalogue to files or to standard output. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, extname, join } from 'node:path'
import { type Command, Option } from 'commander'
import { catalogue } from '../catalogue/index.ts'
import type { AnyResource } from '../declare/index.ts'
import type { Engine } from '../engine/index.ts'
import { counted } from '../language/index.ts'
import { codeOf, makeFolder, messageOf } from '../store/index.ts'
import { canExport, exportEach, exportOrder, exportTogether, type Format, type Sink } from '../transfer/index.ts'
import { atDesk, Mistake } from './desk.ts'
import { sayAside, shownOn } from './terminal.ts'

const FORMATS: readonly Format[] = ['ndjson', 'json', 'csv', 'fortune']
const CHECKSUMS = 'SHA256SUMS'

interface Options {
  readonly format?: Format
  readonly out?: string
}

export function addExport(program: Command): void {
  program
    .command('export [collection...]')
    .description('Write the catalogue, or some collections of it: records as the API shows them, in id order.')
    .addOption(new Option('--format <name>', 'ndjson unless --out says otherwise').choices(FORMATS))
    .option('--out <path>', 'a file, or a folder for one file per collection with checksums (default: standard output)')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action((names: string[], options: Options, command: Command) => {
      const format = formatFor(options)
      const wanted = collectionsNamed(names, format)
      return atDesk(command, ({ engine }) => takeOut(engine, exportOrder(engine, wanted), format, options.out))
    })
}

function formatFor({ format, out }: Options): Format {
  const byName = FORMATS.find((each) => out !== undefined && extname(out) === `.${each}`)
  return format ?? byName ?? 'ndjson'
}

function collectionsNamed(names: readonly string[], format: Format): AnyResource[] {
  for (const name of names) {
    const known = catalogue.find((resource) => resource.name === name)
    if (!known)
      throw new Mistake(`there is no collection "${name}"; there are ${catalogue.map((each) => each.name).join(', ')}`)
    if (!canExport(known, format)) throw new Mistake(`a ${name} is not a text, so it cannot be written as ${format}`)
  }
  const wanted = names.length > 0 ? catalogue.filter(({ name }) => names.includes(name)) : catalogue
  return wanted.filter((resource) => canExport(resource, format))
}

async function takeOut(
  engine: Engine,
  resources: readonly AnyResource[],
  format: Format,
  out: string | undefined,
): Promise<void> {
  const isFile = out !== undefined && (extname(out) !== '' || (existsSync(out) && !statSync(out).isDirectory()))
  if (out !== undefined && !isFile) return toFolder(engine, resources, format, out)
  if (format === 'csv' && resources.length > 1) {
    throw new Mistake('a CSV file holds one collection: name one, or give a folder with --out')
  }
  if (out === undefined) return toOutput(engine, resources, format)
  const file = fileSink(out)
  const { records, sha256 } = await exportTogether(engine, resources, format, file)
  file.close()
  writeFileSync(`${out}.sha256`, `${sha256}  ${basename(out)}\n`)
  sayAside(`${out}: ${counted(records, 'record')}`)
}

async function toFolder(
  engine: Engine,
  resources: readonly AnyResource[],
  format: Format,
  folder: string,
): Promise<void> {
  makeFolder(folder)
  const nameOf = (resource: AnyResource) => `${resource.name}.${format}`
  const written = await exportEach(engine, resources, format, (resource) => fileSink(join(folder, nameOf(resource))))
  const sums = [...written].map(([resource, { sha256 }]) => `${sha256}  ${nameOf(resource)}\n`)
  writeFileSync(join(folder, CHECKSUMS), sums.join(''))
  for (const [resource, { records }] of written) {
    sayAside(`${join(folder, nameOf(resource))}: ${counted(records, 'record')}`)
  }
}

async function toOutput(engine: Engine, resources: readonly AnyResource[], format: Format): Promise<void> {
  const { records, sha256 } = await exportTogether(engine, resources, format, {
    write: (text) => writeAll(1, shownOn(process.stdout, text)),
  })
  sayAside(`${counted(records, 'record')}, sha256 ${sha256}`)
}

/** Renamed only when it is complete. */
function fileSink(path: string): Sink & { close(): void } {
  const partial = `${path}.partial`
  const file = openSync(partial, 'w')
  // If the disk is full, what is there would only take up room.
  const orRemove = (task: () => void) => {
    try {
      task()
    } catch (error) {
      closeSync(file)
      rmSync(partial, { force: true })
      throw new Mistake(`${path} cannot be written: ${messageOf(error)}`)
    }
  }
  return {
    write: (text) => orRemove(() => writeAll(file, text)),
    close() {
      orRemove(() => fsyncSync(file))
      closeSync(file)
      renameSync(partial, path)
    },
  }
}

/** A pipe takes as much as it has room for; the rest waits for its reader. */
function writeAll(file: number, text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(file, rest))
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error
      Atomics.wait(PAUSE, 0, 0, 5)
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4))
