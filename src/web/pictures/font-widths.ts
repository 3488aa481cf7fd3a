/** How wide the letters of a TrueType font are, read from its tables `cmap` and `hmtx`. */

/** By code point, as a fraction of the font size. */
export type FontWidths = ReadonlyMap<number, number>

export function widthsIn(font: Buffer): FontWidths {
  const tables = tablesOf(font)
  const unitsPerEm = tables('head').readUInt16BE(18)
  const measured = tables('hhea').readUInt16BE(34)
  const advances = tables('hmtx')
  // Glyphs after the last that is measured are as wide as that one.
  const widthOf = (glyph: number) => advances.readUInt16BE(4 * Math.min(glyph, measured - 1)) / unitsPerEm
  return new Map(Array.from(glyphsIn(tables('cmap')), ([code, glyph]) => [code, widthOf(glyph)]))
}

/** Each entry of the table directory has 16 bytes: tag, checksum, offset, length. */
function tablesOf(font: Buffer): (tag: string) => Buffer {
  const found = new Map<string, Buffer>()
  for (let i = 0; i < font.readUInt16BE(4); i++) {
    const entry = font.subarray(12 + 16 * i)
    const offset = entry.readUInt32BE(8)
    found.set(entry.toString('latin1', 0, 4), font.subarray(offset, offset + entry.readUInt32BE(12)))
  }
  return (tag) => {
    const table = found.get(tag)
    if (!table) throw new Error(`the font has no table ${tag}`)
    return table
  }
}

/** Code point and glyph, from the subtable of format 4, which every font for the Web has. */
function* glyphsIn(cmap: Buffer): Generator<readonly [code: number, glyph: number]> {
  const subtable = Array.from({ length: cmap.readUInt16BE(2) }, (_, i) =>
    cmap.subarray(cmap.readUInt32BE(4 + 8 * i + 4)),
  ).find((each) => each.readUInt16BE(0) === 4)
  if (!subtable) throw new Error('the font has no character map of format 4')
  const doubled = subtable.readUInt16BE(6)
  for (let i = 0; i < doubled; i += 2) {
    const last = subtable.readUInt16BE(14 + i)
    const first = subtable.readUInt16BE(16 + doubled + i)
    const delta = subtable.readUInt16BE(16 + 2 * doubled + i)
    const place = 16 + 3 * doubled + i
    const offset = subtable.readUInt16BE(place)
    for (let code = first; code <= last && code < 0xffff; code++) {
      const found = offset === 0 ? code : subtable.readUInt16BE(place + offset + 2 * (code - first))
      const glyph = found === 0 ? 0 : (found + delta) & 0xffff
      if (glyph !== 0) yield [code, glyph]
    }
  }
}
