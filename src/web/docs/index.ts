/** Pages about the OpenAPI document. The part that does not depend on the visitor is cached for each version. */
import type { DocsView } from '../../http/index.ts'
import { API_STYLE, BROWSE_SCRIPT, DOCS_SCRIPT } from '../assets.ts'
import { type Html, html, render } from '../html.ts'
import type { Kinds } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import type { Document } from './document.ts'
import { groupsPart } from './group.ts'
import { overviewPart } from './overview.ts'
import { schemaPart } from './schema.ts'

/** The cached parts, by version and page. */
const kept = new WeakMap<object, Map<string, string>>()
/** Clients may ask for any combination of groups, so the cache is bounded. */
const MOST_KEPT = 100

const SLASH = html` <i aria-hidden="true">/</i> `

/** A page with more groups would be as large as the document, so it shows an overview. */
const MOST_IN_FULL = 2

export function renderDocs(view: DocsView, kinds: Kinds): string {
  const { document, page, user } = view
  // The page of /api/schema/ always lists the whole document.
  const groups = page === 'docs' ? view.groups : undefined
  const mains = kept.get(document) ?? new Map<string, string>()
  kept.set(document, mains)
  const key = `${page} ${groups?.join() ?? ''}`
  const main = mains.get(key) ?? render(html`<div class="docs">${mainPart(view)}</div>`)
  if (mains.size < MOST_KEPT) mains.set(key, main)
  const path = `/api/${page}/`
  const query = groups ? `?${groups.map((name) => `collection=${encodeURIComponent(name)}`).join('&')}` : ''
  return layout({
    kinds,
    csrf: undefined,
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
