/**
 * The toy of the front page: a saying, and a button that turns it. The address names the saying once it is turned, so
 * that a link shows the same on another day.
 */
import { type Content, html } from '../html.ts'
import type { ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { drawQuadranym, inPage } from '../pictures/index.ts'
import { credited } from '../texts/author.ts'
import { shortened } from '../texts/marked.ts'
import type { Topic } from '../texts/tokens.ts'
import { toldWith } from '../texts/turn-panel.ts'
import { addressOf, nextAddress, type Turned, turnText } from '../texts/turning.ts'
import { dayNumber } from '../today.ts'

export interface Toy {
  readonly content: Content
  /** The title of a page that shows a turned text. */
  readonly title: string | undefined
}

interface Saying {
  readonly kind: Kind
  readonly record: Shown
  readonly isOfTheDay: boolean
}

const LONGEST_TITLE = 60

/** Undefined if there is no saying yet. */
export async function toyOf(visit: ExplorerVisit): Promise<Toy | undefined> {
  const saying = (await namedSaying(visit)) ?? (await sayingOfTheDay(visit))
  if (!saying) return undefined
  const { kind, record } = saying
  const turned = await turnText(visit, kind.name, record, { path: '/', fixed: fixedOf(saying) })
  const { attribution = '', isTurned = false, text = '' } = turned ?? {}
  const title = [shortened(text, LONGEST_TITLE), attribution].filter(Boolean).join(' · ')
  return { content: show(visit, saying, turned), title: isTurned ? title : undefined }
}

function fixedOf({ kind, record }: Saying): string {
  return `${kind.name}=${record[`${kind.name}_id`]}`
}

function sayingKinds({ kinds }: ExplorerVisit) {
  return kinds.all.flatMap((kind) => (kind.ofTheDay ? [{ kind, filters: kind.ofTheDay }] : []))
}

/** The saying that the address names: ?quote=43. */
async function namedSaying(visit: ExplorerVisit): Promise<Saying | undefined> {
  for (const { kind } of sayingKinds(visit)) {
    const id = visit.query.get(kind.name)
    if (!id) continue
    const { status, json } = await visit.ask(`/api/${kind.name}/${encodeURIComponent(id)}/`)
    if (status === 200) return { kind, record: json, isOfTheDay: false }
  }
  return undefined
}

/** The kinds that have a saying of the day take turns. */
async function sayingOfTheDay(visit: ExplorerVisit): Promise<Saying | undefined> {
  const sayings = sayingKinds(visit)
  const turn = (visit.byClock(dayNumber) + 1) % Math.max(sayings.length, 1)
  for (const { kind, filters } of [...sayings.slice(turn), ...sayings.slice(0, turn)]) {
    for (const filter of filters) {
      const { status, json } = await visit.ask(`/api/${kind.name}/daily/${filter && `?${filter}`}`)
      if (status === 200) return { kind, record: json, isOfTheDay: true }
    }
  }
  return undefined
}

function show(visit: ExplorerVisit, saying: Saying, turned: Turned | undefined): Content {
  const { kind, record, isOfTheDay } = saying
  const label = isOfTheDay ? `${kind.one} of the day` : kind.one
  const topic = turned?.choice.chosen[0]
  return html`<section class="today" aria-label=${label}>
    <div class="saying">
      <p class="kind">${label}</p>
      <p class="text" data-turn="told">${turned?.marked ?? record['body']}</p>
      ${turned?.attribution && html`<p class="by" data-turn="attribution">${credited(turned.attribution)}</p>`}
      ${turned ? turning(visit, saying, turned) : html`<p class="chips"><a class="btn" href=${kind.addressOf(record)}>Open it</a></p>`}
    </div>
    ${topic && picture(topic)}
  </section>`
}

function turning(visit: ExplorerVisit, saying: Saying, turned: Turned): Content {
  const { kind, record, isOfTheDay } = saying
  const { choice } = turned
  const told = toldWith(choice)
  const original = isOfTheDay ? '/' : `/?${fixedOf(saying)}`
  const open = addressOf({ ...choice, place: { path: kind.addressOf(record) }, turn: 0 })
  return html`<div class="turning" data-turn="turning">
    <p class="chips">
      <a class="btn go turn" data-swap data-key="turn" href=${nextAddress(turned)}>${told ? 'Turn again' : 'Turn'}</a>
      ${told && html`<a class="btn" data-swap data-key="own" href=${original}>Back to the original</a>`}
      <a class="btn" href=${open}>Choose the topic</a>
    </p>
    <p class="by toldwith">
      ${told ? html`${told} · <a class="permalink" href=${visit.base + open}>Link to this</a>` : 'Turn it, and the marked words give way to those of another topic.'}
    </p>
  </div>`
}

function picture(topic: Topic): Content {
  return html`<figure>
    <div data-turn="picture">${inPage(drawQuadranym(topic))}</div>
    <figcaption data-turn="caption">The words of <a href=${`/quadranym/${topic.quadranym_id}/`}>${topic.name}</a></figcaption>
  </figure>`
}
