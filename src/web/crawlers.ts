/**
 * Rules for crawlers. They may read lists and records. Filters, orders and turns of a text have endless combinations,
 * so robots.txt and the links themselves keep crawlers out, and every page names the plain address that it is a state
 * of.
 */

/** Parts of the site that are only for people. */
const FOR_PEOPLE = [
  '/accounts/',
  '/annotate/',
  '/changes',
  '/find/',
  '/turn/',
  '/make/',
  '/random/',
  '/hidden/',
  '/report/',
  '/reports/',
]

/** Sites that fetch a page because somebody has posted a link to it: they may see turned texts and filtered lists. */
const LINK_READERS = [
  'facebookexternalhit',
  'Twitterbot',
  'LinkedInBot',
  'Slackbot-LinkExpanding',
  'Discordbot',
  'TelegramBot',
  'WhatsApp',
  'Pinterestbot',
]

/** If several rules match, the longest counts (RFC 9309). A crawler follows the group that names it, or the first. */
export const robotsFor = (base: string) => `User-agent: *
${FOR_PEOPLE.map((path) => `Disallow: ${path}`).join('\n')}
Disallow: /*/delete/
Disallow: /*/history/
Disallow: /*/random/
Disallow: /*?
Allow: /*?page=
Disallow: /*?page=*&
Allow: /*.png?quadranym=
Allow: /static/
Allow: /oembed?

${LINK_READERS.map((name) => `User-agent: ${name}`).join('\n')}
Disallow: /accounts/
Disallow: /make/

Sitemap: ${base}/sitemap.xml
`

/** Attributes of a link, with rel="nofollow" where it leads to a state of a page, or to what is not for crawlers. */
export function markedLink(attributes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { rel = '', ...others } = attributes
  const href = String(attributes['href'] ?? '')
  const isForCrawlers =
    !isState(href) && !FOR_PEOPLE.some((path) => href.startsWith(path)) && !href.endsWith('/history/')
  if (isForCrawlers || /\bnofollow\b/.test(String(rel))) return attributes
  return { rel: `${rel} nofollow`.trim(), ...others }
}

/** The plain address of a page: its query keeps only the page number. */
export function canonicalOf(address: string): string {
  const { path, query } = split(address)
  const page = new URLSearchParams(query).get('page') ?? ''
  return /^[0-9]+$/.test(page) && Number(page) > 1 ? `${path}?page=${Number(page)}` : path
}

/** Whether the query says more than a page number. */
export function isState(address: string): boolean {
  const { query } = split(address)
  return query !== '' && !/^page=[0-9]+$/.test(query)
}

function split(address: string): { readonly path: string; readonly query: string } {
  const [path = '', query = ''] = address.replace(/#.*$/s, '').split(/\?(.*)/s)
  return { path, query }
}
