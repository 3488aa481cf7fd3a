/** What a search offers besides records: an area, a realm, an author, a source or a person of that name. */
import { counted } from '../../language/index.ts'
import { personAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import type { Kind, Kinds } from '../kinds/index.ts'
import { authorAddress, authorKey, creditOf } from '../texts/author.ts'
import { hasWholeWords, hasWord, highlighted } from './looked-for.ts'

/** As the API suggests it. */
export interface SuggestedValue {
  readonly member: string
  readonly value: string
  readonly count: number
  readonly collections: Readonly<Record<string, number>>
}

export interface Offer {
  /** "Area", "Author". */
  readonly label: string
  readonly text: string
  readonly count: number
  readonly href: string
  /** The lists of single kinds. */
  readonly lists: readonly { readonly text: string; readonly href: string }[]
}

/** Of each label. */
const MOST = 3
const LABELS: Readonly<Record<string, string>> = { area: 'Area', realm: 'Realm', src: 'Source', user: 'Person' }

/** Those that only begin like the search are offered if there are no better ones. */
export function offersOf(values: readonly SuggestedValue[], wanted: string, kinds: Kinds): Offer[] {
  const all = [...authorsOf(values, wanted), ...values.flatMap((value) => offerOf(value, wanted, kinds))]
  const whole = all.filter(({ text }) => hasWholeWords(text, wanted))
  const offers = whole.length > 0 ? whole : all
  const order = ['Person', 'Author', ...Object.values(LABELS)]
  const byLabel = Map.groupBy(offers, ({ label }) => label)
  return [...new Set(order)].flatMap((label) => (byLabel.get(label) ?? []).slice(0, MOST))
}

function offerOf({ member, value, count, collections }: SuggestedValue, wanted: string, kinds: Kinds): Offer[] {
  const label = LABELS[member]
  if (label === undefined || (member === 'src' && authorIn(value, wanted) !== undefined)) return []
  if (member === 'user') return [{ label, text: value, count, href: personAddress(value), lists: [] }]
  const counts = Object.entries(collections).flatMap(([name, number]): [Kind, number][] => {
    const kind = kinds.find(name)
    return kind?.isFound ? [[kind, number]] : []
  })
  const lists = counts
    .toSorted(([, a], [, b]) => b - a)
    .map(([{ name, one, many }, number]) => ({
      text: counted(number, one.toLowerCase(), many.toLowerCase()),
      href: `/${name}/?${new URLSearchParams({ [member]: value })}`,
    }))
  return lists[0] ? [{ label, text: value, count, href: lists[0].href, lists }] : []
}

/** One offer for all sources that name the same author: a play is a source of its own. */
function authorsOf(values: readonly SuggestedValue[], wanted: string): Offer[] {
  const named = values.flatMap(({ member, value, count }) => {
    const author = member === 'src' ? authorIn(value, wanted) : undefined
    return author === undefined ? [] : [{ author, count }]
  })
  const authors = Array.from(Map.groupBy(named, ({ author }) => authorKey(author)).values(), (all): Offer => {
    const text = all[0]?.author ?? ''
    const count = all.reduce((sum, each) => sum + each.count, 0)
    return { label: 'Author', text, count, href: authorAddress(text), lists: [] }
  })
  return authors.toSorted((a, b) => b.count - a.count)
}

/** Undefined if the search is not about the author, but about the work. */
function authorIn(src: string, wanted: string): string | undefined {
  const author = creditOf(src)?.author
  return author !== undefined && hasWord(author, wanted) ? author : undefined
}

export function showOffers(offers: readonly Offer[], wanted: string): Content {
  if (offers.length === 0) return undefined
  return html`<ul class="offers">
    ${offers.map((offer) => html`<li><span class="what">${offer.label}</span> <span>${shownOffer(offer, wanted)}</span></li>`)}
  </ul>`
}

function shownOffer({ text, count, href, lists }: Offer, wanted: string): Content {
  return html`<a class="value" href=${href}>${highlighted(text, wanted)}</a> <span class="soft">
    ${lists.length > 0 ? listLinks(lists) : counted(count, 'record')}</span>`
}

function listLinks(lists: Offer['lists']): Content {
  return lists.map(({ text, href }, i) => [i > 0 && ' · ', html`<a href=${href}>${text}</a>`])
}
