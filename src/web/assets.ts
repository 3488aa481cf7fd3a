/** Static files. Pages name them with a hash, so that a browser never shows a page with an old style sheet. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ROBOTS } from './crawlers.ts'
import { ERRORS_SCRIPT } from './form-errors.ts'

/** The parts of the style sheet, in this order. */
const SHEETS = ['look.css', 'explore.css', 'pictures.css', 'records.css', 'texts.css', 'make.css', 'history.css']
/** For the pages of the API, which readers do not need. */
const API_SHEETS = ['browse.css', 'docs.css']

/** By path. Browsers request favicon.ico when a page names no other icon. */
export const assets = new Map([
  ['/static/look.css', style(SHEETS)],
  ['/static/api.css', style(API_SHEETS)],
  ['/static/site.js', asset('site.js', 'text/javascript; charset=utf-8')],
  ['/static/browse.js', asset('browse.js', 'text/javascript; charset=utf-8')],
  ['/static/docs.js', asset('docs.js', 'text/javascript; charset=utf-8')],
  ['/static/icon.svg', asset('icon.svg', 'image/svg+xml')],
  ['/favicon.ico', asset('icon.svg', 'image/svg+xml')],
  ['/robots.txt', { type: 'text/plain; charset=utf-8', bytes: Buffer.from(ROBOTS) }],
])

function style(sheets: readonly string[]) {
  const text = sheets.map((sheet) => tightened(String(read(sheet)))).join('\n')
  return { type: 'text/css; charset=utf-8', bytes: Buffer.from(text) }
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
}

assets.set('/static/faults.js', { type: 'text/javascript; charset=utf-8', bytes: Buffer.from(ERRORS_SCRIPT) })

/** Scripts of single pages; a script comes after those that it imports. */
for (const file of [
  'preact.js',
  'ask.js',
  'pick.js',
  'flip.js',
  'marking.js',
  'pens.js',
  'annotate.js',
  'make.js',
  'record.js',
  'changes.js',
]) {
  assets.set(`/static/${file}`, { type: 'text/javascript; charset=utf-8', bytes: script(file) })
}

/** Imports in scripts are named with their hash, too. */
function script(file: string): Buffer {
  if (file === 'preact.js') return readFileSync(new URL(import.meta.resolve('htm/preact/standalone')))
  const source = String(read(file))
  return Buffer.from(
    source.replaceAll(/from '\.(\/[a-z]+\.js)'/g, (_, name) => `from '${addressOf(`/static${name}`)}'`),
  )
}

export const FLIP = addressOf('/static/flip.js')
export const ANNOTATE = addressOf('/static/annotate.js')
export const MAKE = addressOf('/static/make.js')
export const CHANGES = addressOf('/static/changes.js')
export const RECORD = addressOf('/static/record.js')
export const STYLE = addressOf('/static/look.css')
export const API_STYLE = addressOf('/static/api.css')
export const SCRIPT = addressOf('/static/site.js')
export const BROWSE_SCRIPT = addressOf('/static/browse.js')
export const DOCS_SCRIPT = addressOf('/static/docs.js')
export const ICON = addressOf('/static/icon.svg')

/** The address of an asset, as pages name it. */
export function addressOf(path: string): string {
  const hash = createHash('sha256').update(assets.get(path)!.bytes).digest('base64url')
  return `${path}?v=${hash.slice(0, 8)}`
}
