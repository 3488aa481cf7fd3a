/**
 * Spun texts that were read and judged as English: good, or the class of the worst fault. Grammar and idiom count, sense
 * does not. One reader judged all of them, and a second one, who had not seen these verdicts, most.
 */
import { readFileSync } from 'node:fs'
import type { PutIn } from './judge.ts'

export interface Judgement {
  readonly kind: string
  readonly text: string
  readonly put: readonly PutIn[]
  /** Whether a second reading, of the same texts in another order, came to another verdict. */
  readonly isDoubtful: boolean
  readonly verdict: string
}

/** 300 texts, read twice. The rules of the judge were written by someone who knew them. */
export function judgements(): Judgement[] {
  return rowsOf('fluency').map(([kind = '', text = '', put = '', first, second, verdict = '']) => {
    return { kind, text, put: put.split(' ').map(readPut), isDoubtful: first !== second, verdict }
  })
}

/** What later versions of the engine make of the same draws, where it differs; read once, and known to be theirs. */
export function changed(): Judgement[] {
  return readOnce('fluency-changed')
}

/** 100 other texts, read once, after the rules of the judge were written and before the judge saw them. */
export function heldOut(): Judgement[] {
  return readOnce('fluency-held-out')
}

/** 200 texts with the topics that a page of the site turns to, read once. */
export function turned(): Judgement[] {
  return readOnce('fluency-turned')
}

/** What the site chooses now for the same draws, and 100 other draws that were read after its rules were written. */
export function turnedLater(): Judgement[] {
  return [...readOnce('fluency-turned-changed'), ...readOnce('fluency-turned-held-out')]
}

/** Text -> what the second reader says of it. */
export function secondReader(): ReadonlyMap<string, string> {
  return new Map(rowsOf('fluency-second-reader').map(([text = '', verdict = '']) => [text, verdict]))
}

function readOnce(name: string): Judgement[] {
  return rowsOf(name).map(([kind = '', text = '', put = '', verdict = '']) => {
    return { kind, text, put: put.split(' ').map(readPut), isDoubtful: false, verdict }
  })
}

function rowsOf(name: string): string[][] {
  const file = new URL(`../../test/fixtures/${name}.tsv`, import.meta.url)
  const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => line.split('\t').map((cell) => cell.replaceAll('\\n', '\n')))
}

/** doors_NNS; a plus is a space. */
function readPut(written: string): PutIn {
  const [, word = '', tag = ''] = /^(.*?)(?:_([A-Z]+))?$/.exec(written) ?? []
  return { word: word.replaceAll('+', ' '), tag }
}
