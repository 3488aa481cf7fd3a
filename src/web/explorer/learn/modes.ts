/** Polynyms by their mode, each with an example. */
import { type Content, html } from '../../html.ts'
import { drawPolynym, inPage } from '../../pictures/index.ts'

const MODES = [
  {
    mode: 'part',
    title: 'Parts of a whole',
    says: 'Drawn as a ring: together they make the thing.',
    example: { name: 'Earth', p1: 'inner core', p2: 'outer core', p3: 'mantle', p4: 'crust' },
  },
  {
    mode: 'type',
    title: 'Types of a thing',
    says: 'Drawn as a tree: each of them is one.',
    example: { name: 'Gaits of the horse', p1: 'walk', p2: 'trot', p3: 'canter', p4: 'gallop' },
  },
  {
    mode: 'step',
    title: 'Steps of a process',
    says: 'Drawn as stairs: one comes after the other.',
    example: { name: 'Day', p1: 'morning', p2: 'noon', p3: 'evening', p4: 'night' },
  },
] as const

export function modes(): Content {
  return html`<section aria-labelledby="modes-title">
    <h2 id="modes-title">Not only four: polynyms</h2>
    <p class="does">A polynym is a set of two to twelve words. Its mode says what the words are.</p>
    <ul class="grid modes">
      ${MODES.map(
        ({ mode, title, says, example }) => html`<li>
          <article class="card">
            <h3>${title}</h3>
            <p>${says}</p>
            <figure>${inPage(drawPolynym({ ...example, mode }))}</figure>
            <p class="more"><a href=${`/polynym/?mode=${mode}`}>All polynyms of ${mode}s</a></p>
          </article>
        </li>`,
      )}
    </ul>
  </section>`
}
