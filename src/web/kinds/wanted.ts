/** The list of wanted topics: a form to ask for one, and which of them exist by now. */
import type { PageAnswer } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { recordAddress } from '../addresses.ts'
import { inOurWords } from '../form-errors.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerVisit, Kinds, Shown } from './kind.ts'

/** Kinds whose records fulfil a wish of the same name. */
const FULFILLING = ['quadranym', 'polynym']
const LONGEST = 200
/** The API takes this many values in one filter. */
const AT_ONCE = 100
const MOST_NAMED = 3

interface Made {
  readonly kind: string
  readonly record: Shown
}

/** By topic, in lower case. */
type MadeByTopic = ReadonlyMap<string, readonly Made[]>

/** Names are compared exactly, so a topic is looked up as it is written, in lower case and with a capital. */
function spellings(topic: string): string[] {
  const lower = topic.toLowerCase()
  return [...new Set([topic, lower, lower.charAt(0).toUpperCase() + lower.slice(1)])]
}

/** Which of these topics have a record of their name. */
export async function madeFor(visit: ExplorerVisit, topics: readonly string[]): Promise<MadeByTopic> {
  const names = [...new Set(topics.flatMap(spellings))]
  // A list of values has commas between them.
  const alone = names.filter((name) => name.includes(',')).map((name) => `name=${encodeURIComponent(name)}`)
  const together = names.filter((name) => !name.includes(','))
  const lists = Array.from({ length: Math.ceil(together.length / AT_ONCE) }, (_, i) =>
    together.slice(i * AT_ONCE, (i + 1) * AT_ONCE).map(encodeURIComponent),
  )
  const filters = [...lists.map((list) => `name__in=${list.join(',')}`), ...alone]
  const kinds = FULFILLING.filter((kind) => visit.kinds.find(kind))
  const asked = kinds.flatMap((kind) => filters.map((filter) => ({ kind, filter })))
  const found = await Promise.all(
    asked.map(async ({ kind, filter }) => {
      const { json } = await visit.ask(`/api/${kind}/?${filter}&page_size=1000`)
      return ((json.results ?? []) as Shown[]).map((record): Made => ({ kind, record }))
    }),
  )
  return Map.groupBy(found.flat(), ({ record }) => String(record['name']).toLowerCase())
}

/** `?wish=time` says what became of it, so that nothing but the address decides what the page shows. */
export async function askAbove(visit: ExplorerVisit, fault?: string): Promise<Content> {
  const { visitor, csrf, path } = visit
  const wish = (visit.query.get('wish') ?? '').trim().slice(0, LONGEST)
  const known = wish === '' ? undefined : await stateOf(visit, wish)
  const isOpen = known?.state === 'open'
  return html`<form class="ask-topic" method=${visitor ? 'post' : 'get'} action=${path}>
      ${visitor && html`<input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />`}
      <label for="wish">Which topic is missing?</label>
      <div class="chips">
        <input id="wish" name="wish" required maxlength=${LONGEST} value=${known?.state === 'made' ? '' : wish} autocomplete="off" />
        <button class="btn go" type="submit">Ask for it</button>
      </div>
    </form>
    ${fault && html`<p class="note bad" role="alert">${inOurWords(fault)}</p>`}
    ${known && !(isOpen && visitor) && html`<p class="note" role="status">${known.says}</p>`}`
}

interface WishState {
  readonly state: 'made' | 'asked' | 'open'
  readonly says: Content
}

async function stateOf(visit: ExplorerVisit, wish: string): Promise<WishState> {
  const made = (await madeFor(visit, [wish])).get(wish.toLowerCase()) ?? []
  if (made.length > 0) return { state: 'made', says: html`“${wish}” is here already: ${linksTo(visit.kinds, made)}.` }
  if (await askedFor(visit, wish)) {
    return { state: 'asked', says: html`“${wish}” is on the list. <a href=${makeAddress(wish)}>Make it yourself</a>` }
  }
  const next = encodeURIComponent(`${visit.path}?wish=${encodeURIComponent(wish)}`)
  const says = html`Nobody has asked for “${wish}” yet. <a href=${`/accounts/login/?next=${next}`}>Sign in to ask for it</a>`
  return { state: 'open', says }
}

async function askedFor(visit: ExplorerVisit, wish: string): Promise<boolean> {
  const found = await Promise.all(
    spellings(wish).map((name) => visit.ask(`/api/queue/?name=${encodeURIComponent(name)}&page_size=1`)),
  )
  return found.some(({ json }) => json.count > 0)
}

/** A wish for what exists, or what is on the list, adds nothing: the page says so. */
export async function ask(visit: ExplorerVisit): Promise<PageAnswer | { readonly fault: string }> {
  const form = await visit.form()
  const wish = (form.get('wish')?.at(-1) ?? '').trim()
  const told = { location: `${visit.path}?wish=${encodeURIComponent(wish)}` }
  if (wish === '') return { fault: 'Write the topic that you miss.' }
  if (wish.length <= LONGEST && visit.visitor && (await stateOf(visit, wish)).state !== 'open') return told
  const { status, json } = await visit.ask('/api/queue/', { method: 'POST', json: { name: wish } })
  if (status === 201 || status === 401) return told
  return { fault: [json?.name ?? json?.detail].flat().join(' ') }
}

/** Those that exist by now are below, folded. */
export async function arranged(visit: ExplorerVisit, wishes: readonly Shown[]): Promise<Content> {
  const made = await madeFor(
    visit,
    wishes.map(({ name }) => String(name)),
  )
  const madeOf = ({ name }: Shown) => made.get(String(name).toLowerCase())
  const open = wishes.filter((wish) => !madeOf(wish))
  const done = wishes.flatMap((wish) => {
    const records = madeOf(wish)
    return records ? [{ wish, records }] : []
  })
  return html`${
    open.length > 0
      ? html`<ul class="chips">
        ${open.map((wish) => html`<li><a class="btn" href=${recordAddress('queue', wish)}>${wish['name']}</a></li>`)}
      </ul>`
      : html`<p class="soft">Everything that was asked for here exists by now.</p>`
  }
  ${
    done.length > 0 &&
    html`<details class="fulfilled">
      <summary>${counted(done.length, 'topic')} made since</summary>
      <ul>
        ${done.map(({ wish, records }) => html`<li><a href=${recordAddress('queue', wish)}>${wish['name']}</a> <span class="soft">${linksTo(visit.kinds, records)}</span></li>`)}
      </ul>
    </details>`
  }`
}

function linksTo(kinds: Kinds, made: readonly Made[]): Content {
  return made.slice(0, MOST_NAMED).map(({ kind, record }, i) => {
    const { one, senseOf } = kinds.get(kind)
    const sense = senseOf?.(record)
    return [
      i > 0 && ', ',
      html`<a href=${recordAddress(kind, record)}>${one.toLowerCase()} ${record['name']}</a>${sense && html` (${sense})`}`,
    ]
  })
}

function makeAddress(topic: string): string {
  return `/make/quadranym/?name=${encodeURIComponent(topic)}`
}
