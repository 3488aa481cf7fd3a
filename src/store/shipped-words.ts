/** Common words with the words that have to do with them, from WordNet: what a server knows before an import. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** Made by scripts/related-words.ts: a line for each word, as the table has it. */
const FILE = new URL('./related-words.bin', import.meta.url)

let loaded: ReadonlyMap<string, string> | undefined

/** Read when first needed. */
export function shippedWords(): ReadonlyMap<string, string> {
  loaded ??= new Map(
    brotliDecompressSync(readFileSync(FILE))
      .toString('utf8')
      .split('\n')
      .map((line) => {
        const end = line.indexOf(' ')
        return [line.slice(0, end), line.slice(end + 1)]
      }),
  )
  return loaded
}
