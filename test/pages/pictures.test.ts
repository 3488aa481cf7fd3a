/** Pictures of records: well-formed, with a description, and with every line of text in its place. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { kindsOf } from '../../src/web/kinds/index.ts'
import { alone, drawSmallPolynym, drawSmallQuadranym } from '../../src/web/pictures/index.ts'
import { widthOf } from '../../src/web/pictures/measure.ts'
import { siteInBrowser } from '../support/browser.ts'
import { onEachEngine, Site } from '../support/site.ts'

type Shown = Record<string, any>

const kinds = kindsOf(catalogue)
const DRAWN = kinds.all.flatMap(({ name, draw }) => (draw ? [{ name, draw }] : []))

/** Texts that would break a carelessly made file, or do not fit into its boxes. */
const HOSTILE = [
  `"><script>alert(1)</script>`,
  `]]><x y='&amp;`,
  '&nbsp; & < > " \' </svg>',
  'a\u0001b\u000bc\u001fd\u0085e\uffffg',
  'W'.repeat(200),
  'one two three '.repeat(30).trim(),
  'long-hyphenated/and-slashed/term-'.repeat(6),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  'عربي طويل جداً',
  '永遠の沈黙の中に住む人々のことを語る長い長い物語',
  '👩‍👩‍👧‍👦'.repeat(20),
  '\u202eright to left',
  '____',
  '-',
  'constructor',
]

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (Element | string)[]
}

/** As strict as XML; it knows only what pictures use. */
function parseXml(source: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] }
  const open = [root]
  const step = /<(\/?)([A-Za-z]+)((?: [A-Za-z:-]+="[^"<]*")*) ?(\/?)>|([^<]+)/y
  while (step.lastIndex < source.length) {
    const at = step.lastIndex
    const found = step.exec(source)
    assert.ok(found, `not XML at ${at}: ${source.slice(at, at + 60)}`)
    const [, closing, name, attributes, empty, text] = found
    if (text !== undefined) {
      assert.ok(!text.includes(']]>'))
      open.at(-1)!.children.push(decoded(text))
    } else if (closing) assert.equal(open.pop()!.name, name)
    else {
      const pairs = Array.from(attributes!.matchAll(/ ([^=]+)="([^"]*)"/g), ([, key, value]) => [key!, decoded(value!)])
      assert.equal(new Set(pairs.map(([key]) => key)).size, pairs.length, 'a repeated attribute')
      const element: Element = { name: name!, attributes: Object.fromEntries(pairs), children: [] }
      open.at(-1)!.children.push(element)
      if (!empty) open.push(element)
    }
  }
  assert.deepEqual(
    open.map(({ name }) => name),
    [''],
  )
  const [svg, ...rest] = root.children
  assert.deepEqual(rest, ['\n'])
  return svg as Element
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function decoded(text: string): string {
  assert.match(text, /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u, 'a character that XML cannot hold')
  return text.replaceAll(/&([^;]*;?)/g, (_, name: string) => {
    const known = ENTITIES[name.slice(0, -1)]
    assert.ok(name.endsWith(';') && known, `&${name} is no entity of XML`)
    return known
  })
}

interface Line {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Every line of text with the room it takes, by our own measure. */
function linesOf(element: Element, shift = { x: 0, y: 0 }): Line[] {
  const [, dx = 0, dy = 0] = /^translate\((\S+) (\S+)\)$/.exec(element.attributes['transform'] ?? '')?.map(Number) ?? []
  const moved = { x: shift.x + dx, y: shift.y + dy }
  if (element.name !== 'text') {
    return element.children.flatMap((child) => (typeof child === 'string' ? [] : linesOf(child, moved)))
  }
  const size = Number(element.attributes['font-size'])
  const isBold = element.attributes['class']?.includes('strong') ?? false
  const share = { start: 0, middle: 0.5, end: 1 }[element.attributes['text-anchor'] ?? 'start']!
  const rows = element.children.some((child) => typeof child !== 'string') ? element.children : [element]
  return rows.flatMap((row): Line[] => {
    if (typeof row === 'string') return []
    const text = row.children.join('')
    const width = widthOf(text, size, isBold)
    const [x, y] = [moved.x + Number(row.attributes['x']), moved.y + Number(row.attributes['y'])]
    return [
      { text, left: x - width * share, right: x + width * (1 - share), top: y - size * 0.75, bottom: y + size * 0.22 },
    ]
  })
}

/** Well-formed, named, and no line outside the picture or over another one. */
function inspect(source: string, called: string): Element {
  const svg = parseXml(source)
  const { xmlns, role, viewBox } = svg.attributes
  assert.equal(xmlns, 'http://www.w3.org/2000/svg')
  assert.equal(role, 'img')
  const [title] = svg.children as Element[]
  assert.ok(title!.name === 'title' && title!.children.join('') !== '')
  const [x, y, width, height] = viewBox!.split(' ').map(Number) as [number, number, number, number]
  assert.ok(width > 0 && height > 0, called)
  const lines = linesOf(svg)
  for (const line of lines) {
    const isIn =
      line.left >= x &&
      line.right <= x + width &&
      line.top >= y &&
      line.bottom <= y + height &&
      line.text.isWellFormed()
    assert.ok(isIn, `${called}: "${line.text}" is outside the picture`)
  }
  lines.forEach((a, i) => {
    for (const b of lines.slice(i + 1)) {
      const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
      assert.ok(apart || a.text === '' || b.text === '', `${called}: "${a.text}" and "${b.text}" overlap`)
    }
  })
  return svg
}

function hostileRecords(text: string): Record<string, Shown[]> {
  const polynym = (mode: string, many: number): Shown => ({
    name: text,
    mode,
    depth: many,
    ...Object.fromEntries(Array.from({ length: many }, (_, i) => [`p${i + 1}`, text])),
  })
  const four = { name: text, e: text, r: text, o: text, s: text }
  const polynyms = ['part', 'type', 'step'].flatMap((mode) => [polynym(mode, 2), polynym(mode, 12)])
  const map = { name: text, pa: polynyms[0], pb: polynyms[1] }
  return {
    quadranym: [four],
    polynym: polynyms,
    quadraset: [
      { name: text, quadranyms: [four] },
      { name: text, quadranyms: Array(26).fill(four) },
    ],
    polyset: [
      { name: text, polynyms },
      { name: text, polynyms: Array(26).fill(polynyms[0]) },
    ],
    polymap: [
      map,
      { ...map, r1: `${text},IsA,${text}` },
      { ...map, r1: `${text},IsA,${text}`, r2: `${text},EtymologicallyDerivedFrom,${text}` },
    ],
    vectornym: [
      { name: text, v1: polynyms[0], v2: polynyms[3] },
      { name: text, ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`v${i + 1}`, polynyms[i % 6]])) },
    ],
  }
}

describe('a picture', () => {
  const site = new Site('SQLite')
  before(() => site.start())
  after(() => site.stop())

  test('of each record of the sample is well-formed, with every line in its place', async () => {
    for (const { name, draw } of DRAWN) {
      const { json } = await site.ask(`/api/${name}/?page_size=1000`)
      assert.equal(json.results.length, json.count)
      for (const record of json.results) inspect(alone(draw(record)), `${name} ${record.name}`)
    }
    const { json: four } = await site.ask('/api/quadranym/?page_size=1000')
    for (const record of four.results) inspect(alone(drawSmallQuadranym(record)), `small quadranym ${record.name}`)
    const { json: many } = await site.ask('/api/polynym/?page_size=1000')
    for (const record of many.results) inspect(alone(drawSmallPolynym(record)), `small polynym ${record.name}`)
  })

  test('has a description of what it shows', async () => {
    const labelOf = (name: string, record: Shown) => kinds.get(name).draw!(record).label
    assert.equal(
      labelOf('quadranym', { name: 'door', e: 'open', r: 'close', o: '', s: '____' }),
      'door: open (expansive) against close (reductive), blank (objective) against blank (subjective)',
    )
    const seasons = { name: 'Seasons', mode: 'step', depth: 2, p1: 'spring', p2: 'summer' }
    assert.equal(labelOf('polynym', seasons), 'Seasons: its steps are spring; summer')
    assert.equal(labelOf('polynym', { ...seasons, mode: 'part' }), 'Seasons: its parts are spring; summer')
    const map = { name: 'Map', pa: seasons, pb: seasons, r1: 'spring,HasFirstSubevent,summer', r2: 'spring,IsA,gone' }
    assert.equal(labelOf('polymap', map), 'Map: spring has first subevent summer')
  })

  test('contains user input unchanged', () => {
    for (const text of HOSTILE) {
      for (const [name, records] of Object.entries(hostileRecords(text))) {
        for (const record of records) {
          const svg = inspect(alone(kinds.get(name).draw!(record)), `${name} of ${text.slice(0, 20)}`)
          const allowed = new Set(['title', 'style', 'rect', 'g', 'circle', 'path', 'text', 'tspan'])
          const walk = (element: Element): void => {
            for (const child of element.children) {
              if (typeof child === 'string') continue
              assert.ok(allowed.has(child.name), `<${child.name}>`)
              walk(child)
            }
          }
          walk(svg)
        }
      }
    }
  })

  test('shows a missing term as a faint blank', () => {
    const open = alone(kinds.get('quadranym').draw!({ name: 'fog', e: '', r: '____', o: 'mist', s: 'doubt' }))
    assert.equal(open.match(/class="pill blank"/g)!.length, 2)
    assert.ok(!open.includes('____'))
  })
})

onEachEngine('a picture by its address', {}, (site) => {
  test('is a file for other pages, for every kind that is drawn', async () => {
    for (const { name } of DRAWN) {
      const { status, headers, text } = await site.ask(`/${name}/1.svg`, { headers: { accept: 'image/*' } })
      assert.equal(status, 200, name)
      assert.equal(headers['content-type'], 'image/svg+xml')
      assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
      assert.equal(headers['cache-control'], 'public, max-age=300')
      assert.equal(headers['content-security-policy'], "default-src 'none'; style-src 'unsafe-inline'")
      assert.equal(headers['set-cookie'], undefined)
      const head = await site.ask(`/${name}/1.svg`, { method: 'HEAD' })
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(text)))
      const { json } = await site.ask(`/api/${name}/1/`)
      assert.equal(text, alone(kinds.get(name).draw!(json)))
    }
  })

  test('returns 404 for what does not exist', async () => {
    for (const path of ['/quadranym/99999.svg', '/quadranym/x.svg', '/polynym/1.5.svg', '/vectornym/-1.svg']) {
      assert.equal((await site.ask(path)).status, 404, path)
    }
    assert.deepEqual(site.bugs, [])
  })

  test('leaves the address without a slash to the page', async () => {
    const { status, headers } = await site.ask('/quadranym/1?x=y')
    assert.deepEqual([status, headers['location']], [303, '/quadranym/1/?x=y'])
  })
})

describe('a picture in a browser', () => {
  const { site, browser } = siteInBrowser()

  test('has its own colours, light and dark', async () => {
    const colours: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme })
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      await page.goto(`${site.base}/quadranym/1.svg`)
      colours.push(
        await page.evaluate(
          `[...document.querySelectorAll('.ground, text.e')].map((each) => getComputedStyle(each).fill).join()`,
        ),
      )
      assert.deepEqual(complaints, [])
      await page.close()
    }
    assert.equal(new Set(colours).size, 2)
    assert.ok(!colours.join().includes('rgb(0, 0, 0)'), 'a colour is missing')
  })

  test('has words that are links in a page, by mouse and by keyboard', async () => {
    const page = await browser.newPage({ baseURL: site.base })
    for (const [path, word, size] of [
      ['/quadranym/1/', 'barrier', 5],
      ['/polynym/36/', 'Zeus', 13],
      ['/polymap/1/', 'Jupiter', 24],
    ] as const) {
      await page.goto(path)
      const links = page.locator('figure.picture svg[role=group] a')
      assert.equal(await links.count(), size, path)
      const link = page.locator(`figure.picture a[href="/word/${word.toLowerCase()}/"]`)
      assert.equal(await link.textContent(), word)
      await link.focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/word/${word.toLowerCase()}/`)
    }
    await page.close()
  })

  test('is accepted by the XML parser of the browser, whatever it contains', async () => {
    const files = HOSTILE.slice(0, 5).flatMap((text) =>
      Object.entries(hostileRecords(text)).map(([name, [record]]) => alone(kinds.get(name).draw!(record!))),
    )
    const page = await browser.newPage()
    const faults = await page.evaluate((sources) => {
      const parser = new DOMParser()
      return sources.flatMap((source) => {
        const found = parser.parseFromString(source, 'image/svg+xml').querySelector('parsererror, script, [onerror]')
        return found ? [`${found.textContent}: ${source.slice(0, 99)}`] : []
      })
    }, files)
    assert.deepEqual(faults, [])
    await page.close()
  })

  test('keeps its words inside, in the installed fonts', async () => {
    const files: string[] = []
    for (const { name, draw } of DRAWN) {
      const { json } = await site.ask(`/api/${name}/?page_size=1000`)
      const longest = json.results.toSorted((a: Shown, b: Shown) => JSON.stringify(b).length - JSON.stringify(a).length)
      files.push(...longest.slice(0, 15).map((record: Shown) => alone(draw(record))))
    }
    const page = await browser.newPage()
    await page.setContent(files.join(''))
    const faults = await page.evaluate(() =>
      Array.from(document.querySelectorAll('svg text'), (text) => {
        const [own, picture] = [text, text.closest('svg')!].map((each) => each.getBoundingClientRect())
        const isIn = own!.left >= picture!.left && own!.right <= picture!.right && own!.bottom <= picture!.bottom
        return isIn ? '' : text.textContent
      }).filter((fault) => fault !== ''),
    )
    assert.deepEqual(faults, [])
    await page.close()
  })
})
