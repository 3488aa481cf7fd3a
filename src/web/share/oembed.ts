/** oEmbed (https://oembed.com): how another site shows a link to a record, a turned text, a word or an author. */
import { type PageAnswer, Problem, problems } from '../../http/index.ts'
import { wordAddress } from '../addresses.ts'
import { readAuthor } from '../explorer/author-records.ts'
import type { ExplorerPage, ExplorerVisit, Kind } from '../kinds/index.ts'
import { PREVIEW_HEIGHT, PREVIEW_WIDTH } from '../previews/card.ts'
import { toldText } from '../previews/told-text.ts'
import { authorAddress } from '../texts/author.ts'
import { viewIn } from '../texts/turning.ts'
import { embedHtml } from './panel.ts'
import { authorPicture, inShort, recordPicture, wordPicture } from './shared.ts'
import { escapedXml } from './xml.ts'

/** What is embedded. */
interface Embedded {
  readonly title: string
  readonly address: string
  readonly picture: string
  readonly author: string | undefined
}

const WIDTH = 600
const DAY_SECONDS = 86_400

export const oembedPage: ExplorerPage = {
  path: '/oembed',
  title: 'oEmbed',
  async GET(visit): Promise<PageAnswer> {
    const format = visit.query.get('format') ?? 'json'
    if (format !== 'json' && format !== 'xml') {
      // The specification asks for this status.
      throw new Problem(501, { detail: 'The format must be json or xml.' })
    }
    const embedded = await embeddedBy(visit)
    const answer = answerFor(visit, embedded)
    const headers = { 'Cache-Control': `public, max-age=${DAY_SECONDS}`, 'Access-Control-Allow-Origin': '*' }
    if (format === 'json') return { bytes: JSON.stringify(answer), type: 'application/json', headers, hasEtag: true }
    const members = Object.entries(answer).map(([name, value]) => `<${name}>${escapedXml(String(value))}</${name}>`)
    const xml = `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${members.join('')}</oembed>\n`
    return { bytes: xml, type: 'text/xml; charset=utf-8', headers, hasEtag: true }
  },
}

function answerFor({ base, query }: ExplorerVisit, { title, address, picture, author }: Embedded) {
  const [most, highest] = [limitIn(query, 'maxwidth'), limitIn(query, 'maxheight')]
  const width = Math.max(1, Math.floor(Math.min(WIDTH, most, (highest * PREVIEW_WIDTH) / PREVIEW_HEIGHT)))
  const height = Math.max(1, Math.floor((width * PREVIEW_HEIGHT) / PREVIEW_WIDTH))
  return {
    version: '1.0',
    type: 'rich',
    title,
    ...(author === undefined ? {} : { author_name: author }),
    provider_name: 'Nymdex',
    provider_url: `${base}/`,
    cache_age: DAY_SECONDS,
    thumbnail_url: base + picture,
    thumbnail_width: PREVIEW_WIDTH,
    thumbnail_height: PREVIEW_HEIGHT,
    width,
    height,
    html: embedHtml({ link: base + address, image: base + picture, alt: title, size: [width, height] }),
  }
}

function limitIn(query: ExplorerVisit['query'], name: string): number {
  const given = query.get(name)
  if (given === undefined) return Number.POSITIVE_INFINITY
  if (!/^[1-9][0-9]{0,8}$/.test(given)) throw problems.invalid({ [name]: ['Enter a whole number greater than 0.'] })
  return Number(given)
}

async function embeddedBy(visit: ExplorerVisit): Promise<Embedded> {
  const given = visit.query.get('url')
  if (!given) throw problems.invalid({ url: ['This field is required.'] })
  const url = URL.parse(given)
  if (!url || !/^https?:$/.test(url.protocol)) throw problems.invalid({ url: ['Enter a web address.'] })
  // A site behind a proxy may be linked to with either scheme.
  if (url.host !== URL.parse(visit.base)?.host) throw unknownAddress()
  const [, name = '', place = ''] = /^\/([a-z-]+)\/([^/]+)\/?$/.exec(url.pathname) ?? []
  const kind = visit.kinds.find(name)
  if (kind && !kind.lineOf && /^[0-9]+$/.test(place)) return await recordIn(visit, kind, place, url.searchParams)
  if (name === 'word') return await wordIn(visit, place)
  if (name === 'author') return await authorIn(visit, place)
  throw unknownAddress()
}

const unknownAddress = () => new Problem(404, { detail: 'This site has nothing to embed at this address.' })

async function recordIn(visit: ExplorerVisit, kind: Kind, id: string, params: URLSearchParams): Promise<Embedded> {
  const { status, json: record } = await visit.ask(`/api/${kind.name}/${id}/`)
  if (status !== 200) throw unknownAddress()
  const query = { all: (name: string) => params.getAll(name), get: (name: string) => params.get(name) ?? undefined }
  const told = kind.draw ? undefined : await toldText(visit, kind, record, query)
  const topics = params.getAll('quadranym').filter((topic) => /^[0-9]{1,15}$/.test(topic))
  const view = viewIn(query)
  const state = [...topics.map((topic) => `quadranym=${topic}`), ...(view === 'told' ? [] : [`view=${view}`])]
  const asked = told ? state.join('&') : ''
  return {
    title: inShort(told?.text ?? kind.nameOf(record)),
    address: `/${kind.name}/${id}/${asked && `?${asked}`}`,
    picture: recordPicture(kind.name, Number(id), asked),
    author: told ? told.attribution : record[kind.owner ?? ''],
  }
}

async function authorIn(visit: ExplorerVisit, place: string): Promise<Embedded> {
  const found = await readAuthor(visit, decoded(place))
  if (!found) throw unknownAddress()
  const { called } = found
  return { title: called, address: authorAddress(called), picture: authorPicture(called), author: undefined }
}

function decoded(place: string): string {
  try {
    return decodeURIComponent(place)
  } catch {
    throw unknownAddress()
  }
}

async function wordIn(visit: ExplorerVisit, place: string): Promise<Embedded> {
  const { status, json } = await visit.ask(`/api/term/${place}/?limit=0`)
  if (status !== 200) throw unknownAddress()
  const { term } = json
  return { title: term, address: wordAddress(term), picture: wordPicture(term), author: undefined }
}
