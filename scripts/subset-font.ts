/**
 * Makes the font files in src/web/assets/fonts from Literata (SIL Open Font License 1.1).
 *
 *   cd "$(mktemp -d)" && npm install subset-font@2.9.0 @expo-google-fonts/literata@0.4.3
 *   node <checkout>/scripts/subset-font.ts "$PWD/node_modules"
 *
 * Each weight becomes three files: `latin` for every page, `more` for other letters of the Latin script, which browsers
 * load when a page has one, and a TrueType file with both, for pictures that the server draws.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const FOLDER = new URL('../src/web/assets/fonts/', import.meta.url)

type Ranges = readonly (readonly [first: number, last: number])[]

/** Western European languages, punctuation and arrows. fonts.css has the same numbers. */
const LATIN: Ranges = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2010, 0x2044],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
]
/** Latin Extended, Vietnamese, accents, other currencies, fractions and signs. */
const MORE: Ranges = [
  [0x100, 0x130],
  [0x132, 0x151],
  [0x154, 0x24f],
  [0x259, 0x259],
  [0x2b0, 0x36f],
  [0x1e00, 0x1eff],
  [0x2070, 0x20ab],
  [0x20ad, 0x20bf],
  [0x2116, 0x2116],
  [0x2150, 0x215e],
  [0x2200, 0x2211],
  [0x2215, 0x222b],
  [0x2248, 0x2265],
]
/** Small capitals, other figures and the like are not used. */
const FEATURES = ['kern', 'liga', 'mark', 'mkmk', 'ccmp', 'locl']
const WEIGHTS = { regular: '400Regular', semibold: '600SemiBold' }

const [modules] = process.argv.slice(2)
if (!modules) throw new Error('Give the folder node_modules that has the packages.')
const { default: subset } = await import(pathToFileURL(join(modules, 'subset-font', 'index.js')).href)
const literata = join(modules, '@expo-google-fonts', 'literata')

const lettersIn = (ranges: Ranges) =>
  ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)))
    .join('')

mkdirSync(FOLDER, { recursive: true })
copyFileSync(join(literata, 'LICENSE_FONT'), new URL('OFL.txt', FOLDER))
for (const [name, folder] of Object.entries(WEIGHTS)) {
  const font = readFileSync(join(literata, folder, `Literata_${folder}.ttf`))
  for (const [file, ranges] of [
    [`literata-${name}-latin.woff2`, LATIN],
    [`literata-${name}-more.woff2`, MORE],
    [`literata-${name}.ttf`, [...LATIN, ...MORE]],
  ] as const) {
    const targetFormat = file.endsWith('.ttf') ? 'sfnt' : 'woff2'
    const bytes: Buffer = await subset(font, lettersIn(ranges), {
      targetFormat,
      keepFeatures: FEATURES,
      noHinting: true,
      preserveNameIds: [0, 13, 14, 16, 17],
    })
    writeFileSync(new URL(file, FOLDER), bytes)
    console.log(`${file}: ${bytes.length} bytes`)
  }
}
