/** Pages of wanted topics and of winners. */
import type { Visit } from '../../../http/index.ts'
import { counted } from '../../../language/index.ts'
import { personAddress, wordAddress } from '../../addresses.ts'
import { html } from '../../html.ts'
import type { Shown } from '../../kinds/index.ts'
import type { Body } from './index.ts'
import { tile } from './words.ts'

export async function queueBody(visit: Visit, { name }: Shown): Promise<Body> {
  const { json } = await visit.ask(`/api/quadranym/?name=${encodeURIComponent(name)}&page_size=6`)
  const made: readonly Shown[] = json.results ?? []
  return {
    beside:
      made.length > 0
        ? html`<p class="does">The wish came true.</p>
          <ul class="grid">${made.map((each) => html`<li>${tile(each)}</li>`)}</ul>`
        : html`<p class="does">Somebody would like to see a quadranym of this name.</p>
          <p class="chips">
            <a class="btn go" href=${`/make/quadranym/?name=${encodeURIComponent(name)}`}>Make it</a>
            <a class="btn" href=${wordAddress(name)}>Where the word stands</a>
          </p>`,
  }
}

const BEST = 10

export async function winnerBody(visit: Visit, record: Shown): Promise<Body> {
  const { app, score, round } = record
  const { json } = await visit.ask(`/api/winner/?app=${encodeURIComponent(app)}&page_size=${BEST}`)
  return {
    beside: html`<p class="does">${counted(score, 'point')} in round ${round}.</p>
      <h2>The best at ${app}</h2>
      <div class="wide">
        <table class="scores">
          <thead><tr><th scope="col">Player</th><th scope="col" class="number">Score</th><th scope="col" class="number">Round</th></tr></thead>
          <tbody>
            ${json.results.map(
              (each: Shown) =>
                html`<tr aria-current=${each['winner_id'] === record['winner_id'] ? 'true' : undefined}>
                  <td><a href=${personAddress(each['user'])}>${each['by'] || each['user']}</a></td>
                  <td class="number">${each['score'].toLocaleString('en')}</td><td class="number">${each['round']}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`,
  }
}
