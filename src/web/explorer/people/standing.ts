/** What a person has achieved: points and level, badges, and statistics of the games. */
import type { Level, PlayedGame } from '../../../declare/index.ts'
import { counted } from '../../../language/index.ts'
import { type Content, html } from '../../html.ts'

/** A level or a badge. */
type Honour = Pick<Level, 'title' | 'does'>

/** A person as the API shows one. */
export interface PersonView {
  readonly user: string
  readonly points: number
  readonly votes: number
  readonly made: number
  readonly best: number
  readonly entries: Readonly<Record<string, number>>
  readonly liked: Readonly<Record<string, number>>
  readonly level: Honour
  readonly next: number | null
  readonly badges?: readonly Honour[]
  readonly games?: readonly PlayedGame[]
}

const number = (value: number) => value.toLocaleString('en')

/** What the points are made of. */
export function pointsOf({ made, votes, best }: PersonView): Content {
  return html`<p class="meta">
    <span>${counted(made, 'entry', 'entries')}</span><span>${counted(votes, 'like')} given</span>
    ${best > 0 && html`<span>${number(best)} in games</span>`}
  </p>`
}

export function standing(person: PersonView): Content {
  const { points, level, next, badges = [] } = person
  return html`<section class="standing" aria-label="Points, level and badges">
    ${level.title !== '' && html`<p class="level"><b>${level.title}</b> <span class="soft">${level.does}</span></p>`}
    <p class="points">
      <b>${counted(points, 'point')}</b>
      ${next !== null && html`<span class="soft">${number(next - points)} to the next level</span>`}
    </p>
    ${next !== null && html`<progress max=${next} value=${points} aria-label=${`${points} of ${next} points`}></progress>`}
    ${pointsOf(person)}
    ${
      badges.length > 0 &&
      html`<ul class="badges" aria-label="Badges">
        ${badges.map(({ title, does }) => html`<li><b>${title}</b> <span class="soft">${does}</span></li>`)}
      </ul>`
    }
  </section>`
}

const COLUMNS = ['Rounds', 'Hits', 'Near', 'Points a round', 'Best score']

/** The statistics of each game, under a heading. */
export function gameTable(title: string, played: readonly PlayedGame[]): Content {
  if (played.length === 0) return undefined
  return html`<section id="games">
    <h2>${title}</h2>
    <div class="wide" tabindex="0" role="region" aria-label=${title}>
      <table class="scores">
        <thead>
          <tr><th scope="col">Game</th>${COLUMNS.map((each) => html`<th scope="col" class="number">${each}</th>`)}</tr>
        </thead>
        <tbody>
          ${played.map(({ game, title, rounds, hits, near, points, best }) => {
            const mean = rounds === 0 ? '–' : (points / rounds).toFixed(1)
            const cells = rounds === 0 ? ['–', '–', '–'] : [rounds, hits, near].map(number)
            return html`<tr>
              <th scope="row">${game === title ? title : html`<a href=${`/play/${game}/`}>${title}</a>`}</th>
              ${[...cells, mean, number(best)].map((each) => html`<td class="number">${each}</td>`)}
            </tr>`
          })}
        </tbody>
      </table>
    </div>
  </section>`
}

/** All levels, with the points that they begin with. */
export function levelList(levels: readonly Level[]): Content {
  if (levels.length === 0) return undefined
  return html`<details class="levels">
    <summary>Points and levels</summary>
    <p>You get a point for each entry that you make and each like that you give, and the points of your best score in each game.</p>
    <dl>
      ${levels.map(
        ({ title, does, from }) =>
          html`<div><dt>${title} <span class="soft">${from === 0 ? 'at first' : `from ${number(from)} points`}</span></dt><dd>${does}</dd></div>`,
      )}
    </dl>
  </details>`
}
