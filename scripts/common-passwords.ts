/**
 * Makes src/engine/common-passwords.bin, the list of common passwords, from the npm package @zxcvbn-ts/language-common.
 *
 *   npm pack @zxcvbn-ts/language-common@4.1.3 && tar xzf zxcvbn-ts-language-common-4.1.3.tgz
 *   node scripts/common-passwords.ts package
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

const FILE = new URL('../src/engine/common-passwords.bin', import.meta.url)
/** Shorter ones are useless: the check removes at most six characters, and a password has ten. */
const SHORTEST = 4
/** Words that come to mind on this site, and a famous comic's. */
const OURS = ['nymdex', 'polynym', 'quadranym', 'whitehorse', 'correcthorsebatterystaple']

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Give the folder of the package.')
const listed: string[] = JSON.parse(readFileSync(join(folder, 'src', 'passwords.json'), 'utf8'))
const folded = [...listed, ...OURS].map((password) => password.toLowerCase())
const passwords = [...new Set(folded)].filter((password) => password.length >= SHORTEST).sort()
writeFileSync(FILE, brotliCompressSync(passwords.join('\n')))
console.log(`${passwords.length} passwords`)
