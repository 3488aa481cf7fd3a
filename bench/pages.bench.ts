/**
 * Pages for people: the size of the first one without its fonts, the cost of each kind on the server, made and from the
 * cache, against its goals, and its speed in a browser. Fails if the first page is larger than its limit, or a record
 * page takes the server longer to make than its limit.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from '../test/support/chromium.ts'

const HEAVIEST_KB = 60
const SLOWEST_MS = 3
/** What the pages should cost, in milliseconds. */
const GOALS = { made: 5, cached: 1 }
const WARM = 100
const ROUNDS = 200
/** A cached page costs so little that waking up for it would be most of it. */
const BUSY = { rounds: 1000, clients: 16 }

const RECORDS = [
  '/quadranym/3/',
  '/polynym/3/',
  '/polyset/3/',
  '/quadraset/3/',
  '/polymap/3/',
  '/vectornym/3/',
  '/fortune/7/',
  '/quote/7/',
  '/phrase/3/',
  '/fable/3/',
  '/story/3/',
  '/tale/3/',
]
/** Those that a version does not have are left out. */
const OTHERS = [
  '/',
  '/?quote=7&quadranym=3&turn=1',
  '/quote/7/?quadranym=3&turn=1',
  '/polynym/',
  '/polynym/table/',
  '/polynym/?view=table',
  '/sets/',
  '/texts/',
  '/stories/',
  '/find/?q=river',
  '/word/river/',
  '/author/Oscar%20Wilde/',
  '/learn/',
  '/help/',
  '/people/',
  '/people/mira/',
  '/changes/',
  '/polynym/3/history/',
  '/make/',
  '/make/quadranym/',
  '/make/phrase/',
  '/make/story/',
  '/annotate/',
  '/queue/',
  '/api/',
  '/api/polynym/',
]

/** First and largest contentful paint, total blocking time, and layout shift. */
const WATCH = `
  window.watched = { first: 0, largest: 0, blocked: 0, shift: 0 }
  const watch = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('paint', ({ name, startTime }) => name === 'first-contentful-paint' && (window.watched.first = startTime))
  watch('largest-contentful-paint', ({ startTime }) => (window.watched.largest = startTime))
  watch('longtask', ({ duration }) => (window.watched.blocked += duration - 50))
  watch('layout-shift', ({ value }) => (window.watched.shift += value))`

const folder = mkdtempSync(join(tmpdir(), 'nymdex-pages-'))
const server = spawn(process.execPath, ['bin/nymdex.js', 'serve'], {
  env: {
    ...process.env,
    PORT: '0',
    LOG_LEVEL: 'info',
    DATABASE_URL: `sqlite:${join(folder, 'n.db')}`,
    NYMDEX_SAMPLE: 'on',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let failed = false
try {
  let base = ''
  for await (const line of server.stdout) {
    base = /Nymdex is at (http:[^"\s]+?)\/?["\s]/.exec(String(line))?.[1] ?? ''
    if (base) break
  }
  server.stdout.resume()
  await measureServer(base)
  await measureBrowser(base)
} finally {
  server.kill()
  await once(server, 'exit')
  rmSync(folder, { recursive: true })
}
if (failed) process.exitCode = 1

/** Processor time, which other work on the machine does not change; the time of the clock if it is not known. */
async function measureServer(base: string): Promise<void> {
  const way = await cost(base, '/static/look.css')
  const cookie = await signUp(base)
  console.log(
    `\nmilliseconds of the server's processor a page, with ${way.toFixed(2)} for the way (mean of ${ROUNDS}; cached: of ${BUSY.rounds}, ${BUSY.clients} at a time):
goals: ${GOALS.made} made, ${GOALS.cached} cached
${'page'.padEnd(30)}  made  cached`,
  )
  for (const path of [...RECORDS, ...OTHERS]) {
    const { status } = await fetch(base + path, { headers: { accept: 'text/html' } })
    if (status === 404) continue
    // Nobody else gets the page of a signed-in visitor.
    const made = await cost(base, path, { headers: { cookie } })
    // A page that needs a session is never cached.
    const cached = status === 200 ? await cost(base, path, BUSY) : undefined
    const isSlow = RECORDS.includes(path) && made - way > SLOWEST_MS
    failed ||= isSlow
    const missed = [made - way > GOALS.made && 'made', (cached ?? 0) > GOALS.cached && 'cached'].filter(Boolean)
    const note = missed.length > 0 ? `  misses its goal: ${missed.join(', ')}` : ''
    console.log(`${path.padEnd(30)} ${made.toFixed(2).padStart(5)}  ${(cached?.toFixed(2) ?? '-').padStart(6)}${note}`)
  }
}

async function signUp(base: string): Promise<string> {
  const sent = { username: 'visitor', password: randomUUID() }
  const { headers } = await fetch(`${base}/accounts/signup/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  })
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

interface Visitor {
  readonly headers?: Record<string, string>
  readonly rounds?: number
  /** How many requests run at a time. */
  readonly clients?: number
}

async function cost(base: string, path: string, visitor: Visitor = {}): Promise<number> {
  const { headers, rounds = ROUNDS, clients = 1 } = visitor
  const visit = async () => {
    const answer = await fetch(base + path, { headers: { accept: 'text/html', ...headers } })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`${path} is ${answer.status}`)
  }
  const visitTimes = async (count: number) => {
    let left = count
    const client = async () => {
      while (left-- > 0) await visit()
    }
    await Promise.all(Array.from({ length: clients }, client))
  }
  await visitTimes(WARM)
  const begun = spent()
  await visitTimes(rounds)
  return (spent() - begun) / rounds
}

/** The processor time that the server has used so far, in milliseconds. */
function spent(): number {
  const stat = `/proc/${server.pid}/stat`
  if (!existsSync(stat)) return performance.now()
  // The 14th and 15th field, in hundredths of a second; the second field may contain spaces.
  const [user, system] = readFileSync(stat, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

/** What Lighthouse measures, as the browser itself reports it: on a phone, with an empty cache. */
async function measureBrowser(base: string): Promise<void> {
  const isRoot = process.getuid?.() === 0
  const browser = await chromium.launch({ executablePath: await findChromium(), args: isRoot ? ['--no-sandbox'] : [] })
  console.log('\npage                 KB  requests  first paint ms  largest paint ms  blocked ms  shift')
  for (const path of ['/', ...RECORDS.slice(0, 2), '/fortune/7/', '/polynym/', '/word/river/', '/annotate/']) {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
    const page = await context.newPage()
    await page.addInitScript(WATCH)
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'font') return
      sizes.push(
        request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
      )
    })
    await page.goto(base + path, { waitUntil: 'networkidle' })
    const seen = (await page.evaluate('window.watched')) as Record<'first' | 'largest' | 'blocked' | 'shift', number>
    const weight = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1024
    const isHeavy = path === '/' && weight > HEAVIEST_KB
    failed ||= isHeavy
    console.log(
      `${path.padEnd(16)} ${weight.toFixed(1).padStart(6)} ${String(sizes.length).padStart(9)} ${seen.first.toFixed(0).padStart(15)} ${seen.largest.toFixed(0).padStart(17)} ${seen.blocked.toFixed(0).padStart(11)} ${seen.shift.toFixed(3).padStart(6)}${isHeavy ? `  over ${HEAVIEST_KB} KB` : ''}`,
    )
    await context.close()
  }
  await browser.close()
}
