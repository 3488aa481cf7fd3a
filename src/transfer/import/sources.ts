/** The sources at a path: one file, or a folder with a file for each collection, in an order that suits references. */
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import type { AnyResource } from '../../declare/index.ts'
import { inDependencyOrder } from '../../store/index.ts'
import { type Format, formatOf, readers } from '../formats/index.ts'
import { type Item, Unreadable } from '../item.ts'
import type { Enrich } from './intake.ts'
import type { Source } from './run.ts'

interface SourceOptions {
  readonly catalogue: readonly AnyResource[]
  /** The collection of the records, whatever the file name says. */
  readonly resource?: AnyResource | undefined
  readonly format?: Format | undefined
  /** What is added to a record made from plain text. */
  readonly enrich?: Enrich | undefined
  /** Reports a skipped file, and why. */
  readonly onNote?: (line: string) => void
}

/** A path that cannot be imported; the message is one line. */
export class NotImportable extends Error {}

export function sourcesAt(path: string, options: SourceOptions): Source[] {
  if (!statSync(path).isDirectory()) return [sourceOf(path, basename(path), options)]
  const order = inDependencyOrder(options.catalogue)
  const place = (source: Source) => (source.resource ? order.indexOf(source.resource) : order.length)
  const sources = readdirSync(path)
    .sort()
    .filter((name) => isOwnFile(path, name))
    .flatMap((name) => passingOver(() => sourceOf(join(path, name), name, options), options))
  if (sources.length === 0) throw new NotImportable(`${path} holds nothing that can be imported`)
  return sources.sort((a, b) => place(a) - place(b))
}

/** Files that exports and walks leave next to the records. */
const BESIDE = new Set(['SHA256SUMS', 'state.json'])

/** Skips hidden files, folders, and second names of files next to them. */
function isOwnFile(folder: string, name: string): boolean {
  if (name.startsWith('.') || name.endsWith('.sha256') || BESIDE.has(name)) return false
  const path = join(folder, name)
  // The index of a fortune file.
  if (name.endsWith('.dat') && existsSync(join(folder, name.slice(0, -4)))) return false
  if (lstatSync(path).isSymbolicLink() && !readlinkSync(path).includes('/')) return false
  return statSync(path).isFile()
}

/** One unusable file does not stop a folder. */
function passingOver(make: () => Source, { onNote }: SourceOptions): Source[] {
  try {
    return [make()]
  } catch (error) {
    if (!(error instanceof NotImportable)) throw error
    onNote?.(`passed over: ${error.message}`)
    return []
  }
}

function sourceOf(path: string, name: string, options: SourceOptions): Source {
  const format = options.format ?? formatOf(path)
  if (!format) throw new NotImportable(`${name} is neither NDJSON, JSON, CSV nor a fortune file`)
  const calledAs = basename(name, extname(name))
  const view = options.catalogue.find(({ views }) => calledAs in (views ?? {}))
  if (view && !options.resource) throw new NotImportable(`${name} shows only a part of ${view.name}`)
  const named = options.resource ?? options.catalogue.find((resource) => resource.name === calledAs)
  const size = statSync(path).size
  if (format !== 'fortune') {
    if (format === 'csv' && !named) throw new NotImportable(`${name} is not named after a collection`)
    return { name, resource: named, size, items: () => readers[format](path) }
  }
  const resource = named?.plain?.read ? named : options.catalogue.find(({ plain }) => plain?.read)
  if (!resource) throw new NotImportable(`${name} is a fortune file, and no collection consists of texts`)
  const { enrich = (body) => body } = options
  return { name, resource, size, enrich, items: () => texts(readers.fortune(path), resource) }
}

function* texts(items: Iterable<Item>, resource: AnyResource): Generator<Item> {
  for (const item of items) {
    if (item.found instanceof Unreadable) yield item
    else yield { ...item, found: resource.plain!.read!(String(item.found['text'])) }
  }
}
