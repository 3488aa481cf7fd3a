/** The parts that every page has around its content. */
import { FONT, ICON, INNER_STYLE, SCRIPT, SESSION_SCRIPT, STYLE } from './assets.ts'
import { canonicalOf, isState } from './crawlers.ts'
import { type Content, document, html } from './html.ts'
import type { Kinds } from './kinds/index.ts'
import { label } from './label.ts'
import type { Shared } from './share/shared.ts'
import { shareTags } from './share/tags.ts'

export interface Layout {
  /** The kinds of the catalogue, for the navigation. */
  readonly kinds: Kinds
  readonly title: string
  readonly user: string | undefined
  /** For the button that signs out. A page that others may get too has none, and only links to the account. */
  readonly csrf: string | undefined
  /** The page to return to after signing in. */
  readonly here?: string | undefined
  /** Scheme and host, for the canonical address of the page. */
  readonly base?: string | undefined
  /** It is an error page, to which nobody would return. */
  readonly isFault?: boolean
  /** The part of the site it belongs to. */
  readonly part?: string | undefined
  readonly trail?: Content
  /** The search text, to fill the search box again. */
  readonly search?: string | undefined
  readonly main: Content
  /** Addresses of style sheets in addition to the site's own. */
  readonly styles?: readonly string[]
  /** Addresses of scripts that improve the page. */
  readonly scripts?: readonly string[]
  readonly description?: string | undefined
  /** The address of an Atom feed of what the page shows. */
  readonly feed?: string
  /** What other sites show of it; by default, a picture of the site. */
  readonly shared?: Shared | undefined
  /** The front page has its own search box, and loads only the styles that it needs. */
  readonly isFront?: boolean
}

export function layout(page: Layout): string {
  const { title, trail, main, part, kinds, scripts = [], styles = [] } = page
  const sheets = [STYLE, ...(page.isFront ? [] : [INNER_STYLE]), ...styles]
  return document(html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${title === 'Nymdex' ? title : `${title} · Nymdex`}</title>
      ${forCrawlers(page)} ${page.description && html`<meta name="description" content=${page.description} />`}
      ${shareTags(page)}
      <link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href=${FONT} />
      ${sheets.map((address) => html`<link rel="stylesheet" href=${address} />`)}
      <link rel="icon" href=${ICON} />
      ${page.feed && html`<link rel="alternate" type="application/atom+xml" title=${title} href=${page.feed} />`}
      ${[SCRIPT, ...(page.user ? [SESSION_SCRIPT] : []), ...scripts].map((address) => html`<script type="module" src=${address}></script>`)}
    </head>
    <body>
      <a class="skip" href="#main">Skip to the content</a>
      <header class="top">
        <a class="brand" href="/">nym<b>dex</b></a>
        <nav class="parts" aria-label="Parts of the site">
          ${kinds.parts.map(
            ({ name, href, title: text }) =>
              html`<a href=${href} aria-current=${name === part ? 'page' : undefined}>${text}</a>`,
          )}
        </nav>
        ${!page.isFront && searchBox(page)} ${account(page)}
      </header>
      ${trail && html`<nav class="trail" aria-label="Breadcrumbs">${trail}</nav>`}
      <p id="message" class="message" role="status"></p>
      <main id="main" tabindex="-1">${main}</main>
      <footer class="foot">
        <a href="/explore/">Explore</a>
        <a href="/learn/">Learn</a>
        <a href="/help/">Help</a>
        <a href="/random/">Random page</a>
        <a href="/people/">People</a>
        <a href="/changes/">Recent changes</a>
        ${kinds.all.map(({ name, footer }) => footer && html`<a href=${`/${name}/`}>${footer}</a>`)}
        <a href="/api/">API</a>
        <a href="/api/docs/">API reference</a>
        ${kinds.find('quadranym') && legend()}
      </footer>
    </body>
  </html>`)
}

function forCrawlers({ here: known, base = '', isFront, isFault }: Layout): Content {
  const here = isFront ? '/' : known
  if (here === undefined || isFault) return undefined
  return html`<link rel="canonical" href=${base + canonicalOf(here)} />
    ${isState(here) && html`<meta name="robots" content="nofollow" />`}`
}

function searchBox({ search }: Layout): Content {
  return html`<form class="find" action="/find/" role="search" aria-label="Site">
    <input type="search" name="q" value=${search} placeholder="Find a word, a set, a saying" aria-label="Find" autocomplete="off" />
  </form>`
}

/** Who is signed in, and the way out in one press. */
function account({ user, here, csrf }: Layout): Content {
  if (user === undefined) {
    const next = here ? `?next=${encodeURIComponent(here)}` : ''
    return html`<a class="account" href=${`/accounts/login/${next}`}>Sign in</a>`
  }
  return html`<div class="account">
    <a href="/accounts/" title="Your account">${user}</a>
    ${
      csrf &&
      html`<form method="post" action="/accounts/logout/">
        <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
        ${here && html`<input type="hidden" name="next" value=${here} />`}
        <button type="submit">Sign out</button>
      </form>`
    }
  </div>`
}

const COLOURS = { e: 'expansive', r: 'reductive', o: 'objective', s: 'subjective', n: 'topic' }

/** What the colours mean, on every page. */
function legend(): Content {
  return html`<ul class="legend" aria-label="What the colours mean">
    ${Object.entries(COLOURS).map(([slot, means]) => html`<li><i class=${slot}></i>${label(means)}</li>`)}
  </ul>`
}
