/**
 * Pictures that are as wide as their place: what is across is given in percent, what is down in pixels. So texts keep
 * their size on a phone.
 */
import { type Content, html } from '../html.ts'
import { near } from '../pictures/index.ts'
import type { Mark } from './shown-chart.ts'

export function fluid(height: number, label: string, content: Content): Content {
  return html`<svg class="fluid" width="100%" height=${height} role="group" aria-label=${label}>${content}</svg>`
}

export function percent(share: number): string {
  return `${near(share * 100)}%`
}

/** Something drawn, without a text, that leads to what it counts. What counts nothing leads nowhere. */
export function marked({ count, says, href }: Mark, drawn: Content): Content {
  if (count === 0 || href === undefined) return drawn
  return html`<a href=${href}><title>${says}</title>${drawn}</a>`
}

/** The same with a text, which is the beginning of what it says. */
export function labelled({ count, says, href }: Mark, drawn: Content): Content {
  if (count === 0 || href === undefined) return drawn
  return html`<a href=${href} aria-label=${says}>${drawn}</a>`
}

/** A label that is cut if it is too long for its place; the table has all of it. */
export function cut(label: string, most: number): string {
  const letters = [...label]
  return letters.length > most
    ? `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : label
}

export function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), 1)
}
