/** User input never becomes markup: 200 hostile strings in every text member of every kind, tested in Chromium. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import type { JsonObject } from '../../src/declare/index.ts'
import { accountNamed, insertRecord } from '../../src/engine/index.ts'
import { openPage, siteInBrowser } from '../support/browser.ts'

const OWN = 'window.owned=1'
const PAYLOADS = [
  `<script>${OWN}</script>`,
  `"><script>${OWN}</script>`,
  `</title><script>${OWN}</script>`,
  `</textarea><script>${OWN}</script>`,
  `</pre></code></div><h1>big</h1>`,
  `<img src=x onerror=${OWN}>`,
  `"><img src=x onerror="${OWN}">`,
  `' onmouseover='${OWN}`,
  `" autofocus onfocus="${OWN}" x="`,
  `<svg onload=${OWN}>`,
  `<svg><script>${OWN}</script></svg>`,
  `]]><script>${OWN}</script>`,
  `<!--<script>${OWN}</script>-->`,
  `<iframe srcdoc="<script>parent.owned=1</script>">`,
  `<a href="javascript:${OWN}">x</a>`,
  `javascript:${OWN}`,
  `data:text/html,<script>${OWN}</script>`,
  `<style>*{display:none}</style>`,
  `<link rel=stylesheet href=//evil.example/x.css>`,
  `<base href="//evil.example/">`,
  `<meta http-equiv=refresh content="0;url=//evil.example/">`,
  `<form action=//evil.example><button>go</button>`,
  `&lt;script&gt;${OWN}&lt;/script&gt;`,
  `&#60;script&#62;${OWN}`,
  `$\{${OWN}}`,
  '{{constructor.constructor("window.owned=1")()}}',
  `\\u003cscript\\u003e${OWN}`,
  `<b><i><u><table><tr><td>`,
  `</main></body></html><h1>after</h1>`,
  'x'.repeat(190),
  `\u202e\u2066 right to left \u2069`,
  'A\u0301\u0302\u0303\u0304'.repeat(30),
  '😀'.repeat(60),
  `<template><script>${OWN}</script></template>`,
  `<math><mtext></mtext><script>${OWN}</script></math>`,
  `<details open ontoggle=${OWN}>`,
  `<video><source onerror=${OWN}></video>`,
  `<input onfocus=${OWN} autofocus>`,
  `<object data="javascript:${OWN}">`,
  `<embed src="javascript:${OWN}">`,
]
/** Each of them five times, so that no two records are the same. */
const HOSTILE = Array.from(
  { length: 200 },
  (_, i) => `${PAYLOADS[i % PAYLOADS.length]} ${Math.floor(i / PAYLOADS.length)}`,
)

const { site, browser } = siteInBrowser({ sample: false }, fill)
const kinds = new Map<string, number[]>()

/** A record of each kind for each string, with a hostile string in every member that takes a text. */
async function fill(): Promise<void> {
  const { engine } = site
  const named = (name: string) => catalogue.find((resource) => resource.name === name)!
  const cut = (text: string, length: number) => [...text].slice(0, length).join('').toWellFormed().trim()
  await engine.store.write(function* () {
    const mallory = yield* accountNamed(engine, 'mallory')
    for (const [i, text] of HOSTILE.entries()) {
      const other = (step: number) => HOSTILE[(i + step * 7) % HOSTILE.length]!
      const head = { name: cut(text, 200), src: cut(other(1), 200), area: cut(other(2), 64), wiki: cut(other(3), 500) }
      const realm = cut(other(4), 64)
      function* put(name: string, body: JsonObject) {
        const id = yield* insertRecord(engine, named(name), body, mallory)
        kinds.set(name, [...(kinds.get(name) ?? []), id])
        return id
      }
      const terms = Object.fromEntries(Array.from({ length: 12 }, (_, p) => [`p${p + 1}`, cut(other(p + 5), 500)]))
      const polynym = yield* put('polynym', { ...head, mode: ['type', 'part', 'step'][i % 3]!, ...terms })
      const quadranym = yield* put('quadranym', {
        ...head,
        realm,
        e: cut(other(5), 200),
        r: cut(other(6), 200),
        o: cut(other(7), 200),
        s: cut(other(8), 200),
      })
      const qode = `${text} q1e_NN ${other(9)} q1n`
      const phrase = yield* put('phrase', { ...head, realm, qode })
      const fable = yield* put('fable', { ...head, realm, qode: `${qode} q2s` })
      yield* put('polyset', { ...head, polynyms: [polynym] })
      yield* put('quadraset', { ...head, quadranyms: [quadranym] })
      yield* put('polymap', { ...head, pa: polynym, pb: polynym, r1: `${terms['p1']},IsA,${terms['p2']}` })
      yield* put('vectornym', { ...head, realm, v1: polynym, v2: polynym })
      yield* put('queue', { name: head.name })
      yield* put('fortune', { body: `${text} is word`, qode: `${text} is q1n_NN`, q1: [quadranym] })
      yield* put('quote', { body: `${text} so word`, qode: `${text} so q1n_NN`, quadranym, src: head.src })
      yield* put('story', { ...head, realm, lines: [{ phrase, quadranym }] })
      yield* put('tale', { ...head, fable, lines: [quadranym, quadranym] })
      const player = yield* accountNamed(engine, `player${i}`)
      yield* insertRecord(
        engine,
        named('winner'),
        { by: cut(text, 32), app: cut(other(1), 32), score: i, round: 1 },
        player,
      )
    }
  })
}

/** What the browser is to parse. A request from within it costs several times as much. */
async function fetched(addresses: readonly string[]) {
  const documents: { address: string; status: number; text: string }[] = []
  for (const address of addresses) {
    const { status, text } = await site.page(address)
    documents.push({ address, status, text })
  }
  return documents
}

/** Markup that none of our pages has: made from user input, or an address that runs. */
const STRANGE = `
  script:not([src^="/static/"], head > [type="application/ld+json"]), img:not(.shot img[src^="/"]), iframe, object, embed, base, video, math, template, style:not(svg > style),
  meta[http-equiv], link:not([href^="/static/"], [rel="canonical"], [rel="alternate"][href^="http://127.0.0.1"]), form[action^="//"], a[href^="javascript:" i], a[href^="data:" i]`

test('no record changes the markup of a page: of its list, its own page, or the API', async () => {
  const { page, complaints } = await openPage(browser, site.base)
  await page.goto('/queue/')
  const paths = [...kinds].flatMap(([kind, ids]) => [
    `/api/${kind}/?page_size=1000&format=api`,
    ...Array.from({ length: 3 }, (_, i) => `/${kind}/?page_size=24&page=${i + 1}`),
    // Each payload once on the pages of single records.
    ...ids.slice(0, PAYLOADS.length).map((id) => `/${kind}/${id}/`),
    ...ids.slice(0, 3).map((id) => `/api/${kind}/${id}/`),
  ])
  const found = await page.evaluate(
    ([documents, strange]) => {
      const faults: string[] = []
      for (const { address, status, text } of documents) {
        if (status !== 200) faults.push(`${address}: ${status}`)
        const parsed = new DOMParser().parseFromString(text, 'text/html')
        for (const element of parsed.querySelectorAll(strange as string))
          faults.push(`${address}: ${element.outerHTML}`)
        for (const element of parsed.querySelectorAll('*')) {
          for (const { name } of element.attributes) {
            if (name.startsWith('on') || name === 'srcdoc' || name === 'style') faults.push(`${address}: ${name}`)
          }
        }
        for (const block of parsed.querySelectorAll('[type="application/ld+json"]')) {
          const { '@type': type } = JSON.parse(block.textContent ?? '')
          if (!/^(Quotation|DefinedTerm|DefinedTermSet)$/.test(type)) faults.push(`${address}: ${type}`)
        }
        if (parsed.querySelectorAll('main').length !== 1) faults.push(`${address}: not one main`)
      }
      return faults
    },
    [await fetched(paths), STRANGE] as const,
  )
  assert.deepEqual(found.slice(0, 5), [])
  assert.deepEqual(complaints, [])
})

/** The innermost elements that are wider than a phone. */
const WIDEST = `[...document.querySelectorAll('main *, header *, footer *')]
  .filter((each) => each.getBoundingClientRect().right > 361 && each.children.length === 0)
  .slice(0, 3).map((each) => each.tagName + '.' + each.className + ' in ' + each.parentElement?.className).join('; ')`

test('nothing runs, nothing is requested from another host, and nothing is wider than a phone', async () => {
  const { page, complaints } = await openPage(browser, site.base)
  const wide: string[] = []
  page.on('dialog', (dialog) => complaints.push(dialog.message()))
  for (const [kind, ids] of kinds) {
    for (const path of [
      `/${kind}/`,
      `/${kind}/${ids[2]}/`,
      `/${kind}/${ids[29]}/`,
      `/${kind}/${ids[31]}/`,
      `/api/${kind}/${ids[11]}/`,
    ]) {
      await page.goto(path)
      assert.equal(await page.evaluate('window.owned'), undefined, path)
      const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
      if (width > 360) wide.push(`${path}: ${width}, ${await page.evaluate(WIDEST)}`)
    }
  }
  await page.goto(`/find/?q=${encodeURIComponent(PAYLOADS[1]!)}`)
  assert.equal(await page.evaluate('window.owned'), undefined)
  assert.deepEqual(wide, [])
  assert.deepEqual(complaints, [])
})

test('a picture file is well-formed, whatever its texts', async () => {
  const { page } = await openPage(browser, site.base)
  await page.goto('/queue/')
  const drawn = [...kinds].filter(([kind]) => !/line$/.test(kind))
  const paths = drawn.flatMap(([kind, ids]) => ids.slice(0, PAYLOADS.length).map((id) => `/${kind}/${id}.svg`))
  const broken = await page.evaluate(
    (pictures) => {
      const faults: string[] = []
      for (const { address, text } of pictures) {
        const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
        if (parsed.querySelector('parsererror, script, foreignObject, image')) faults.push(address)
      }
      return faults
    },
    await fetched(paths),
  )
  assert.deepEqual(broken, [])
  for (const [kind, ids] of kinds) {
    if (!/^(quadranym|quote|fable)$/.test(kind)) continue
    for (const id of ids.slice(0, 5)) assert.equal((await site.ask(`/${kind}/${id}.png`)).status, 200, `${kind} ${id}`)
  }
})
