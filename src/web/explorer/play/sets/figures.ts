/** The personal figures of a player: numbers, and how many mistakes the rounds took. */
import { type Content, html } from '../../../html.ts'

export interface FiguresView {
  readonly played: number
  readonly streak: number
  readonly best: number
  /** Rounds that were won with no mistake, with one, and so on. */
  readonly won: readonly number[]
}

export function figuresShown({ played, streak, best, won }: FiguresView): Content {
  const all = won.reduce((sum, times) => sum + times, 0)
  const rows: readonly (readonly [string, number])[] = [
    ...won.map((times, i): [string, number] => [
      i === 0 ? 'No mistake' : i === 1 ? '1 mistake' : `${i} mistakes`,
      times,
    ]),
    ['Not solved', played - all],
  ]
  const most = Math.max(1, ...rows.map(([, times]) => times))
  const facts: readonly (readonly [string, string])[] = [
    ['Played', String(played)],
    ['Solved', played === 0 ? '–' : `${Math.round((100 * all) / played)}\u00a0%`],
    ['Streak', String(streak)],
    ['Longest', String(best)],
  ]
  return html`<section class="figures">
    <h2>Your figures</h2>
    <dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <table class="mistakes">
      <caption class="unseen">Rounds by mistakes</caption>
      <tbody>
        ${rows.map(
          ([name, times]) =>
            html`<tr><th scope="row">${name}</th><td><meter min="0" max=${most} value=${times} aria-hidden="true"></meter> ${times}</td></tr>`,
        )}
      </tbody>
    </table>
  </section>`
}
