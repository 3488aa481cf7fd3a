/** The page of a record says who changed it last, and when. */
import { type Content, html } from '../html.ts'
import type { ExplorerVisit } from '../kinds/index.ts'
import { type ChangeSet, personLink, verbOf } from './deeds.ts'
import { type Entry, historyAddress } from './record-names.ts'
import { when } from './when.ts'

/**
 * "changed 3 minutes ago by ada · history"; nothing for a record that is older than the log. Likes are not changes. The page
 * names the maker already.
 */
export async function lastChange(
  visit: ExplorerVisit,
  { resource, id }: Entry,
  maker?: Promise<string | undefined>,
): Promise<Content> {
  const { json } = await visit.ask(`/api/changes/recent/?resource=${resource}&id=${id}&votes=false&limit=1`, {
    isOptional: true,
  })
  const sets: readonly ChangeSet[] = json.results ?? []
  const change = sets[0]?.changes.at(-1)
  if (!change) return undefined
  const { action, at, user } = change
  const isNamed = user !== null && user !== (await maker)
  return html`<span class="changed">
    ${verbOf(action)} ${when(at, visit)}${isNamed && html` by ${personLink(user)}`} · <a href=${historyAddress({ resource, id })}>history</a>
  </span>`
}
