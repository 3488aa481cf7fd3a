/** Pages about the OpenAPI document. What does not depend on the visitor is made once for each version of it. */
import type { DocsView } from '../../http/index.ts'
import { API_STYLE, BROWSE_SCRIPT, DOCS_SCRIPT } from '../assets.ts'
import { type Html, html, render } from '../html.ts'
import { layout } from '../layout.ts'
import type { Document } from './document.ts'
import { groupsPart } from './group.ts'
import { overviewPart } from './overview.ts'
import { schemaPart } from './schema.ts'

/** By version and page. */
const kept = new WeakMap<object, Map<string, string>>()
/** Any groups may be asked for together. */
const MOST_KEPT = 100

const SLASH = html` <i aria-hidden="true">/</i> `

/** More than so many would make a page as heavy as the document: they get an overview. */
const MOST_IN_FULL = 4

export function renderDocs(view: DocsView): string {
  const { document, page, user } = view
  // The page about the document is about all of it.
  const groups = page === 'docs' ? view.groups : undefined
  const mains = kept.get(document) ?? new Map<string, string>()
  kept.set(document, mains)
  const key = `${page} ${groups?.join() ?? ''}`
  const main = mains.get(key) ?? render(html`<div class="docs">${mainPart(view)}</div>`)
  if (mains.size < MOST_KEPT) mains.set(key, main)
  const path = `/api/${page}/`
  const query = groups ? `?${groups.map((name) => `collection=${encodeURIComponent(name)}`).join('&')}` : ''
  return layout({
    title: groups ? `${groups.join(', ')} · API` : page === 'schema' ? 'OpenAPI document' : 'API',
    user,
    here: `${path}${query}`,
    trail: [
      html`<a href="/api/">api</a>${SLASH}`,
      html`<a href=${path} aria-current=${groups ? undefined : 'page'}>${page}</a>`,
      groups && html`${SLASH}<a href=${`${path}${query}`} aria-current="page">${groups.join(', ')}</a>`,
    ],
    styles: [API_STYLE],
    scripts: [BROWSE_SCRIPT, DOCS_SCRIPT],
    main: html`<div dangerouslySetInnerHTML=${{ __html: main }} />`,
  })
}

function mainPart({ document, part, page, groups }: DocsView): Html {
  if (page === 'schema') return schemaPart(document as unknown as Document)
  const wanted = part as unknown as Document
  return groups && groups.length <= MOST_IN_FULL ? groupsPart(wanted, groups) : overviewPart(wanted)
}
