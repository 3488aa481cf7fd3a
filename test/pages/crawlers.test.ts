/** What crawlers find: the catalogue, each page once, and an end. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Site } from '../support/site.ts'

const site = new Site('SQLite', { sample: false })

before(async () => {
  await site.start()
  const make = async (kind: string, json: object) => {
    const { status, text } = await site.ask(`/api/${kind}/`, { method: 'POST', as: 'ada', json })
    assert.equal(status, 201, text)
  }
  const modes = ['part', 'type', 'step']
  for (let i = 1; i <= 30; i++) {
    const terms = Object.fromEntries(
      Array.from({ length: 2 + (i % 4) }, (_, n) => [`p${n + 1}`, `term ${(i + n) % 7}`]),
    )
    await make('polynym', { name: `polynym ${i}`, mode: modes[i % 3], area: `area ${i % 2}`, ...terms })
  }
  await make('quadranym', { name: 'river', e: 'flow', r: 'dry', o: 'water', s: 'calm', realm: 'Physical' })
  await make('quadranym', { name: 'road', e: 'leave', r: 'arrive', o: 'stone', s: 'hope', realm: 'Spatial' })
  await make('fortune', { body: 'A calm river has deep water.', q1: [1] })
  await make('quote', { body: 'No calm without a river.', src: 'Ann Öhm, Letters', quadranym: 1 })
  await make('phrase', { name: 'flowing', qode: 'The q1n_NN may q1e_VB.' })
})
after(async () => {
  await site.stop()
  assert.deepEqual(site.bugs, [])
})

interface Link {
  readonly href: string
  readonly rel: readonly string[]
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
const attribute = (tag: string, name: string) => unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

async function read(path: string) {
  const { status, text, headers } = await site.ask(path, { headers: { accept: 'text/html,*/*;q=0.5' } })
  const isPage = headers['content-type']?.startsWith('text/html')
  const tags = (name: string) => (isPage ? (text.match(new RegExp(`<${name} [^>]*>`, 'g')) ?? []) : [])
  const links = tags('a').map((tag): Link => ({ href: attribute(tag, 'href'), rel: attribute(tag, 'rel').split(' ') }))
  const canonical = tags('link').filter((tag) => attribute(tag, 'rel') === 'canonical')
  const robots = tags('meta').filter((tag) => attribute(tag, 'name') === 'robots')
  return {
    status,
    links: links.map((link) => ({ ...link, href: link.href.replace(site.base, '') })),
    canonical: canonical.map((tag) => new URL(attribute(tag, 'href'), site.base).href),
    robots: robots.map((tag) => attribute(tag, 'content')),
  }
}

/** RFC 9309: of the rules that fit, the longest decides; of equally long ones, the one that allows. */
function mayCrawl(rules: readonly (readonly [kind: string, pattern: string])[], path: string): boolean {
  const fits = (pattern: string) =>
    new RegExp(`^${pattern.replace(/[.?+()]/g, '\\$&').replaceAll('*', '.*')}`).test(path)
  const [best] = rules
    .filter(([, pattern]) => fits(pattern))
    .toSorted(([a, x], [b, y]) => y.length - x.length || a.localeCompare(b))
  return best?.[0] !== 'Disallow'
}

async function rulesOf(agent = '*'): Promise<[string, string][]> {
  const { status, text, headers } = await site.ask('/robots.txt')
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  const [everyone = '', named = '', sitemap] = text.trimEnd().split('\n\n')
  assert.equal(sitemap, `Sitemap: ${site.base}/sitemap.xml`)
  const groups = { everyone: 'User-agent: *\n', named: 'User-agent: facebookexternalhit\nUser-agent: Twitterbot\n' }
  assert.ok(everyone.startsWith(groups.everyone) && named.startsWith(groups.named))
  const lines = (agent === '*' ? everyone : named).split('\n').filter((line) => !line.startsWith('User-agent'))
  return lines.map((line) => line.split(': ') as [string, string])
}

test('{site.robots} robots.txt allows the catalogue, and no endless combinations', async () => {
  const rules = await rulesOf()
  for (const path of [
    '/',
    '/polynym/',
    '/polynym/?page=2',
    '/fortune/1/',
    '/word/flow/',
    '/static/look.css?v=1',
    '/api/',
    '/fortune/1.png?quadranym=2',
    '/sitemap/polynym-1.xml',
  ]) {
    assert.ok(mayCrawl(rules, path), path)
  }
  // Sites that show a link which somebody has posted may read that page.
  const posted = await rulesOf('Twitterbot')
  for (const path of ['/fortune/1/?quadranym=2', '/polynym/?mode=part']) assert.ok(mayCrawl(posted, path), path)
  assert.ok(!mayCrawl(posted, '/accounts/login/'))
  for (const path of [
    '/accounts/login/?next=%2F',
    '/make/polynym/',
    '/annotate/',
    '/find/?q=x',
    '/random/',
    '/polynym/1/delete/',
    '/polynym/1/history/',
    '/changes/',
    '/changes.atom',
    '/fortune/1/?quadranym=2',
    '/polynym/?mode=part',
    '/polynym/?mode=part&page=2',
    '/polynym/?page=2&page_size=5',
    '/api/polynym/?depth__gte=5',
  ]) {
    assert.ok(!mayCrawl(rules, path), path)
  }
})

test('{site.robots} {site.canonical} a crawler that follows it, or only the links, comes to an end, and finds every page once', async () => {
  const rules = await rulesOf()
  for (const isHeeded of [(path: string) => mayCrawl(rules, path), () => true]) {
    const found = new Set(['/'])
    for (const path of found) {
      assert.ok(found.size < 500, 'more pages than the catalogue can have')
      const { status, links, canonical } = await read(path)
      if (!path.startsWith('/api/')) assert.equal(status, 200, path)
      if (canonical.length > 0) assert.deepEqual(canonical, [site.base + path.replace(/\?page=1$/, '')], path)
      for (const { href, rel } of links) {
        const isOurs = href.startsWith('/') && !rel.includes('nofollow')
        if (isOurs && isHeeded(href)) found.add(href.replace(/#.*$/, ''))
      }
    }
    for (const path of ['/polynym/?page=2', '/polynym/30/', '/quadranym/2/', '/fortune/1/', '/phrase/1/']) {
      assert.ok(found.has(path), path)
    }
  }
})

test('{site.canonical} a state of a page names the plain page, and tells crawlers not to follow its links', async () => {
  for (const [path, plain] of [
    ['/polynym/?mode=part&ordering=-id', '/polynym/'],
    ['/polynym/?page=2&page_size=4&mode=part', '/polynym/?page=2'],
    ['/fortune/1/?quadranym=2', '/fortune/1/'],
    ['/phrase/1/?quadranym=2&view=blanks', '/phrase/1/'],
    ['/api/polynym/?depth__gte=3&page=2&page_size=2', '/api/polynym/?page=2'],
    ['/polynym/1/?x=1', '/polynym/1/'],
  ] as const) {
    const { status, canonical, robots } = await read(path)
    assert.deepEqual([status, canonical, robots], [200, [site.base + plain], ['nofollow']], path)
  }
  assert.deepEqual((await read('/polynym/?page=2')).robots, [])
  for (const path of ['/polynym/999/', '/nothing/', '/api/polynym/999/']) {
    assert.deepEqual((await read(path)).canonical, [], path)
  }
})

test('{site.canonical} the same filters are one address, in whatever order they were chosen', async () => {
  const onward = async (path: string) => new Set((await read(path)).links.map(({ href }) => href))
  const [one, other] = [
    await onward('/polynym/?mode=part&area=area+1'),
    await onward('/polynym/?area=area+1&mode=part'),
  ]
  const filters = [...one].filter((href) => href.startsWith('/polynym/?'))
  assert.ok(filters.length > 5)
  for (const href of filters) {
    assert.ok(other.has(href), href)
    const names = [...new URLSearchParams(href.split('?')[1]).keys()]
    assert.deepEqual(names, names.toSorted())
  }
  for (const path of [
    '/',
    '/polynym/',
    '/polynym/1/',
    '/fortune/1/',
    '/people/ada/',
    '/word/flow/',
    '/nothing/',
    '/api/polynym/',
  ]) {
    for (const { href, rel } of (await read(path)).links) {
      const isOpen = !href.includes('?') || /\?page=[0-9]+$/.test(href)
      if (!isOpen) assert.ok(rel.includes('nofollow'), `${path}: ${href}`)
    }
  }
})

test('{site.sitemap} the sitemap names every list, record, word and author once, and nothing that crawlers may not read', async () => {
  const rules = await rulesOf()
  const addressesIn = async (path: string) => {
    const { status, text, headers } = await site.ask(path)
    assert.deepEqual([status, headers['content-type']], [200, 'application/xml; charset=utf-8'], path)
    return Array.from(text.matchAll(/<loc>([^<]+)<\/loc>/g), ([, loc = '']) => loc.replace(site.base, ''))
  }
  const parts = await addressesIn('/sitemap.xml')
  assert.match((await site.ask('/sitemap.xml')).text, /polynym-1\.xml<\/loc><lastmod>20\d\d-[^<]+Z<\/lastmod>/)
  const found = (await Promise.all(parts.map(addressesIn))).flat()
  assert.equal(new Set(found).size, found.length)
  const records = [
    'quadranym/1',
    'quadranym/2',
    'fortune/1',
    'phrase/1',
    ...Array.from({ length: 30 }, (_, i) => `polynym/${i + 1}`),
  ]
  const words = ['flow', 'dry', 'river', 'hope', 'term%203', 'polynym%2030'].map((word) => `word/${word}`)
  const authors = ['authors', 'author/Ann%20%C3%96hm']
  for (const path of ['', 'polynym', 'learn', ...records, ...words, ...authors])
    assert.ok(found.includes(path === '' ? '/' : `/${path}/`), path)
  for (const path of found) {
    assert.ok(mayCrawl(rules, path), path)
    const { status, canonical } = await read(path)
    assert.deepEqual([status, canonical], [200, [site.base + path]], path)
  }
  for (const path of ['/sitemap/polynym-2.xml', '/sitemap/polynym-0.xml', '/sitemap/storyline-1.xml', '/sitemap/x']) {
    assert.equal((await site.ask(path)).status, 404, path)
  }
})
