/**
 * Is a password one that many people use? A list of 49,000 common passwords is looked into, and so are variants that
 * people make of them: digits and signs before or after, letters replaced by digits (p4ssw0rd), the same thing repeated.
 */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** Made by scripts/common-passwords.ts. */
const FILE = new URL('./common-passwords.bin', import.meta.url)
/** So many digits and signs may be added to a common password without making it a good one. */
const MOST_ADDED = 6
/** The list holds nothing that is longer than this with all that may be added to it. */
const LONGEST = 64
/** A repeated piece that is shorter than this is common, whatever it is. */
const SHORT_PIECE = 5

let loaded: ReadonlySet<string> | undefined

/** Read when it is first needed: it takes some 50 ms, which a start need not wait for. */
function list(): ReadonlySet<string> {
  loaded ??= new Set(brotliDecompressSync(readFileSync(FILE)).toString('utf8').split('\n'))
  return loaded
}

/** `name` is the user's: a password that is made from it is as easy to guess. */
export function isCommonPassword(password: string, name: string): boolean {
  const folded = password.toLowerCase()
  if (isPredictable(folded)) return true
  if (folded.length > LONGEST) return false
  const isListed = (text: string) => list().has(text) || text === name.toLowerCase()
  const [start] = /^\P{L}*/u.exec(folded)!
  const [end] = /\P{L}*$/u.exec(folded)!
  /** What may be taken off the start or the end, however long it is. */
  const isEasy = (added: string) => {
    const digits = added.replaceAll(/[^0-9]/g, '')
    return added === '' || [added, digits].some((each) => list().has(each) || isPredictable(each))
  }
  const easyBefore = Array.from({ length: start.length + 1 }, (_, i) => isEasy(folded.slice(0, i)))
  const easyAfter = Array.from({ length: end.length + 1 }, (_, i) => isEasy(folded.slice(folded.length - i)))
  for (const [before, isEasyBefore] of easyBefore.entries()) {
    for (const [after, isEasyAfter] of easyAfter.entries()) {
      if (before + after >= folded.length || (before + after > MOST_ADDED && !(isEasyBefore && isEasyAfter))) continue
      if (spellings(folded.slice(before, folded.length - after)).some(isListed)) return true
    }
  }
  return false
}

/** One piece again and again, or characters in the order of the alphabet or of numbers, up or down. */
function isPredictable(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0)!)
  // After 9 comes 0.
  const around = /^[0-9]+$/.test(text) ? 10 : Number.POSITIVE_INFINITY
  for (const step of [1, -1]) {
    const follows = (point: number, i: number) =>
      i === 0 || [0, around].includes(Math.abs(point - points[i - 1]! - step))
    if (points.length > 2 && points.every(follows)) return true
  }
  const [, piece] = /^(.+?)\1+$/su.exec(text) ?? []
  return piece !== undefined && ([...piece].length < SHORT_PIECE || list().has(piece))
}

const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '+': 't',
}

/** The text, and what it is when digits and signs stand for letters. 1, ! and | may be an i or an l. */
function spellings(text: string): string[] {
  if (!/\p{L}/u.test(text) || /^\p{L}+$/u.test(text)) return [text]
  return [text, ...['i', 'l'].map((letter) => text.replaceAll(/[0345789@$+1!|]/g, (sign) => LETTERS[sign] ?? letter))]
}
