/** The sets of a board as bars. Each has a colour, a shape and a word for its difficulty, so no colour is needed. */
import { wordAddress } from '../../../addresses.ts'
import { type Content, html } from '../../../html.ts'

export interface GroupView {
  readonly id: number
  readonly name: string
  readonly mode: string
  readonly terms: readonly string[]
  /** 1 is the easiest. */
  readonly rank: number
}

const SHAPES = ['●', '▲', '■', '◆']
const RANKS = ['easiest', 'second', 'third', 'hardest']

interface BarOptions {
  /** The pages of the sets that still exist, by id. */
  readonly pages?: ReadonlyMap<number, string>
  /** Whether terms lead to the pages of words. */
  readonly isOver?: boolean
  /** The ids of the sets that the player has not found. */
  readonly missed?: ReadonlySet<number>
}

export function bars(groups: readonly GroupView[], { pages, isOver, missed }: BarOptions = {}): Content {
  if (groups.length === 0) return undefined
  return html`<ul class="bars">
    ${groups.map(({ id, name, terms, rank }) => {
      const page = pages?.get(id)
      return html`<li class=${`bar rank${rank}`}>
        <span class="shape" aria-hidden="true">${SHAPES[rank - 1]}</span>
        <p class="name"><b>${page ? html`<a href=${page}>${name}</a>` : name}</b>${missed?.has(id) && html` <small>not found</small>`}</p>
        <p>${terms.map((term, i) => html`${i > 0 && ', '}${isOver ? html`<a href=${wordAddress(term)}>${term}</a>` : term}`)}</p>
        <span class="unseen">${RANKS[rank - 1]} set</span>
      </li>`
    })}
  </ul>`
}

const MOST_DIFFICULT = 5

/** Difficulty as five dots, and as a number. */
export function difficultyOf(level: number): Content {
  const dots = '●'.repeat(level) + '○'.repeat(Math.max(0, MOST_DIFFICULT - level))
  return html`<span class="difficulty">Difficulty <span aria-hidden="true">${dots}</span><span class="unseen">${level} of ${MOST_DIFFICULT}</span></span>`
}

/** "Tuesday, 17 November 2026" */
export function dateSaid(date: string): string {
  const options = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(date))
}
