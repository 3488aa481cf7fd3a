/**
 * A hash of everything that stored values depend on. When it changes, the next start checks the values. A rule is a
 * function and may call others that its text does not show, so the hash covers the sources of those functions too. A
 * changed comment costs one check of all records; a changed rule cannot be missed.
 */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type AnyResource, fieldsOf } from '../declare/index.ts'
import type { Dialect } from './dialect.ts'
import { allTables, inDependencyOrder, tablesOf } from './schema.ts'

/** Relative to this folder. */
const FOLDERS = ['../declare', '../catalogue', '../language']
const FILES = ['copy', 'facet-members', 'finding', 'pack', 'schema', 'shown', 'word-rows', 'word-vectors', 'words']

let sources: string | undefined

/**
 * Processes on other systems share one database, so line ends and the separators of paths do not count. Sources have
 * the extension of this file: compiled ones end with .js.
 */
export function sourcesFingerprint(folder: string, extension: string): string {
  const filesIn = (sub: string) =>
    readdirSync(join(folder, sub))
      .filter((name) => name.endsWith(extension) && !name.endsWith(`.d${extension}`))
      .sort()
      .map((name) => `${sub}/${name}`)
  const files = [...FILES.map((name) => name + extension), ...FOLDERS.flatMap(filesIn)]
  return digest(files.map((file) => [file, readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')]))
}

function ownSources(): string {
  sources ??= sourcesFingerprint(import.meta.dirname, extname(import.meta.filename))
  return sources
}

/** Covers everything that the stored values of a resource depend on. */
export function valuesFingerprint(dialect: Dialect, resource: AnyResource): string {
  return digest([
    ownSources(),
    tablesOf(dialect, resource).map(({ name, columns }) => [name, columns]),
    [resource.order, resource.unique],
    fieldsOf(resource).map(([key, field]) => [key, field.members(key), field.searches]),
    Object.entries(resource.derive).map(([key, rule]) => [key, String(rule)]),
  ])
}

/** Covers everything that the tables of a catalogue depend on, including their indexes. */
export function catalogueFingerprint(dialect: Dialect, catalogue: readonly AnyResource[]): string {
  const values = inDependencyOrder(catalogue).map((resource) => valuesFingerprint(dialect, resource))
  return digest([allTables(dialect, catalogue), values])
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22)
}
