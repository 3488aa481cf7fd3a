/** Files sent as they are. Pages name them with a hash, so that a browser never shows a page with yesterday's style. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The sheets that make up the one that is served, in this order. */
const SHEETS = ['look.css', 'pictures.css', 'texts.css', 'make.css', 'browse.css']

/** By their path. Browsers ask for favicon.ico wherever no page names another icon. */
export const assets = new Map([
  ['/static/look.css', { type: 'text/css; charset=utf-8', bytes: Buffer.concat(SHEETS.map(read)) }],
  ['/static/site.js', asset('site.js', 'text/javascript; charset=utf-8')],
  ['/static/browse.js', asset('browse.js', 'text/javascript; charset=utf-8')],
  ['/static/icon.svg', asset('icon.svg', 'image/svg+xml')],
  ['/favicon.ico', asset('icon.svg', 'image/svg+xml')],
])

function asset(file: string, type: string) {
  return { type, bytes: read(file) }
}

function read(file: string): Buffer {
  return readFileSync(new URL(`./assets/${file}`, import.meta.url))
}

export const STYLE = addressOf('/static/look.css')
export const SCRIPT = addressOf('/static/site.js')
export const BROWSE_SCRIPT = addressOf('/static/browse.js')
export const ICON = addressOf('/static/icon.svg')

function addressOf(path: string): string {
  const hash = createHash('sha256').update(assets.get(path)!.bytes).digest('base64url')
  return `${path}?v=${hash.slice(0, 8)}`
}
