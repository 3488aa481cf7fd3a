/** /explore/: what there is to do here. */
import { COMPARE_STYLE } from '../assets.ts'
import { html } from '../html.ts'
import type { ExplorerPage } from '../kinds/index.ts'
import { visitPage } from '../visit-page.ts'
import { activitiesFor } from './activities.ts'

const DOES = 'Ways to look at the words, to compare them, and to tell something with them.'

export const explorePage: ExplorerPage = {
  path: '/explore/',
  title: 'Explore',
  GET: (visit) => ({
    page: visitPage(visit, {
      title: 'Explore',
      description: DOES,
      styles: [COMPARE_STYLE],
      main: html`<h1>Explore</h1>
        <p class="does">${DOES}</p>
        ${activitiesFor(visit.kinds).map(
          ({ title, activities }) => html`<section>
            <h2>${title}</h2>
            <ul class="grid activities">
              ${activities.map(
                ({ href, title: name, does, picture }) =>
                  html`<li>
                    <div class="card">
                      <svg viewBox="0 0 56 36" aria-hidden="true">${picture}</svg>
                      <h3><a class="open" rel=${href === '/random/' && 'nofollow'} href=${href}>${name}</a></h3>
                      <p>${does}</p>
                    </div>
                  </li>`,
              )}
            </ul>
          </section>`,
        )}`,
    }),
  }),
}
