/** Who a text is by, and what it is from, as people write sources: "Oscar Wilde, Lady Windermere's Fan". */
import { plainWords } from './plain-words.ts'

export interface Credit {
  /** A person, or whatever else stands first: "King James Bible", "German proverb". */
  readonly author: string
  /** Empty if the source names none. */
  readonly work: string
  /** A remark in brackets: "translated by Bayard Taylor". */
  readonly note: string
  /** "after Homer": made in the manner of the author, or from a work of the author. */
  readonly isAfter: boolean
}

/** A comma before one of these does not end a name: "Martin Luther King, Jr.". */
const SUFFIX = /^(?:jr|sr|esq|phd|md|i{2,3}|iv|the (?:elder|younger))\.?$/i
/** "Alfred, Lord Tennyson"; but "Joseph Conrad, Lord Jim" is an author and a work. */
const PEER = /^(?:Lord|Lady|Sir|Baron|Count|Duke|Earl)(?: of)? \p{Lu}\p{L}+$/u
const NOTE = /\s*[([]([^()[\]]*)[)\]]$/
const QUOTES = /^["'“”‘’«»_*]+|["'“”‘’«»_*]+$/g

/** Undefined for a source without a letter. */
export function creditOf(src: string): Credit | undefined {
  const tidy = src
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^[-–—]+\s*/, '')
  const [, note = ''] = NOTE.exec(tidy) ?? []
  const whole = tidy.replace(NOTE, '')
  const isAfter = /^after \S/i.test(whole)
  const [first = '', ...parts] = whole
    .slice(isAfter ? 'after '.length : 0)
    .split(/\s*[,;]\s*|\s+(?:--|–|—)\s+/)
    .filter((part) => part !== '')
  let author = first
  while (parts[0] !== undefined && isStillName(parts[0], author, parts.length)) author += `, ${parts.shift()}`
  if (!/[\p{L}\p{N}]/u.test(author)) return undefined
  return { author: author.replaceAll(QUOTES, ''), work: parts.join(', ').replaceAll(QUOTES, ''), note, isAfter }
}

function isStillName(part: string, author: string, parts: number): boolean {
  return SUFFIX.test(part) || (PEER.test(part) && (parts > 1 || !author.includes(' ')))
}

const TITLES = /\b(?:lord|lady|sir|saint|st|dr|mr|mrs|ms)\b/g

/** Two spellings of a name with the same key are the same author: "Lord Byron" and "BYRON". */
export function authorKey(name: string): string {
  const words = plainWords(name)
  const bare = words.replaceAll(TITLES, '').replaceAll(/ +/g, ' ').trim()
  return bare === '' ? words : bare
}
