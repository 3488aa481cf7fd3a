/** Checks for every page: accessibility, width, and browser warnings. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { type OpenBrowser, openPage } from '../support/browser.ts'

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** Everything that axe-core finds, as text. The page's own policy would not allow a script tag. */
export async function faultsOf(page: Page): Promise<string[]> {
  // What is on its way is shown pale.
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.emulateMedia({ colorScheme: 'light' })
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(AXE)
  const light = await violations(page, {})
  // Dark pages differ only in their colours.
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...light, ...(await violations(page, { runOnly: ['color-contrast', 'link-in-text-block'] }))]
}

async function violations(page: Page, options: object): Promise<string[]> {
  // What is right is neither described nor sent, which takes half of the time.
  const wanted = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const found = (await page.evaluate(`axe.run(${wanted}).then(({ violations }) => violations)`)) as {
    id: string
    help: string
    nodes: { html: string }[]
  }[]
  return found.map(({ id, help, nodes }) => `${id}: ${help} in ${nodes.map((node) => node.html).join(' | ')}`)
}

/** Opens each address on a phone, light and dark; nothing may be wrong with any of them. */
export async function lookAt(browser: OpenBrowser, base: string, addresses: readonly string[]): Promise<void> {
  const { page, complaints } = await openPage(browser, base)
  // A colour transition would be measured halfway.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // To send it once for all pages takes a third of the time.
  await page.addInitScript(AXE)
  for (const address of addresses) {
    await page.goto(address)
    assert.deepEqual(await faultsOf(page), [], address)
    assert.ok((await widthOf(page)) <= 360, `${address} is wider than a phone`)
    assert.deepEqual(await cutTexts(page), [], `texts of pictures that are cut off on ${address}`)
    assert.deepEqual(expected(complaints), [], address)
  }
  await page.context().close()
}

/** Texts of pictures that leave the window: a picture may be as wide as the page, and its texts wider. */
async function cutTexts(page: Page): Promise<unknown> {
  return await page.evaluate(`[...document.querySelectorAll('svg text')]
    .filter((text) => text.checkVisibility({ opacityProperty: true }) && !text.closest('.scrolls, [tabindex="0"]'))
    .filter((text) => {
      const { left, right } = text.getBoundingClientRect()
      return left < -1 || right > innerWidth + 1
    })
    .map((text) => text.textContent)`)
}

/** Words of up to twelve letters that are broken where no space is. */
export async function brokenWords(page: Page, selector: string): Promise<unknown> {
  return await page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((element) => {
    const broken = []
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { 0: word, index } of text.data.matchAll(/(?<!\\p{L})\\p{L}{2,12}(?!\\p{L})/gu)) {
        const range = new Range()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = [...range.getClientRects()]
        if (lines.some(({ top }) => lines.some(({ bottom }) => bottom <= top + 1))) broken.push(word)
      }
    }
    return broken
  })`)
}

export async function widthOf(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollWidth'))
}

/** The console also reports the status of an error page. */
export function expected(complaints: readonly string[]): string[] {
  return complaints.filter(
    (each) => !/^Failed to load resource: the server responded with a status of 40[0-9]/.test(each),
  )
}
