/** A real Chromium. It records console messages, blocked requests and requests to other hosts, for the tests. */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach } from 'node:test'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { atEnd } from './group.ts'
import { Site, type SiteOptions } from './site.ts'

/** What tests do with a browser. */
export type OpenBrowser = Pick<Browser, 'newContext' | 'newPage'>

/** A site and a browser for the tests around the call; `prepare` fills the site. A bug of the site fails the tests. */
export function siteInBrowser(options: SiteOptions = {}, prepare = async (_: Site) => {}) {
  const site = new Site('SQLite', options)
  const contexts: BrowserContext[] = []
  // Pages that a test has left open would go on moving, and take processor time from those after it.
  let kept = 0
  beforeEach(() => {
    kept = contexts.length
  })
  afterEach(async () => {
    for (const context of contexts.splice(kept)) await context.close()
  })
  before(async () => {
    await site.start()
    await prepare(site)
  })
  after(async () => {
    for (const context of contexts) await context.close()
    await site.stop()
    assert.deepEqual(site.bugs, [])
  })
  const newContext = async (settings?: BrowserContextOptions) => {
    const context = await (await sharedBrowser()).newContext(settings)
    contexts.push(context)
    return context
  }
  const newPage = async (settings?: BrowserContextOptions) => await (await newContext(settings)).newPage()
  const browser: OpenBrowser = { newContext, newPage }
  return { site, browser }
}

let shared: Promise<Browser> | undefined

/** One for all files of the process: to start it takes longer than most tests. */
function sharedBrowser(): Promise<Browser> {
  shared ??= openBrowser()
  return shared
}

atEnd(async () => await (await shared)?.close())

async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['NYMDEX_TEST_CHROMIUM']
  if (!executablePath) throw new Error('Run the tests with "npm test", which finds a Chromium.')
  const isRoot = process.getuid?.() === 0
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
  // Without a GPU process there is one program less that can crash: the machine that runs the tests has no GPU.
  // No page lives long enough to gain from what the optimising compilers of its scripts cost.
  const args = [...quiet, '--disable-gpu', '--js-flags=--no-opt,--no-maglev', ...(isRoot ? ['--no-sandbox'] : [])]
  return await chromium.launch({ executablePath, args })
}

/** A telephone, which has no keyboard and no mouse. */
export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }

export interface WatchedPage {
  readonly page: Page
  /** Console errors, script errors, and requests to other hosts. */
  readonly complaints: string[]
}

/**
 * Clicks what leads to another page, and waits until that page is there. `click` alone does not always wait if the page has
 * no scripts.
 */
export async function clickThrough(page: Page, what: Locator): Promise<void> {
  const loaded = page.waitForEvent('domcontentloaded')
  await what.click()
  await loaded
}

export async function openPage(
  browser: OpenBrowser,
  base: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: base, viewport: { width: 360, height: 740 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('request', (request) => {
    if (!request.url().startsWith(base)) complaints.push(`asked ${request.url()}`)
  })
  return { page, complaints }
}

/** Waits until an element with this text has the focus; scripts may move it after they show what changed. */
export const hasFocus = (page: Page, text: string) =>
  page
    .locator(':focus')
    .and(page.getByText(text, { exact: true }))
    .waitFor()
