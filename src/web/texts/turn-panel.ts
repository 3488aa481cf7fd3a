/**
 * Turning, on the page of a text: the same text told with other quadranyms. Every choice is a plain link or form, which
 * turn.js follows without leaving the page.
 */
import type { Visit } from '../../http/index.ts'
import { type Content, html } from '../html.ts'
import type { Shown } from '../kinds/kind.ts'
import { attributionOf } from './attribution.ts'
import type { Topic, Topics } from './tokens.ts'
import { addressOf, type Choice, nextAddress, parametersOf, shuffledAddress, turnText, VIEWS } from './turning.ts'

export interface TurnPanel {
  /** The text, as it is told now. */
  readonly text: string
  /** Whether its words are not those of the record. */
  readonly isTurned: boolean
  /** Who it is from. */
  readonly attribution: string | undefined
  /** The text with its tokens marked. */
  readonly told: Content
  /** Told, template, blanks. */
  readonly views: Content
  /** The choice of other quadranyms; nothing for a text without tokens. */
  readonly panel: Content
  readonly topics: Topics
  /** The text in the view that the page has: with tokens, or with gaps. */
  readonly shown: string
  /** The choice and the view as parameters of the page, its link and its picture. */
  readonly asked: string
  /** The choice as parameters of the API, each with an ampersand behind it. */
  readonly spun: string
}

/** How many quadranyms are offered for a topic, and how many a search shows. */
const OFFERED = 6
const FOUND = 12
const SHORT = 120

/** For a fortune, quote, phrase or fable: its text as the address asks for it, and the choice of others. */
export async function turnPanel(visit: Visit, kind: string, record: Shown): Promise<TurnPanel> {
  const turned = await turnText(visit, kind, record)
  if (!turned) return untold(record)
  const { text, marked, isTurned, attribution, choice, offers, senses } = turned
  const { view, chosen } = choice
  const matches = await findMatches(visit)
  return {
    text,
    isTurned,
    attribution,
    topics: chosen,
    shown: view === 'template' ? record['qode'] : text,
    asked: [...parametersOf(choice), ...(view === 'told' ? [] : [`view=${view}`])].join('&'),
    spun: [...parametersOf(choice), ...(view === 'blanks' ? ['as=blanks'] : [])].map((each) => `${each}&`).join(''),
    told: html`<p class=${view === 'template' ? 'text qode' : classOf(text)} data-turn="told">${marked}</p>`,
    views: html`<nav class="chips views" data-turn="views" aria-label="Ways to see it">
      ${VIEWS.map(
        (
          name,
        ) => html`<a class="btn small" data-swap data-key=${`view-${name}`} aria-current=${name === view ? 'true' : undefined}
          href=${addressOf({ ...choice, view: name })}>${name}</a>`,
      )}
    </nav>`,
    panel: html`<section class="turn-panel" data-turn="panel" aria-labelledby="turn-title">
      <h2 id="turn-title">Turn it</h2>
      <p class="chips">
        <a class="btn go turn" data-swap data-key="turn" href=${nextAddress(turned)}>Turn</a>
        <a class="btn small" data-swap data-key="shuffle" href=${shuffledAddress(choice)}>Other topics</a>
      </p>
      ${choice.faults.map((fault) => html`<p class="note bad">${fault}</p>`)}
      ${chosen.map((_, i) => topicRow(choice, i, (offers[i] ?? []).slice(0, OFFERED), senses[i] ?? [], matches))}
      ${share(visit, choice)}
    </section>`,
  }
}

function untold(record: Shown): TurnPanel {
  const text: string = record['body'] ?? record['qode']
  const told = html`<p class=${classOf(text)} data-turn="told">${text}</p>`
  const attribution = attributionOf(record, false)
  const nothing = { views: undefined, panel: undefined, topics: [], asked: '', spun: '' }
  return { text, shown: text, isTurned: false, attribution, told, ...nothing }
}

/** A short saying is larger. */
function classOf(text: string): string {
  return text.length <= SHORT ? 'text short' : 'text'
}

/** The results of the search box of a topic, for browsers without scripts. */
interface Matches {
  readonly topic: number
  readonly find: string
  readonly found: readonly Topic[]
}

async function findMatches(visit: Visit): Promise<Matches | undefined> {
  const find = visit.query.get('find')?.trim() ?? ''
  if (find === '') return undefined
  const { status, json } = await visit.ask(`/api/quadranym/?search=${encodeURIComponent(find)}&page_size=${FOUND}`)
  return { topic: Number(visit.query.get('topic') ?? 1), find, found: status === 200 ? json.results : [] }
}

function withTopic(choice: Choice, i: number, topic: Topic): string {
  return addressOf({ ...choice, chosen: choice.chosen.with(i, topic) })
}

function topicRow(choice: Choice, i: number, offers: Topics, senses: Topics, matches: Matches | undefined): Content {
  const { chosen, own, view, turn } = choice
  const mine = matches?.topic === i + 1 ? matches : undefined
  const known = [own[i], chosen[i], ...senses, ...(mine ? mine.found : offers)].filter((topic) => topic !== undefined)
  const chips = [...new Map(known.map((topic) => [topic.quadranym_id, topic])).values()]
  const field = `turn-topic-${i + 1}`
  return html`<div class="topic">
    ${chosen.length > 1 && html`<h3>Topic ${i + 1}${own[i] && html`<span class="soft">, once ${own[i].name}</span>`}</h3>`}
    <div class="chips">
      ${chips.map((topic) => {
        const isChosen = topic.quadranym_id === chosen[i]!.quadranym_id
        return html`<a class="btn small" data-swap data-key=${`${i}-${topic.quadranym_id}`} data-tip=${fourOf(topic)}
          aria-current=${isChosen ? 'true' : undefined} href=${withTopic(choice, i, topic)}>${chipName(topic, chips)}</a>`
      })}
    </div>
    ${
      senses[0] &&
      html`<p class="soft">Not every word fits here. Another ${senses[0].name} fits better:${' '}
      ${senses.map((sense, n) => sense && html`${n > 0 && '; '}<a data-swap data-key=${`sense-${i}-${sense.quadranym_id}`} href=${withTopic(choice, i, sense)}>${fourOf(sense)}</a>`)}</p>`
    }
    ${mine?.found.length === 0 && html`<p class="soft">No quadranym has “${mine.find}”. <a href=${`/make/quadranym/?name=${encodeURIComponent(mine.find)}`}>Make it</a></p>`}
    <form class="finder" action=${choice.place.path} data-pick="quadranym" data-topic=${i}>
      ${chosen.map(({ quadranym_id }) => html`<input type="hidden" name="quadranym" value=${quadranym_id} />`)}
      ${view !== 'told' && html`<input type="hidden" name="view" value=${view} />`}
      ${turn > 0 && html`<input type="hidden" name="turn" value=${turn} />`}
      <input type="hidden" name="topic" value=${i + 1} />
      <label class="unseen" for=${field}>Another topic${chosen.length > 1 ? ` in place of topic ${i + 1}` : ''}</label>
      <input type="search" id=${field} name="find" value=${mine?.find} placeholder="Another topic …" autocomplete="off" />
      <button class="btn small" type="submit">Find</button>
    </form>
  </div>`
}

export function fourOf({ e, r, o, s }: Topic): string {
  return [e, r, o, s].map((term) => term || '_').join(', ')
}

/** Two with the same name are distinguished by their other members. */
function chipName(topic: Topic, among: Topics): string {
  const isShared = among.some((other) => other !== topic && other?.name === topic.name)
  return isShared ? `${topic.name} (${topic.e || topic.o})` : topic.name
}

function share(visit: Visit, choice: Choice): Content {
  const { own, place } = choice
  const told = toldWith(choice)
  const href = addressOf({ ...choice, turn: 0 })
  const link = html`<a class="permalink" data-key="link" href=${`${visit.base}${href}`}>Link to this</a>`
  return html`<p class="by toldwith">
    ${told && html`${told} · `}${link}
    ${told && own.length > 0 && html` · <a data-swap data-key="own" href=${place.path}>Back to the original</a>`}
  </p>`
}

/** "Told with dog in place of temptation"; nothing for a text told with its own quadranyms. */
export function toldWith({ chosen, own }: Choice): Content {
  const parts = chosen.flatMap((topic, i) => {
    if (own[i]?.quadranym_id === topic.quadranym_id) return []
    const link = html`<a href=${`/quadranym/${topic.quadranym_id}/`}>${topic.name}</a>`
    return [own[i] ? html`${link} in place of ${own[i].name}` : link]
  })
  if (parts.length === 0) return undefined
  return html`Told with ${parts.map((each, i) => html`${i > 0 ? ', ' : ''}${each}`)}`
}
