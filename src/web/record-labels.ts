/**
 * How forms name records: by the name if only one record has it, otherwise by its words, "door: open / close". The
 * number comes last. Browsers get the same functions as a script, so nothing outside them is used.
 */

interface Named {
  readonly [member: string]: unknown
}

/** The words that tell a record from others of its name. */
export function wordsOfRecord(record: Named): string[] {
  const word = (member: string) => (/^_*$/.test(String(record[member])) ? '–' : String(record[member]))
  if ('e' in record) return ['e', 'r', 'o', 's'].map(word)
  if ('p1' in record) return Array.from({ length: Number(record['depth']) }, (_, i) => word(`p${i + 1}`))
  const text = typeof record['qode'] === 'string' ? record['qode'] : ''
  return text === '' ? [] : [text.replaceAll(/q[0-9]+[neros](?:[_^][A-Z]+)?/g, '…').slice(0, 80)]
}

/** From the shortest to the one that no other record has. */
export function labelsOf(record: Named, kind: string): string[] {
  const name = String(record['name'] ?? record['body'] ?? '').replaceAll(/\s+/g, ' ')
  const words = wordsOfRecord(record)
  const senses = [words.slice(0, 2), words].filter((some) => some.length > 0)
  return [name, ...senses.map((some) => `${name}: ${some.join(' / ')}`), `${name} #${record[`${kind}_id`]}`]
}

/** The shortest label that none of the others has. */
export function labelAmong(record: Named, others: readonly Named[], kind: string): string {
  const id = `${kind}_id`
  const taken = new Set(others.flatMap((other) => (other[id] === record[id] ? [] : labelsOf(other, kind))))
  const labels = labelsOf(record, kind)
  return labels.find((label) => !taken.has(label)) ?? labels.at(-1) ?? ''
}

/** The same for each of a list of different records, with each looked at once. */
export function labelsAmong(records: readonly Named[], kind: string): string[] {
  const all = records.map((record) => labelsOf(record, kind))
  const uses = new Map<string, number>()
  for (const labels of all) for (const label of new Set(labels)) uses.set(label, (uses.get(label) ?? 0) + 1)
  return all.map((labels) => labels.find((label) => uses.get(label) === 1) ?? labels.at(-1) ?? '')
}

export const LABELS_SCRIPT = [wordsOfRecord, labelsOf, labelAmong].map((each) => `export ${each}\n`).join('')
