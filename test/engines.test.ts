/** SQLite and PostgreSQL give the same bytes, for every page of every collection. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalogue, charts } from '../src/catalogue/index.ts'
import { collectionsOf, resourcesOf } from '../src/engine/index.ts'
import { type Reply, Site } from './support/site.ts'

const sites = [new Site('SQLite'), new Site('PostgreSQL')] as const
before(() => Promise.all(sites.map((site) => site.start())))
after(() => Promise.all(sites.map((site) => site.stop())))

test('{engines.same} every page of every collection is the same, byte for byte, on both engines', async () => {
  let pages = 0
  for (const { name } of collectionsOf(catalogue)) {
    for (let path: string | null = `/api/${name}/?page=1&page_size=7`; path; ) {
      // The same Host on both, so that even the links are equal.
      const ask = { headers: { host: 'nymdex.example' } }
      const [a, b]: Reply[] = await Promise.all(sites.map((site) => site.ask(path!, ask)))
      assert.equal(a!.status, 200)
      assert.equal(a!.text, b!.text, path)
      assert.equal(a!.headers.etag, b!.headers.etag)
      assert.equal(a!.headers.link, b!.headers.link)
      path = localPart(a!.json.next)
      pages++
    }
  }
  assert.ok(pages > 60, `only ${pages} pages`)
})

test('{chart.same} every chart is the same, byte for byte, on both engines', async () => {
  for (const chart of charts) {
    for (const query of ['', ...resourcesOf(chart).map(({ name }) => `?resource=${name}`)]) {
      const path = `/api/chart/${chart.name}/${query}`
      const [a, b]: Reply[] = await Promise.all(sites.map((site) => site.ask(path)))
      assert.equal(a!.status, 200)
      assert.equal(a!.text, b!.text, path)
    }
  }
})

function localPart(url: string | null): string | null {
  return url && new URL(url).pathname + new URL(url).search
}
