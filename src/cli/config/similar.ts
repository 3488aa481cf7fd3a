/** The name that somebody probably meant. */

/** How many characters a misspelt name may have wrong, for its length. */
const allowed = (name: string) => (name.length < 5 ? 1 : name.length < 10 ? 2 : 3)

export function similarTo(given: string, names: readonly string[]): string | undefined {
  const wanted = plain(given)
  const ranked = names
    .map((name) => ({ name, known: plain(name) }))
    // Each character more or less is one that is wrong.
    .filter(({ known }) => Math.abs(known.length - wanted.length) <= allowed(known))
    .map(({ name, known }) => ({ name, known, off: distance(wanted, known) }))
    .filter(({ known, off }) => off <= allowed(known))
    .sort((a, b) => a.off - b.off)
  return ranked[0]?.name
}

/** pgConnections, PG_CONNECTIONS and pg-connections are the same name, written in different ways. */
function plain(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/^nymdex[-_]/, '')
    .replaceAll(/[-_ ]/g, '')
}

/** How many characters to put in, leave out, replace or swap with the next one. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? least) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
