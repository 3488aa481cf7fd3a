/** The files that the bulk bench imports: made-up records, a tenth of them with votes, the same each time. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Words } from '../speed/words.ts'

const FLUSH_AT = 1 << 20
const USERS = 200
const PARTS_OF_SET = 5

/** Of 20 records, 17 are polynyms, two are quadranyms, and one is a polyset. */
export function countsOf(records: number) {
  const [quadranym, polyset] = [Math.floor(records / 10), Math.floor(records / 20)]
  return { polynym: records - quadranym - polyset, quadranym, polyset }
}

/** Writes an NDJSON file for each collection. */
export function writeSource(folder: string, records: number): void {
  const words = new Words(16)
  const { chance } = words
  const counts = countsOf(records)
  const user = () => `user${1 + chance.below(USERS)}`
  const head = (i: number) => ({
    name: `${words.some(1, 3)} ${i}`,
    user: user(),
    src: chance.happens(10) ? chance.pick(words.sources) : '',
    area: chance.happens(2) ? chance.pick(words.areas) : '',
    wiki: '',
    voters: chance.happens(10) ? [...new Set([user(), user()])] : [],
  })
  const makers: Record<keyof typeof counts, (i: number) => object> = {
    polynym(i) {
      const terms = Array.from({ length: 2 + chance.below(7) }, (_, n) => [`p${n + 1}`, words.some(1, 2)])
      const mode = chance.pick(['part', 'type', 'step'])
      return { ...head(i), mode, ...Object.fromEntries(terms), polynym_id: i + 1 }
    },
    quadranym(i) {
      const [e, r, o, s] = [words.one(), words.one(), words.one(), words.one()]
      const tags = { pos: 'NN', epos: 'VB', rpos: 'VB', opos: 'NN', spos: 'NN' }
      return { ...head(i), e, r, o, s, ...tags, realm: chance.pick(words.realms), quadranym_id: i + 1 }
    },
    polyset(i) {
      const polynyms = Array.from({ length: PARTS_OF_SET }, () => ({ polynym_id: 1 + chance.below(counts.polynym) }))
      return { ...head(i), polynyms, polyset_id: i + 1 }
    },
  }
  for (const kind of ['polynym', 'quadranym', 'polyset'] as const) {
    const file = openSync(join(folder, `${kind}.ndjson`), 'w')
    let text = ''
    for (let i = 0; i < counts[kind]; i++) {
      text += `${JSON.stringify(makers[kind](i))}\n`
      if (text.length < FLUSH_AT && i + 1 < counts[kind]) continue
      writeSync(file, text)
      text = ''
    }
    closeSync(file)
  }
}
