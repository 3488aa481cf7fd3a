/**
 * A hash of everything that stored values depend on. When it changes, the next start checks the values. A rule is a
 * function and may call others that its text does not show, so the hash covers the sources of those functions too. A
 * changed comment costs one check of all records; a changed rule cannot be missed.
 */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyResource, fieldsOf } from '../declare/index.ts'
import { allTables, inDependencyOrder, tablesOf } from './schema.ts'

/** Relative to this folder. */
const FOLDERS = ['../declare', '../catalogue', '../language']
const FILES = ['copy.ts', 'finding.ts', 'pack.ts', 'schema.ts', 'shown.ts', 'words.ts']

let sources: string | undefined

function sourcesFingerprint(): string {
  sources ??= digest([...FILES, ...FOLDERS.flatMap(filesIn)].map((file) => [file, contentOf(file)]))
  return sources
}

function filesIn(folder: string): string[] {
  const names = readdirSync(join(import.meta.dirname, folder)).filter((name) => name.endsWith('.ts'))
  return names.sort().map((name) => join(folder, name))
}

function contentOf(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8')
}

/** Covers everything that the stored values of a resource depend on. */
export function valuesFingerprint(resource: AnyResource): string {
  return digest([
    sourcesFingerprint(),
    tablesOf(resource).map(({ name, columns }) => [name, columns]),
    [resource.order, resource.unique],
    fieldsOf(resource).map(([key, field]) => [key, field.members(key), field.searches]),
    Object.entries(resource.derive).map(([key, rule]) => [key, String(rule)]),
  ])
}

/** Covers everything that the tables of a catalogue depend on, including their indexes. */
export function catalogueFingerprint(catalogue: readonly AnyResource[]): string {
  return digest([allTables(catalogue), inDependencyOrder(catalogue).map(valuesFingerprint)])
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22)
}
