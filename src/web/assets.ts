/** Static files. Pages name them with a hash, so that a browser never shows a page with an old style sheet. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ERRORS_SCRIPT } from './form-errors.ts'
import { GLOSSARY } from './glossary.ts'
import { LABELS_SCRIPT } from './record-labels.ts'
import { TABLE_SCRIPT } from './table-text.ts'
import { TAGS_SCRIPT } from './texts/tag-words.ts'

/** The parts of the style sheet of every page, in this order. */
const SHEETS = ['fonts.css', 'look.css', 'explore.css', 'pictures.css', 'texts.css', 'labels.css']
/** What the front page does not show: visitors load it with the second page that they open. */
const INNER_SHEETS = ['records.css', 'make.css', 'history.css', 'accounts.css', 'lists.css']
/** For the pages of the API, which readers do not need. */
const API_SHEETS = ['browse.css', 'docs.css']
const LEARN_SHEETS = ['learn.css']
/** Maps of words, and authors. */
const WORD_SHEETS = ['word.css']
/** The book, the grid of sentences, and what is made of them. */
const TELL_SHEETS = ['tell.css']
const CHART_SHEETS = ['charts.css']
/** Comparisons, nested sets, posters, and the page of what there is to do. */
const COMPARE_SHEETS = ['compare.css']
const PLAY_SHEETS = ['play.css']
const STAFF_SHEETS = ['staff.css']

const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

/** Named by fonts.css. */
const FONTS = ['regular-latin', 'semibold-latin', 'regular-more', 'semibold-more']

/** By path. Browsers request favicon.ico when a page names no other icon. */
export const assets = new Map([
  ...FONTS.map((name): [string, Asset] => [
    `/static/literata-${name}.woff2`,
    asset(`fonts/literata-${name}.woff2`, 'font/woff2'),
  ]),
  ['/static/api.css', style(API_SHEETS)],
  ['/static/learn.css', style(LEARN_SHEETS)],
  ['/static/word.css', style(WORD_SHEETS)],
  ['/static/tell.css', style(TELL_SHEETS)],
  ['/static/charts.css', style(CHART_SHEETS)],
  ['/static/compare.css', style(COMPARE_SHEETS)],
  ['/static/play.css', style(PLAY_SHEETS)],
  ['/static/staff.css', style(STAFF_SHEETS)],
  ['/static/docs.js', asset('docs.js', SCRIPT_TYPE)],
  ['/static/icon.svg', asset('icon.svg', 'image/svg+xml')],
  ['/favicon.ico', asset('icon.svg', 'image/svg+xml')],
])

interface Asset {
  readonly type: string
  readonly bytes: Buffer
}

function style(sheets: readonly string[]) {
  const text = sheets.map((sheet) => tightened(String(read(sheet)))).join('\n')
  const hashed = text.replaceAll(/url\("([^"]+)"\)/g, (_, path) => `url("${addressOf(path)}")`)
  return { type: 'text/css; charset=utf-8', bytes: Buffer.from(hashed) }
}

function asset(file: string, type: string) {
  return { type, bytes: read(file) }
}

function read(file: string): Buffer {
  return readFileSync(new URL(`./assets/${file}`, import.meta.url))
}

/** Removes comments and white space, because the first page waits for the style sheet. */
function tightened(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/ ?([{};]) ?/g, '$1')
    .replaceAll(/;}/g, '}')
    .replaceAll(/([:,]) /g, '$1')
    .replaceAll(/([:, (-])0\./g, '$1.')
    .replaceAll(' > ', '>')
}

/** A script without comments, types of values and indentation: pages wait for it. */
function withoutComments(file: string): string {
  return String(read(file))
    .replaceAll(/^\s*(?:\/\/.*|\/\*\*(?:[^*]|\*(?!\/))*\*\/)\s*$\n?/gm, '')
    .replaceAll(/\/\*\* @(?:type|param)[^*]*\*\/ ?/g, '')
    .replaceAll(/^\s+/gm, '')
}

const SHARED_SCRIPTS = { faults: ERRORS_SCRIPT, naming: LABELS_SCRIPT, tags: TAGS_SCRIPT, rows: TABLE_SCRIPT }
for (const [name, text] of Object.entries(SHARED_SCRIPTS)) {
  assets.set(`/static/${name}.js`, { type: SCRIPT_TYPE, bytes: Buffer.from(text) })
}
const glossary = `export const GLOSSARY = ${JSON.stringify(GLOSSARY)}\n`
assets.set('/static/glossary.js', { type: SCRIPT_TYPE, bytes: Buffer.from(glossary) })
assets.set('/static/look.css', style(SHEETS))
assets.set('/static/inner.css', style(INNER_SHEETS))

/** What every page needs is one file. The braces keep the names of the two scripts apart. */
const site = `${linked('site.js')}{\n${linked('labels.js')}}\n`
assets.set('/static/site.js', { type: SCRIPT_TYPE, bytes: Buffer.from(site) })

/** Scripts of single pages; a script comes after those that it imports. */
for (const file of [
  'preact.js',
  'session.js',
  'page.js',
  'copying.js',
  'browse.js',
  'ask.js',
  'drawing.js',
  'pick.js',
  'turn.js',
  'turn-panel.js',
  'marking.js',
  'pens.js',
  'chooser.js',
  'turning.js',
  'topics.js',
  'annotate.js',
  'acting.js',
  'choices.js',
  'linekeys.js',
  'make.js',
  'sentence.js',
  'grid.js',
  'record.js',
  'account.js',
  'share.js',
  'changes.js',
  'learn.js',
  'word.js',
  'table.js',
  'tell.js',
  'charts.js',
  'play.js',
  'sets.js',
]) {
  assets.set(`/static/${file}`, { type: SCRIPT_TYPE, bytes: script(file) })
}

function script(file: string): Buffer {
  if (file === 'preact.js') return readFileSync(new URL(import.meta.resolve('htm/preact/standalone')))
  return Buffer.from(linked(file))
}

/** Imports in scripts are named with their hash, too. */
function linked(file: string): string {
  return withoutComments(file).replaceAll(
    /(from |import |import\()'\.(\/[a-z]+\.js)'/g,
    (_, verb, name) => `${verb}'${addressOf(`/static${name}`)}'`,
  )
}

export const TURN = addressOf('/static/turn.js')
export const TURN_PANEL = addressOf('/static/turn-panel.js')
export const ANNOTATE = addressOf('/static/annotate.js')
export const MAKE = addressOf('/static/make.js')
export const GRID = addressOf('/static/grid.js')
export const SENTENCE = addressOf('/static/sentence.js')
export const CHANGES = addressOf('/static/changes.js')
export const WORD = addressOf('/static/word.js')
export const TELL = addressOf('/static/tell.js')
export const TABLE = addressOf('/static/table.js')
export const RECORD = addressOf('/static/record.js')
export const LEARN = addressOf('/static/learn.js')
export const LEARN_STYLE = addressOf('/static/learn.css')
/** Every page has words in this font. */
export const FONT = addressOf('/static/literata-regular-latin.woff2')
export const ACCOUNT_SCRIPT = addressOf('/static/account.js')
export const WORD_STYLE = addressOf('/static/word.css')
export const TELL_STYLE = addressOf('/static/tell.css')
export const CHARTS = addressOf('/static/charts.js')
export const CHARTS_STYLE = addressOf('/static/charts.css')
export const COMPARE_STYLE = addressOf('/static/compare.css')
export const PLAY_STYLE = addressOf('/static/play.css')
export const STAFF_STYLE = addressOf('/static/staff.css')
export const PLAY = addressOf('/static/play.js')
export const SETS = addressOf('/static/sets.js')
export const SHARE = addressOf('/static/share.js')
export const STYLE = addressOf('/static/look.css')
export const INNER_STYLE = addressOf('/static/inner.css')
export const API_STYLE = addressOf('/static/api.css')
export const SCRIPT = addressOf('/static/site.js')
export const SESSION_SCRIPT = addressOf('/static/session.js')
export const BROWSE_SCRIPT = addressOf('/static/browse.js')
export const DOCS_SCRIPT = addressOf('/static/docs.js')
export const ICON = addressOf('/static/icon.svg')

/** The address of an asset, as pages name it. */
export function addressOf(path: string): string {
  const hash = createHash('sha256').update(assets.get(path)!.bytes).digest('base64url')
  return `${path}?v=${hash.slice(0, 8)}`
}
