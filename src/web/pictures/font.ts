/** The font that the site ships: Literata, cut down to the Latin script by scripts/subset-font.ts. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type FontWidths, widthsIn } from './font-widths.ts'

export const FONT_FAMILY = 'Literata'

const fileOf = (weight: string) => fileURLToPath(new URL(`../assets/fonts/literata-${weight}.ttf`, import.meta.url))

/** For the program that draws pictures on the server. */
export const FONT_FILES: readonly string[] = [fileOf('regular'), fileOf('semibold')]

const [regular, semibold] = FONT_FILES.map((file) => withFlatMarks(widthsIn(readFileSync(file))))

/** Combining marks are above or below other letters. */
function withFlatMarks(widths: FontWidths): FontWidths {
  return new Map(Array.from(widths, ([code, width]) => [code, /\p{M}/u.test(String.fromCodePoint(code)) ? 0 : width]))
}

/** Undefined for a character that the font lacks. */
export function letterWidth(code: number, isBold: boolean): number | undefined {
  const widths: FontWidths | undefined = isBold ? semibold : regular
  return widths?.get(code)
}

/** Whether every character of a text has a letter, or takes no room. */
export function hasLetters(text: string): boolean {
  for (const letter of text) {
    if (!INVISIBLE.test(letter) && letterWidth(letter.codePointAt(0) ?? 0, false) === undefined) return false
  }
  return true
}

const INVISIBLE = /[\p{Cc}\p{Cf}\s]/u
