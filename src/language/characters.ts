/**
 * Converts between offsets in UTF-16 units, as JavaScript counts, and in characters, as clients count. A counter reads
 * the text once for any number of offsets, so callers must ask for them in ascending order.
 */

/** Turns offsets in units into offsets in characters. */
export function charactersIn(text: string): (offset: number) => number {
  let [unit, character] = [0, 0]
  return (offset) => {
    for (; unit < offset; character++) unit += unitsAt(text, unit)
    return character
  }
}

/** Turns offsets in characters into offsets in units. */
export function unitsIn(text: string): (offset: number) => number {
  let [unit, character] = [0, 0]
  return (offset) => {
    for (; character < offset && unit < text.length; character++) unit += unitsAt(text, unit)
    return unit
  }
}

function unitsAt(text: string, unit: number): number {
  return text.codePointAt(unit)! > 0xffff ? 2 : 1
}
