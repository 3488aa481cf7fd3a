/** Recent changes as an Atom feed (RFC 4287). */
import type { PageAnswer } from '../../http/index.ts'
import { listAddress } from '../addresses.ts'
import { renderError } from '../error.ts'
import type { ChangeSet } from '../history/deeds.ts'
import { namesIn, plainSet } from '../history/set-block.ts'
import { exactTime } from '../history/when.ts'
import type { ExplorerPage, ExplorerVisit } from '../kinds/index.ts'
import { escapedXml } from '../share/xml.ts'
import { filtersIn } from './changes.ts'

const MOST = 50
/** For a feed without entries: its readers need a time. */
const NEVER = '1970-01-01T00:00:00.000Z'

export const atomPage: ExplorerPage = {
  path: '/changes.atom',
  title: 'Recent changes',
  async GET(visit): Promise<PageAnswer> {
    const { status, json } = await visit.ask(`/api/changes/recent/?${filtersIn(visit, MOST)}`)
    if (status !== 200)
      return { status, page: renderError({ status, json, here: visit.path, user: visit.visitor?.name }, visit.kinds) }
    const sets: readonly ChangeSet[] = json.results
    const updated = sets[0]?.changes[0]?.at ?? NEVER
    return {
      bytes: await feed(visit, sets, updated),
      type: 'application/atom+xml; charset=utf-8',
      hasEtag: true,
      headers: { 'Cache-Control': 'no-cache', 'Last-Modified': new Date(updated).toUTCString() },
    }
  },
}

async function feed(visit: ExplorerVisit, sets: readonly ChangeSet[], updated: string): Promise<string> {
  const { base, query } = visit
  const names = await namesIn(visit, sets)
  const [self, page] = ['/changes.atom', '/changes/'].map((path) => escapedXml(base + listAddress(path, query, {})))
  const user = query.get('user')
  const entries = sets.map((set) => {
    const { at, user: author } = set.changes[0] ?? { at: updated, user: null }
    const address = escapedXml(`${base}/changes/set/${set.set}/`)
    const said = escapedXml(plainSet(visit, set, names))
    return `  <entry>
    <id>${address}</id>
    <title>${said}</title>
    <updated>${at}</updated>
    <author><name>${escapedXml(author ?? 'Nymdex')}</name></author>
    <link rel="alternate" type="text/html" href="${address}"/>
    <summary>${said}, ${exactTime(at)}.</summary>
  </entry>
`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${self}</id>
  <title>${escapedXml(user ? `Changes by ${user} · Nymdex` : 'Recent changes · Nymdex')}</title>
  <updated>${updated}</updated>
  <author><name>Nymdex</name></author>
  <link rel="self" type="application/atom+xml" href="${self}"/>
  <link rel="alternate" type="text/html" href="${page}"/>
${entries.join('')}</feed>
`
}
