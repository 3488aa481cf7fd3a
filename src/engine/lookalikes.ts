/**
 * Names that can be mistaken for others: similar letters of different scripts (Latin, Cyrillic, Greek) in one name, or
 * a name of another script whose letters all look Latin. The rules follow Unicode's "moderately restrictive" profile
 * (UTS 39).
 */

/** Scripts that people write names in, and that resemble no other. The rest count as one script. */
const DISTINCT = [
  'Arabic',
  'Bengali',
  'Bopomofo',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
]
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', ...DISTINCT].map((name) => ({
  name,
  is: new RegExp(`^\\p{Script=${name}}$`, 'u'),
}))
/** Scripts that are written together. */
const TOGETHER: readonly ReadonlySet<string>[] = [
  new Set(['Han', 'Hiragana', 'Katakana']),
  new Set(['Han', 'Hangul']),
  new Set(['Han', 'Bopomofo']),
]
const LETTER = /\p{L}/gu
/** Shared by many scripts, such as combining marks. */
const SHARED = /[\p{Script=Common}\p{Script=Inherited}]/u

/** Whether the name mixes scripts whose letters can be mistaken for each other. */
export function mixesScripts(name: string): boolean {
  const scripts = new Set((name.match(LETTER) ?? []).filter((letter) => !SHARED.test(letter)).map(scriptOf))
  if (scripts.size <= 1) return false
  const others = new Set([...scripts].filter((script) => script !== 'Latin'))
  if (TOGETHER.some((together) => others.isSubsetOf(together))) return false
  // Latin may be combined with one script that resembles no other.
  return others.size > 1 || !DISTINCT.includes([...others][0]!)
}

function scriptOf(letter: string): string {
  return SCRIPTS.find(({ is }) => is.test(letter))?.name ?? 'other'
}

/** Letters of Cyrillic, Greek, Cherokee and Lisu that look the same as an unaccented Latin letter. */
const LIKE_LATIN = new Set(
  'асеорхуіјѕһԁԛԝѵӏАВЕІЈКМНОРСЅТХҮԚԜѴӀαγινορυϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧ' + 'ᎠᎡᎢᎪᎫᎬᎳᎷᎻᎽᏀᏃᏒᏔᏙᏚᏞᏟᏢᏦᏴꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ',
)

/** Whether it is written in another script, with letters that all look Latin. */
export function looksLatin(name: string): boolean {
  const letters = name.match(LETTER) ?? []
  return letters.length > 0 && letters.every((letter) => LIKE_LATIN.has(letter))
}

/** Latin letters of some languages that look the same as a letter of all of them. */
const PLAIN: Readonly<Record<string, string>> = { ı: 'i', ɩ: 'i', ɑ: 'a', ɡ: 'g' }

/** The name that people would read. */
export function inPlainLetters(name: string): string {
  return name.replace(/[ıɩɑɡ]/g, (letter) => PLAIN[letter]!)
}
