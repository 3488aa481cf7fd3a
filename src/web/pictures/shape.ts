/** The input of the pictures of a polynym. */

/** A name and its terms, in order. */
export interface Polynym {
  readonly name: string
  readonly mode: string
  readonly terms: readonly string[]
}

/** p1 to p12, as far as there are any. */
export function polynymOf(record: Readonly<Record<string, any>>): Polynym {
  const terms: string[] = []
  for (let i = 1; typeof record[`p${i}`] === 'string'; i++) terms.push(record[`p${i}`])
  return { name: record['name'], mode: record['mode'], terms }
}

export function inWords({ name, terms }: Polynym, are: string): string {
  return `${name}: ${are} ${terms.join('; ')}`
}
