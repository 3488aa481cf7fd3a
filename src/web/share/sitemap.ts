/**
 * The pages of the site for search engines (https://www.sitemaps.org): an index, and parts of up to 1,000 records of a
 * kind, with the words that these records bring. A part costs one page of the list, however far in the list it is, and
 * has at most 14,000 addresses; 50,000 are allowed.
 */
import type { PageAnswer } from '../../http/index.ts'
import { termAddress } from '../addresses.ts'
import { renderError } from '../error.ts'
import { readAuthors } from '../explorer/author-index.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Kinds, Shown } from '../kinds/index.ts'
import { authorAddress } from '../texts/author.ts'
import { escapedXml } from './xml.ts'

const PART = 1000
/** An index may name no more parts. */
const MOST_PARTS = 50_000
const AUTHORS = '/sitemap/authors.xml'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

export const sitemapPages: readonly ExplorerPage[] = [
  { path: '/sitemap.xml', title: 'Sitemap', GET: index },
  { path: '/sitemap/:part', title: 'Part of the sitemap', GET: part },
]

/** Kinds whose records have pages. */
function listed({ all }: Kinds): readonly Kind[] {
  return all.filter(({ lineOf }) => !lineOf)
}

async function index(visit: ExplorerVisit): Promise<PageAnswer> {
  const { base } = visit
  const parts = await Promise.all(listed(visit.kinds).map((kind) => partsOf(visit, kind)))
  const authors = hasAuthors(visit.kinds) ? [{ path: AUTHORS }] : []
  const all = [{ path: '/sitemap/pages.xml' }, ...authors, ...parts.flat()].slice(0, MOST_PARTS)
  const items = all.map(
    ({ path, changed }: Part) => `<sitemap><loc>${escapedXml(base + path)}</loc>${lastmod(changed)}</sitemap>`,
  )
  return xml(`<sitemapindex ${NAMESPACE}>\n${items.join('\n')}\n</sitemapindex>`)
}

interface Part {
  readonly path: string
  readonly changed?: string | undefined
}

/** The newest change of a kind is known; it is the change of its part if it has only one. */
async function partsOf(visit: ExplorerVisit, { name }: Kind): Promise<readonly Part[]> {
  const { json } = await visit.ask(`/api/${name}/?ordering=-changed&page_size=1&fields=${name}_id`)
  const count = Math.ceil(json.count / PART)
  const [newest] = json.results
  const changed = count === 1 ? await changeOf(visit, name, newest[`${name}_id`]) : undefined
  return Array.from({ length: count }, (_, i) => ({ path: `/sitemap/${name}-${i + 1}.xml`, changed }))
}

async function changeOf(visit: ExplorerVisit, name: string, id: number): Promise<string | undefined> {
  const { headers } = await visit.ask(`/api/${name}/${id}/`)
  const changed = Date.parse(String(headers['Last-Modified'] ?? ''))
  return Number.isNaN(changed) ? undefined : new Date(changed).toISOString()
}

function lastmod(changed: string | undefined): string {
  return changed ? `<lastmod>${changed}</lastmod>` : ''
}

async function part(visit: ExplorerVisit): Promise<PageAnswer> {
  const { base, kinds } = visit
  const given = visit.places['part'] ?? ''
  if (given === 'pages.xml') return urls(base, plainPages(kinds))
  if (visit.path === AUTHORS && hasAuthors(kinds)) return urls(base, await authorPages(visit))
  const [, name = '', number = ''] = /^([a-z-]+)-([1-9][0-9]{0,6})\.xml$/.exec(given) ?? []
  const kind = kinds.find(name)
  if (!kind || kind.lineOf) return missing(visit)
  const page = `page=${number}&page_size=${PART}`
  const [listed, words] = await Promise.all([
    visit.ask(`/api/${name}/?${page}&fields=${name}_id`),
    kind.hasTerms ? visit.ask(`/api/words/?resource=${name}&${page}`) : undefined,
  ])
  if (listed.status !== 200) return missing(visit)
  const records: string[] = listed.json.results.map((record: Shown) => `/${name}/${record[`${name}_id`]}/`)
  return urls(base, [...records, ...wordPages(words?.json.results ?? [])])
}

/** Sentences have no pages, and words in other letter cases have the same. */
function wordPages(words: readonly string[]): Iterable<string> {
  return new Set(words.flatMap((word) => termAddress(word) ?? []))
}

function hasAuthors({ all }: Kinds): boolean {
  return all.some(({ hasSource }) => hasSource)
}

/** The authors of the 1,000 most frequent sources of each kind. */
async function authorPages(visit: ExplorerVisit): Promise<string[]> {
  const authors = new Set((await readAuthors(visit)).values())
  return ['/authors/', ...Array.from(authors, ({ name }) => authorAddress(name))]
}

/** Pages that are no records: parts of the site, and lists. */
function plainPages(kinds: Kinds): string[] {
  const parts = kinds.parts.map(({ href }) => href).filter((href) => !/^\/(?:make|annotate)\//.test(href))
  return [...new Set(['/', ...parts, ...listed(kinds).map(({ name }) => `/${name}/`), '/people/', '/help/'])]
}

function urls(base: string, paths: readonly string[]): PageAnswer {
  const items = paths.map((path) => `<url><loc>${escapedXml(base + path)}</loc></url>`)
  return xml(`<urlset ${NAMESPACE}>\n${items.join('\n')}\n</urlset>`)
}

function xml(content: string): PageAnswer {
  return {
    bytes: `<?xml version="1.0" encoding="UTF-8"?>\n${content}\n`,
    type: 'application/xml; charset=utf-8',
    hasEtag: true,
    headers: { 'Cache-Control': 'public, max-age=3600' },
  }
}

function missing({ path, visitor, kinds }: ExplorerVisit): PageAnswer {
  const json = { detail: 'Not found.' }
  return { status: 404, page: renderError({ status: 404, json, here: path, user: visitor?.name }, kinds) }
}
