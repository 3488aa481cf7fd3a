/**
 * Pictures of records as files. `/quadranym/7.png` is the preview that other sites show with a link, `/quadranym/7.svg`
 * the drawing alone, for other people's pages. A text has its turns in the address: `/quote/43.png?quadranym=183`.
 */
import type { PageAnswer } from '../../http/index.ts'
import { renderError } from '../error.ts'
import { inNumbers, readAuthor } from '../explorer/author-records.ts'
import { drawComparison } from '../explorer/compare/compare-picture.ts'
import { readState, setsQuery } from '../explorer/compare/compare-state.ts'
import { readNestedState } from '../explorer/nested/nested-state.ts'
import { readNest } from '../explorer/nested/read-nest.ts'
import { readPoster } from '../explorer/posters/read-poster.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Kinds } from '../kinds/index.ts'
import { alone, type Drawing, drawNest, plainSvg } from '../pictures/index.ts'
import { drawingCard } from './card.ts'
import { comparePreview } from './compare-preview.ts'
import { drawPng } from './png.ts'
import { recordPreview } from './record-preview.ts'
import { sitePreview } from './site-preview.ts'
import { textCard } from './text-card.ts'
import { wordPreview } from './word-preview.ts'

export function picturePages({ all }: Kinds): readonly ExplorerPage[] {
  const records = all
    .filter(({ lineOf }) => !lineOf)
    .map((kind): ExplorerPage => {
      return { path: `/${kind.name}/:id`, title: `${kind.one} Picture`, GET: (visit) => recordPicture(visit, kind) }
    })
  return [
    ...records,
    { path: '/compare.png', title: 'Picture of a comparison', GET: (visit) => comparePicture(visit, 'png') },
    { path: '/compare.svg', title: 'Drawing of a comparison', GET: (visit) => comparePicture(visit, 'svg') },
    { path: '/nested.png', title: 'Picture of nested quadranyms', GET: nestedPicture },
    { path: '/posters.svg', title: 'Poster', GET: posterPicture },
    { path: '/word/:term', title: 'Word Picture', GET: wordPicture },
    ...(all.some(({ hasSource }) => hasSource)
      ? [{ path: '/author/:name', title: 'Author Picture', GET: authorPicture }]
      : []),
    { path: '/preview.png', title: 'Preview', GET: async ({ kinds }) => await png(sitePreview(kinds)) },
  ]
}

async function recordPicture(visit: ExplorerVisit, kind: Kind): Promise<PageAnswer> {
  const { name, draw } = kind
  const { stem, type } = fileOf(visit.places['id'] ?? '')
  if (!type) return toPage(visit)
  const { status, json } = await visit.ask(`/api/${name}/${encodeURIComponent(stem)}/`)
  if (status !== 200) return failure(visit, status, json)
  if (type === 'svg') return svg(draw ? draw(json) : await recordPreview(visit, kind, json))
  return await png(await recordPreview(visit, kind, json))
}

async function wordPicture(visit: ExplorerVisit): Promise<PageAnswer> {
  const { stem, type } = fileOf(visit.places['term'] ?? '')
  if (!type) return toPage(visit)
  const { status, json } = await visit.ask(`/api/term/${encodeURIComponent(stem)}/?limit=12`)
  if (status !== 200) return failure(visit, status, json)
  const preview = wordPreview(json, stem.trim(), visit.kinds)
  return type === 'svg' ? svg(preview) : await png(preview)
}

async function authorPicture(visit: ExplorerVisit): Promise<PageAnswer> {
  const { stem, type } = fileOf(visit.places['name'] ?? '')
  if (!type) return toPage(visit)
  const found = await readAuthor(visit, stem.trim())
  if (!found) return failure(visit, 404, { detail: 'No text and no set names this author.' })
  const preview = textCard({ kind: 'Author', attribution: inNumbers(found).join(', ') }, found.called, [])
  return type === 'svg' ? svg(preview) : await png(preview)
}

async function comparePicture(visit: ExplorerVisit, type: 'png' | 'svg'): Promise<PageAnswer> {
  const { status, json } = await visit.ask(`/api/compare/?${setsQuery(readState(visit).sets)}&limit=0`)
  if (status !== 200) return failure(visit, status, json)
  return type === 'svg' ? svg(drawComparison(json)) : await png(comparePreview(json))
}

async function nestedPicture(visit: ExplorerVisit): Promise<PageAnswer> {
  const read = await readNest(visit, readNestedState(visit))
  if (!read) return failure(visit, 404, MISSING)
  const { name } = read.nest
  const head = { kind: 'Nested quadranyms', title: `Inside ${name}`, gist: 'Words that are topics', by: undefined }
  return await png(drawingCard(head, drawNest(read.nest)))
}

async function posterPicture(visit: ExplorerVisit): Promise<PageAnswer> {
  const read = await readPoster(visit)
  // Its letters are in the file.
  return read ? svgFile(read.draw(), '; font-src data:') : failure(visit, 404, MISSING)
}

const MISSING = { detail: 'Not found.' }

function fileOf(given: string): { readonly stem: string; readonly type: string | undefined } {
  const [, stem = '', type] = /^(.+)\.(svg|png)$/s.exec(given) ?? []
  return { stem, type }
}

/** The address without a suffix belongs to the page, which ends in a slash. */
function toPage({ path, query }: ExplorerVisit): PageAnswer {
  return { location: query.raw ? `${path}/?${query.raw}` : `${path}/` }
}

function failure({ path, visitor, kinds }: ExplorerVisit, status: number, json: unknown): PageAnswer {
  return { status, page: renderError({ status, json, here: path, user: visitor?.name }, kinds) }
}

const ANYWHERE = { 'Cross-Origin-Resource-Policy': 'cross-origin' }

function svg(drawing: Drawing): PageAnswer {
  return svgFile(alone(drawing))
}

function svgFile(bytes: string, policy = ''): PageAnswer {
  return {
    bytes,
    type: 'image/svg+xml',
    headers: {
      'Cache-Control': 'public, max-age=300',
      ...ANYWHERE,
      // Opened by itself it is a document: it may style itself, and do nothing else.
      'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'${policy}`,
    },
  }
}

/** Other sites ask again after a day, and get 304 if nothing has changed. */
async function png(drawing: Drawing): Promise<PageAnswer> {
  return {
    bytes: await drawPng(plainSvg(drawing)),
    type: 'image/png',
    hasEtag: true,
    headers: { 'Cache-Control': 'public, max-age=86400, stale-while-revalidate=604800', ...ANYWHERE },
  }
}
