/** Who made a record, also where the record does not say it. */
import type { Visit } from '../http/index.ts'
import { personAddress } from './addresses.ts'
import { type Content, html } from './html.ts'
import type { Kind, Shown } from './kinds/kind.ts'

/** Records that do not show their owner are counted by it: the only value is the owner of the only record. */
export async function makerOf(visit: Visit, kind: Kind, record: Shown): Promise<string | undefined> {
  const { name, owner } = kind
  const shown: string | undefined = record[owner ?? kind.ofPeople?.by ?? '']
  if (owner === undefined || shown !== undefined) return shown
  const { json } = await visit.ask(`/api/${name}/facets/?by=${owner}&id=${record[`${name}_id`]}`, { isOptional: true })
  return json?.facets?.[owner]?.[0]?.value
}

export function byMaker(maker: string | undefined): Content {
  return maker && html`<span>by <a href=${personAddress(maker)}>${maker}</a></span>`
}
