import { personAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import type { KindFile, Shown } from './kind.ts'

export const winner: KindFile = {
  name: 'winner',
  does: 'The best scores of those who play with these words.',
  part: 'people',
  owner: undefined,
  isMain: false,
  isFound: false,
  isByChance: false,
  facets: { app: 'Game', user: 'Player' },
  gistOf: () => '',
  table: scores,
  order: 'By game',
  nameOf: ({ by, user, app }) => `${by || user}, ${app}`,
}

function scores(records: readonly Shown[]): Content {
  return html`<div class="wide">
    <table class="scores">
      <thead>
        <tr><th scope="col">Game</th><th scope="col">Player</th><th scope="col" class="number">Score</th><th scope="col" class="number">Round</th></tr>
      </thead>
      <tbody>
        ${records.map(
          ({ app, by, user, score, round }) =>
            html`<tr>
              <td>${app}</td><td><a href=${personAddress(user)}>${by || user}</a></td>
              <td class="number">${score.toLocaleString('en')}</td><td class="number">${round}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
