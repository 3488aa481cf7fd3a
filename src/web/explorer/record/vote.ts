/** Liking, and taking it back: the form redirects to the record's page. */
import type { PageAnswer } from '../../../http/index.ts'
import { renderError } from '../../error.ts'
import type { ExplorerVisit } from '../../kinds/index.ts'

export async function vote(visit: ExplorerVisit, name: string): Promise<PageAnswer> {
  const id = encodeURIComponent(visit.places['id']!)
  const [way] = (await visit.form()).get('vote') ?? []
  const method = way === 'take back' ? 'DELETE' : 'POST'
  const { status, json } = await visit.ask(`/api/${name}/${id}/vote/`, { method })
  const back = `/${name}/${id}/`
  if (status === 200) return { location: `${back}#like`, message: { code: method === 'POST' ? 'liked' : 'unliked' } }
  // The session may have ended since the page was made.
  if (status === 401) return { location: `/accounts/login/?next=${encodeURIComponent(back)}` }
  const fault = { status, json, here: back, user: visit.visitor?.name, back: status === 404 ? undefined : back }
  return { status, page: renderError(fault, visit.kinds) }
}
