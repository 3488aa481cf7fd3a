/**
 * Follows every link of the site, on the sample catalogue and records made of the longest words of WordNet: no broken
 * link, no anchor without a target, no page without a way on, no page over 150 KB. Then one page of each kind is opened
 * in a browser at 320 px: nothing is wider, and the console says nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { isState } from '../src/web/crawlers.ts'
import { expected, widthOf } from '../test/pages/looking.ts'
import { openPage } from '../test/support/browser.ts'
import { findChromium } from '../test/support/chromium.ts'
import { makeLongRecords } from './crawl/long-words.ts'
import { startNymdex } from './speed/servers.ts'
import { tokenFor } from './speed/tokens.ts'

const HEAVIEST_KB = 150
const NARROW = { width: 320, height: 640 }
/** Filters, orders and turns have endless combinations: this many are followed of each kind of page. */
const MOST_STATES = Number(process.env['CRAWL_STATES'] ?? 25)
const AT_ONCE = 4

/** Elements that reach over the edge, unless they are in something that scrolls. */
const OUTSIDE = `[...document.querySelectorAll('main *')].filter((each) => {
  if (each.getBoundingClientRect().right <= innerWidth + 1 || each.closest('svg svg, svg *')) return false
  for (let outer = each; outer; outer = outer.parentElement)
    if (/auto|scroll/.test(getComputedStyle(outer).overflowX)) return false
  return true
}).map((each) => each.localName + '.' + each.classList).join(', ')`

interface Visited {
  readonly ids: ReadonlySet<string>
  readonly links: readonly string[]
}

const folder = mkdtempSync(join(tmpdir(), 'nymdex-crawl-'))
const database = `sqlite:${join(folder, 'n.db')}`
const token = await tokenFor(database, 'crawler', { sample: true })
const server = await startNymdex({ database })
const base = server.base.replace(/\/$/, '')
const faults: string[] = []
try {
  const long = await makeLongRecords({ base, token })
  const visited = await crawl(['/', '/accounts/signup/', ...long])
  checkAnchors(visited)
  const kinds = new Map([...visited.keys()].map((address) => [kindOf(address), address]))
  console.log(`${visited.size} addresses of ${kinds.size} kinds`)
  await lookNarrow([...new Set([...kinds.values(), ...long])])
} finally {
  await server.stop()
  rmSync(folder, { recursive: true })
}
for (const fault of faults) console.log(fault)
console.log(faults.length === 0 ? 'nothing is wrong' : `${faults.length} faults`)
if (faults.length > 0) process.exitCode = 1

async function crawl(first: readonly string[]): Promise<Map<string, Visited>> {
  const visited = new Map<string, Visited>()
  const states = new Map<string, number>()
  const known = new Set(first)
  const waiting = [...first]
  const follow = (href: string) => {
    const address = href.replace(/#.*$/s, '')
    if (known.has(address) || !isPage(address)) return
    if (isState(address)) {
      const kind = kindOf(address)
      const count = states.get(kind) ?? 0
      if (count >= MOST_STATES) return
      states.set(kind, count + 1)
    }
    known.add(address)
    waiting.push(address)
  }
  while (waiting.length > 0) {
    await Promise.all(
      waiting.splice(0, AT_ONCE).map(async (address) => {
        const page = await visit(address)
        if (!page) return
        visited.set(address, page)
        page.links.forEach(follow)
      }),
    )
  }
  return visited
}

/** Undefined for what is no page: a file, or a page that only people who are signed in see. */
async function visit(address: string): Promise<Visited | undefined> {
  const answer = await fetch(base + address, { headers: { accept: 'text/html' } })
  const text = await answer.text()
  if (answer.status >= 400 && answer.status !== 401) faults.push(`${address} is ${answer.status}`)
  if (answer.status >= 400 || !answer.headers.get('content-type')?.startsWith('text/html')) return undefined
  const kilobytes = Buffer.byteLength(text) / 1024
  if (kilobytes > HEAVIEST_KB) faults.push(`${address} has ${kilobytes.toFixed(0)} KB`)
  const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''
  if (!/<(?:a|form|button)\b/.test(main)) faults.push(`${address} is a dead end`)
  return {
    ids: new Set(Array.from(text.matchAll(/\sid="([^"]+)"/g), ([, id = '']) => unescaped(id))),
    links: Array.from(text.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g), ([, href = '']) =>
      absolute(unescaped(href), address),
    ),
  }
}

function absolute(href: string, page: string): string {
  const { origin, pathname, search, hash } = new URL(href, base + page)
  return origin === base ? pathname + search + hash : ''
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** The API has its own tests, files are not pages, and chance leads elsewhere each time. */
function isPage(address: string): boolean {
  if (address === '') return false
  const path = address.replace(/\?.*$/s, '')
  return !/^\/(?:static|api\/(?!docs\/))/.test(path) && !/\/random\/$/.test(path) && !/\.[a-z]+$/.test(path)
}

function checkAnchors(visited: ReadonlyMap<string, Visited>): void {
  for (const [page, { links }] of visited) {
    for (const link of links) {
      const [address = '', anchor = ''] = link.split('#')
      const target = visited.get(address)
      if (anchor !== '' && target && !target.ids.has(decodeURIComponent(anchor)))
        faults.push(`${page} leads to ${link}, which is not there`)
    }
  }
}

/** Addresses that have the same page. Filters combine without end, so all combinations of a page are one kind. */
function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, base)
  const path = pathname
    .replace(/^(\/(?:word|people|author|source|api\/term)\/)[^/]+/, '$1:name')
    .replaceAll(/\/[0-9]+(?=\/)/g, '/:id')
  const [key, ...others] = new Set(searchParams.keys())
  if (key === undefined) return path
  return `${path}?${others.length > 0 ? 'several' : key}`
}

async function lookNarrow(addresses: readonly string[]): Promise<void> {
  const isRoot = process.getuid?.() === 0
  const browser = await chromium.launch({ executablePath: await findChromium(), args: isRoot ? ['--no-sandbox'] : [] })
  const { page, complaints } = await openPage(browser, base)
  await page.setViewportSize(NARROW)
  for (const address of addresses) {
    await page.goto(base + address)
    const width = await widthOf(page)
    const outside = String(await page.evaluate(OUTSIDE))
    if (outside !== '') faults.push(`${address}: these reach over the edge at ${NARROW.width} px: ${outside}`)
    if (width > NARROW.width) faults.push(`${address} is ${width} px wide at ${NARROW.width}`)
    faults.push(...expected(complaints.splice(0)).map((line) => `${address}: ${line}`))
  }
  console.log(`${addresses.length} of them at ${NARROW.width} px`)
  await browser.close()
}
