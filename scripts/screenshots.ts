/**
 * Makes the pictures of docs/pictures/ from a server with the sample catalogue: `node scripts/screenshots.ts`.
 * A picture that is too large for a README is refused.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { findChromium } from '../test/support/chromium.ts'

const PORT = '8479'
const BASE = `http://127.0.0.1:${PORT}`
const LARGEST = 150_000
const OUT = new URL('../docs/pictures/', import.meta.url).pathname

interface Picture {
  readonly name: string
  /** Its address, or how to find it. */
  readonly path: string | (() => Promise<string>)
  readonly dark?: boolean
  readonly width?: number
  readonly height?: number
}

// biome-ignore format: one picture a line.
const PICTURES: readonly Picture[] = [
  { name: 'home', path: '/', height: 860 },
  { name: 'quadranym', path: () => addressOf('quadranym', 'name=time&realm=Temporal') },
  { name: 'text', path: () => addressOf('quote', 'search=wasted time'), dark: true },
  { name: 'list', path: '/polynym/?area=music' },
  { name: 'api', path: '/api/quadranym/?page_size=2', height: 900 },
  { name: 'word', path: '/word/open/', dark: true },
  { name: 'learn', path: '/learn/' },
  { name: 'compare', path: comparison, height: 980 },
  { name: 'network', path: '/charts/network/', height: 720 },
]

/** Two sets that share a word. */
async function comparison(): Promise<string> {
  const [one, two] = [await addressOf('polynym', 'name=Brass instruments'), await addressOf('polynym', 'name=Car')]
  return `/compare/?${[one, two].map((each) => `set=${each.slice(1, -1).replace('/', ':')}`).join('&')}`
}

async function addressOf(kind: string, query: string): Promise<string> {
  const answer = await fetch(`${BASE}/api/${kind}/?${query}`)
  const { results } = (await answer.json()) as { results: Record<string, unknown>[] }
  return `/${kind}/${results[0]?.[`${kind}_id`]}/`
}

const folder = mkdtempSync(join(tmpdir(), 'nymdex-pictures-'))
const server = spawn(process.execPath, ['bin/nymdex.js', 'serve'], {
  env: { ...process.env, PORT, DATABASE_URL: `sqlite:${join(folder, 'pictures.db')}`, NYMDEX_SAMPLE: 'on' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  for await (const line of server.stdout) if (String(line).includes('Nymdex is at')) break
  const isRoot = process.getuid?.() === 0
  const browser = await chromium.launch({ executablePath: await findChromium(), args: isRoot ? ['--no-sandbox'] : [] })
  for (const picture of PICTURES) await take(await browser.newPage(), picture)
  await browser.close()
} finally {
  server.kill()
  await once(server, 'exit')
  rmSync(folder, { recursive: true })
}

async function take(page: Page, { name, path, dark = false, width = 1120, height = 760 }: Picture): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
  await page.goto(BASE + (typeof path === 'string' ? path : await path()), { waitUntil: 'networkidle' })
  const file = join(OUT, `${name}.png`)
  await page.screenshot({ path: file })
  await page.close()
  const { size } = statSync(file)
  console.log(`${file}: ${size} bytes`)
  if (size > LARGEST) throw new Error(`${file} has ${size} bytes; more than ${LARGEST} is too much for a README`)
}
