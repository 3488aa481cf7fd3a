/** Some pairs of sets that cross, others each day, for a visitor who has chosen none. */
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Shown } from '../../kinds/index.ts'
import { shortened } from '../../texts/marked.ts'
import { today } from '../../today.ts'
import { BRIEFLY } from '../facets.ts'
import { compareAddress } from './compare-state.ts'

const TRIED = 12
const SHOWN = 6

export async function somePairs(visit: ExplorerVisit): Promise<Content> {
  const kind = visit.kinds.all.findLast(({ hasTerms }) => hasTerms)
  if (!kind) return undefined
  const { name } = kind
  const day = visit.byClock(today).toISOString().slice(0, 10)
  const { json } = await visit.ask(`/api/${name}/random/?n=${TRIED}&seed=compare%20${day}`, BRIEFLY)
  const records: readonly Shown[] = json?.results ?? []
  const asked = records.map((record) =>
    visit.ask(`/api/crossings/?${name}=${record[`${name}_id`]}&page_size=1`, BRIEFLY),
  )
  const pairs = (await Promise.all(asked)).flatMap(({ status, json: crossings }, i) => {
    const [other] = status === 200 ? crossings.results : []
    const record = records[i]
    return other && record ? [{ record, other }] : []
  })
  if (pairs.length === 0) return undefined
  return html`<h2>Some that cross</h2>
    <ul class="grid">
      ${pairs.slice(0, SHOWN).map(({ record, other }) => {
        const { resource, shared } = other
        const sets = [`${name}:${record[`${name}_id`]}`, `${resource}:${other.record[`${resource}_id`]}`]
        return html`<li><a class="card" href=${compareAddress({ sets })}>
          <h3>${shortened(kind.nameOf(record), 40)} <span class="soft">and</span> ${shortened(visit.kinds.get(resource).nameOf(other.record), 40)}</h3>
          <p>${shared.join(', ')}</p>
        </a></li>`
      })}
    </ul>`
}
