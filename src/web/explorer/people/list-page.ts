/** /people/: everybody who has points, most points first. */
import { counted } from '../../../language/index.ts'
import { personAddress } from '../../addresses.ts'
import { PLAY_STYLE } from '../../assets.ts'
import { failure } from '../../failure.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../../kinds/index.ts'
import { visitPage } from '../../visit-page.ts'
import { pager } from '../pager.ts'
import { levelList, type PersonView, pointsOf } from './standing.ts'

const PAGE_SIZE = 48

export const peoplePage: ExplorerPage = {
  path: '/people/',
  title: 'People',
  async GET(visit) {
    const page = Math.max(1, Math.floor(Number(visit.query.get('page') ?? 1)) || 1)
    const [{ status, json }, links] = await Promise.all([
      visit.ask(`/api/user/?page=${page}&page_size=${PAGE_SIZE}`),
      linksAbout(visit),
    ])
    if (status !== 200) return failure(visit, status, json)
    const people: readonly PersonView[] = json.results
    return {
      page: visitPage(visit, {
        title: 'People',
        part: 'people',
        styles: [PLAY_STYLE],
        main: html`<p class="kind">${counted(json.count, 'person', 'people')}</p>
          <h1>People</h1>
          <p class="does">The people who made all of this, most points first.</p>
          ${levelList(visit.kinds.levels)}
          <h2 class="unseen">Everybody</h2>
          <ol class="grid people" start=${(page - 1) * PAGE_SIZE + 1}>
            ${people.map((person) => html`<li>${personCard(visit, person)}</li>`)}
          </ol>
          ${pager(page, Math.ceil(json.count / PAGE_SIZE), (to) => `/people/?page=${to}`)} ${links}`,
      }),
    }
  },
}

function personCard({ kinds }: ExplorerVisit, person: PersonView): Content {
  const { user, points, level, entries } = person
  const made = kinds.all.flatMap(({ name, one, many }) => {
    const count = entries[name]
    return count === undefined ? [] : counted(count, one.toLowerCase(), many.toLowerCase())
  })
  return html`<article class="card">
    <h3><a class="open" href=${personAddress(user)}>${user}</a></h3>
    <p class="gist">${level.title !== '' && html`<b>${level.title}</b> · `}${counted(points, 'point')}</p>
    ${made.length > 0 && html`<p class="members">${made.join(', ')}</p>`} ${pointsOf(person)}
  </article>`
}

/** Links to other lists about people, if they have records. */
async function linksAbout(visit: ExplorerVisit): Promise<Content[]> {
  const links = visit.kinds.all.map(async ({ name, ofPeople }) => {
    if (!ofPeople) return undefined
    const { json } = await visit.ask(`/api/${name}/?page_size=1`)
    return json.count > 0 && html`<p class="more"><a href=${`/${name}/`}>${ofPeople.link}</a></p>`
  })
  return await Promise.all(links)
}
