/** The page for people at any API address: the request, the response, and what can be done next. */
import { isStreamFormat, type PageView, STATUS_CODES } from '../../http/index.ts'
import { API_STYLE, BROWSE_SCRIPT } from '../assets.ts'
import { type Content, html } from '../html.ts'
import type { Kinds } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { beginningOf } from './beginning.ts'
import { writingForms } from './forms.ts'
import { colouredJson } from './json.ts'
import { narrowingPanel } from './narrowing.ts'

export function renderPage(view: PageView, kinds: Kinds): string {
  const { title, description, request, status, headers, user, csrf, offer } = view
  const link = headers['Link'] as string | undefined
  return layout({
    kinds,
    csrf,
    title,
    user,
    here: target(request),
    base: request.base,
    isFault: status >= 400,
    trail: breadcrumbs(request.path),
    styles: [API_STYLE],
    scripts: [BROWSE_SCRIPT],
    main: html`<h1>${title}</h1>
      ${description && html`<p class="does">${description}</p>`} ${actions(view)}
      ${offer?.narrowing && narrowingPanel(offer.narrowing, request)} ${pager(link, 'Pages')}
      <section class="answer" aria-label="Request and answer">
        <p class="request"><b>${request.method}</b> <code>${target(request)}</code></p>
        <pre class="headers"><b>HTTP ${status} ${STATUS_CODES[status] ?? ''}</b>${'\n'}${headerLines(headers)}</pre>
        ${answered(view, link !== undefined)}
      </section>
      ${pager(link, 'Pages, again')} ${writingForms(view)}`,
  })
}

/** Of longer responses the page shows the beginning: its HTML stays below MOST_HTML, whatever the JSON holds. */
const MOST_SHOWN = 64 * 1024
const MOST_HTML = 100_000
const TRIES = 4

interface ShownJson {
  readonly text: string
  /** How many whole records it shows; undefined for everything. */
  readonly records?: number
}

function shownOf(json: string): ShownJson {
  const whole = json.length <= MOST_SHOWN ? colouredJson(json) : undefined
  if (whole !== undefined && whole.length <= MOST_HTML) return { text: whole }
  let most = Math.min(json.length - 1, whole ? Math.floor((json.length * MOST_HTML) / whole.length) : MOST_SHOWN)
  for (let tries = 1; ; tries++) {
    const { json: beginning, records } = beginningOf(json, most)
    const text = colouredJson(beginning)
    if (text.length <= MOST_HTML || tries === TRIES) return { text, records }
    most = Math.floor((most * MOST_HTML * 0.95) / text.length)
  }
}

function answered({ request, json }: PageView, isList: boolean): Content {
  const { text, records } = shownOf(json)
  const shown = html`<div class="json" dangerouslySetInnerHTML=${{ __html: text }} />`
  if (records === undefined) return shown
  const path = slashed(request.path)
  const smaller = request.query.pairs.filter(([name]) => name !== 'page' && name !== 'page_size')
  const query = new URLSearchParams([
    ...smaller.map(([name, value]) => [name, value]),
    ['page_size', String(records || 1)],
  ])
  const part = isList && records > 0 ? `the first ${records} records` : 'the beginning'
  return html`<p class="note">
      This response has ${Math.ceil(json.length / 1024)} KiB of JSON; the page shows ${part}.
      <a href=${`${path}?${request.query.with('format', 'json')}`}>Get all of it as JSON</a>${
        isList && html`, or <a href=${`${path}?${query}`}>ask for smaller pages</a>`
      }.
    </p>
    ${shown}`
}

/** A format suffix would override the parameter. */
function slashed(path: string): string {
  return path.replace(/\.[a-z0-9]+$/, '/')
}

export function target({ path, query }: PageView['request']): string {
  return query.raw ? `${path}?${query.raw}` : path
}

function headerLines(headers: PageView['headers']): Content {
  return Object.entries(headers)
    .filter(([name]) => !name.startsWith('Access-Control-') && name !== 'Set-Cookie')
    .map(([name, value]) => html`<span class="header">${name}:</span> ${String(value)}${'\n'}`)
}

function breadcrumbs(path: string): Content {
  const steps = path.split('/').filter((step) => step !== '')
  return steps.map((step, i) => {
    const href = `/${steps.slice(0, i + 1).join('/')}/`
    const here = i === steps.length - 1
    return html`<a href=${href} aria-current=${here ? 'page' : undefined}>${decoded(step)}</a>${
      here ? '' : html` <i aria-hidden="true">/</i> `
    }`
  })
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

/** The same as JSON or text, the OPTIONS response, a curl command, and more addresses. */
function actions(view: PageView): Content {
  const { request, formats, offer, csrf } = view
  const path = slashed(request.path)
  const curl = `curl '${request.base}${target(request).replaceAll("'", '%27')}'`
  return html`<div class="actions">
    <span class="group" role="group" aria-label="Formats">
      ${formats.map(
        (format) =>
          html`<a class="btn" href=${`${path}?${inFormat(request.query, format)}`}>GET ${format === 'txt' ? 'text' : format}</a>`,
      )}
    </span>
    <form method="post" action=${target(request)}>
      <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
      <input type="hidden" name="_method" value="OPTIONS" />
      <button class="btn" type="submit">OPTIONS</button>
    </form>
    <details class="curl">
      <summary class="btn">curl</summary>
      <code data-copy>${curl}</code>
    </details>
    ${offer?.more.map(({ href, title }) => html`<a class="btn" href=${href}>${title}</a>`)}
  </div>`
}

/** The same in another format. A whole list has no pages. */
function inFormat(query: PageView['request']['query'], format: string): string {
  const parameters = new URLSearchParams(query.with('format', format))
  if (isStreamFormat(format)) for (const name of ['page', 'page_size']) parameters.delete(name)
  return parameters.toString()
}

/** First, previous, next and last, as the Link header says. */
function pager(link: string | undefined, label: string): Content {
  if (!link) return undefined
  const urls = new Map(Array.from(link.matchAll(/<([^>]*)>; rel="([\w-]+)"/g), ([, url, rel]) => [rel, url]))
  if (!urls.has('first')) return undefined
  const step = (rel: string, label: string) => {
    const url = urls.get(rel)
    return url ? html`<a rel=${rel} href=${url}>${label}</a>` : html`<span>${label}</span>`
  }
  return html`<nav class="pager" aria-label=${label}>
    ${step('first', 'First')}${step('prev', 'Previous')}${step('next', 'Next')}${step('last', 'Last')}
  </nav>`
}
