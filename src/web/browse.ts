/** The page for people at any API address: what was asked, what was answered, and where one can go from there. */
import { STATUS_CODES } from 'node:http'
import type { PageView } from '../http/index.ts'
import { type Content, html } from './html.ts'
import { layout } from './layout.ts'

export function renderPage(view: PageView): string {
  const { title, description, request, status, headers, json, user } = view
  const link = headers['Link'] as string | undefined
  return layout({
    title,
    user,
    here: target(request),
    trail: breadcrumbs(request.path),
    main: html`<h1>${title}</h1>
      ${description && html`<p class="does">${description}</p>`}
      <div class="line">
        <p class="request"><b>${request.method}</b> <code>${target(request)}</code></p>
        ${formats(view)}
      </div>
      ${pager(link)}
      <pre class="answer"><b>HTTP ${status} ${STATUS_CODES[status] ?? ''}</b>${'\n'}${headerLines(headers)}${'\n'}${linked(json)}</pre>
      ${pager(link)}`,
  })
}

function headerLines(headers: PageView['headers']): Content {
  return Object.entries(headers)
    .filter(([name]) => !name.startsWith('Access-Control-') && name !== 'Set-Cookie')
    .map(([name, value]) => html`<span class="header">${name}:</span> ${String(value)}${'\n'}`)
}

function target({ path, query }: PageView['request']): string {
  return query.raw ? `${path}?${query.raw}` : path
}

function breadcrumbs(path: string): Content {
  const steps = path.split('/').filter((step) => step !== '')
  return steps.map((step, i) => {
    const href = `/${steps.slice(0, i + 1).join('/')}/`
    const here = i === steps.length - 1
    return html`<a href=${href} aria-current=${here ? 'page' : undefined}>${step}</a>${here ? '' : html` <i>/</i> `}`
  })
}

function formats({ request }: PageView): Content {
  // A format suffix would win over the parameter.
  const path = request.path.replace(/\.[a-z0-9]+$/, '/')
  return html`<p class="formats">as <a href=${`${path}?${request.query.with('format', 'json')}`}>JSON</a></p>`
}

/** First, previous, next and last, as the Link header says. */
function pager(link: string | undefined): Content {
  if (!link) return undefined
  const urls = new Map(Array.from(link.matchAll(/<([^>]*)>; rel="(\w+)"/g), ([, url, rel]) => [rel, url]))
  const step = (rel: string, label: string) => {
    const url = urls.get(rel)
    return url ? html`<a rel=${rel} href=${url}>${label}</a>` : html`<span>${label}</span>`
  }
  return html`<nav class="pager" aria-label="Pages">
    ${step('first', 'First')}${step('prev', 'Previous')}${step('next', 'Next')}${step('last', 'Last')}
  </nav>`
}

/** JSON with every web address clickable. */
function linked(json: string): Content {
  const parts: Content[] = []
  let done = 0
  for (const match of json.matchAll(/"(https?:\/\/[^"\\\s]+)"/g)) {
    parts.push(json.slice(done, match.index), '"', html`<a href=${match[1]} rel="noopener">${match[1]}</a>`, '"')
    done = match.index + match[0].length
  }
  return [...parts, json.slice(done)]
}
