/** Tags in the head of a page that tell other sites how to show a link to it: Open Graph, Twitter, oEmbed, schema.org. */
import { canonicalOf, isState } from '../crawlers.ts'
import { type Content, html } from '../html.ts'
import type { Layout } from '../layout.ts'
import { PREVIEW_HEIGHT, PREVIEW_WIDTH } from '../previews/card.ts'

const ABOUT = 'Sets of words, and the texts they colour.'

export function shareTags(page: Layout): Content {
  const { title, base, isFront, isFault, shared } = page
  const here = isFront ? '/' : page.here
  if (base === undefined || here === undefined || isFault) return undefined
  const address = base + (shared && isState(here) ? shared.address : canonicalOf(here))
  const tags = {
    'og:site_name': 'Nymdex',
    'og:type': shared ? 'article' : 'website',
    'og:title': title,
    'og:description': page.description ?? shared?.alt ?? ABOUT,
    'og:url': address,
    'og:image': base + (shared?.picture ?? '/preview.png'),
    'og:image:type': 'image/png',
    'og:image:width': String(PREVIEW_WIDTH),
    'og:image:height': String(PREVIEW_HEIGHT),
    'og:image:alt': shared?.alt ?? ABOUT,
  }
  return html`${Object.entries(tags).map(([name, content]) => html`<meta property=${name} content=${content} />`)}
    <meta name="twitter:card" content="summary_large_image" />
    ${shared?.isEmbeddable && discovery(base, base + shared.address, title)} ${shared?.data && dataBlock(shared.data)}`
}

function discovery(base: string, address: string, title: string): Content {
  return ['json', 'xml'].map((format) => {
    const type = format === 'json' ? 'application/json+oembed' : 'text/xml+oembed'
    const href = `${base}/oembed?url=${encodeURIComponent(address)}&format=${format}`
    return html`<link rel="alternate" type=${type} href=${href} title=${title} />`
  })
}

/** A block of data, which browsers do not run. Its text must not be able to end the element. */
function dataBlock(data: object): Content {
  const text = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html`<script type="application/ld+json" dangerouslySetInnerHTML=${{ __html: text }}></script>`
}
