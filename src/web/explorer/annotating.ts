/** The page of the annotator: a form that does everything, which annotate.js makes interactive. */
import type { PageAnswer } from '../../http/index.ts'
import { hereOf } from '../addresses.ts'
import { ANNOTATE } from '../assets.ts'
import { etagField } from '../etag-field.ts'
import { inOurWords } from '../form-errors.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerVisit } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { type Mark, settle } from '../texts/marks.ts'
import { isDoubtful, tagInWords } from '../texts/tag-words.ts'
import { SLOTS, type Topic, termOf } from '../texts/tokens.ts'

export type TextKind = 'fortune' | 'quote'

export interface Draft {
  readonly kind: TextKind
  /** The record that is being changed. */
  readonly id: number | undefined
  /** Its ETag when it was opened. */
  readonly etag?: string | undefined
  readonly text: string
  readonly src: string
  readonly topics: readonly Topic[]
  readonly marks: readonly Mark[]
  readonly suggested: readonly Topic[]
  readonly faults?: Readonly<Record<string, readonly string[]>>
  /** Why the API did not save it. */
  readonly refused?: { readonly status: number; readonly detail: string }
  readonly note?: string
  /** The text told with other topics, where scripts do not do it. */
  readonly turned?: Content
}

/** The page where anybody turns a text of their own. It is the annotator under another heading. */
export const TURN_PATH = '/turn/'

interface Heading {
  readonly title: string
  readonly does: string
  readonly begin: string
}

const ANNOTATING: Heading = {
  title: 'Annotate',
  does: 'Mark the words of a saying with the words of topics, as with coloured pens. Then you can retell it.',
  begin: 'Find its topics',
}
const TURNING: Heading = {
  title: 'Turn your own text',
  does: 'Paste a text. The words that belong to a topic are marked, and you see it told with other topics at once. You need no account, and nothing is stored until you save it.',
  begin: 'Turn it',
}

const KINDS = { fortune: 'a saying', quote: 'a quote with its author, about one topic' }
const EXAMPLES = ['What goes up must come down.', 'When one door closes, another opens.', 'Still waters run deep.']
/** Longer addresses do not work everywhere. */
const LONGEST_ADDRESS = 6000

export function annotator(visit: ExplorerVisit, draft: Draft): PageAnswer {
  const { visitor, csrf } = visit
  const { id, etag, kind, text, src, topics, marks, suggested } = draft
  const state = JSON.stringify({
    id,
    etag,
    kind,
    text,
    src,
    topics: topics.map(slim),
    marks,
    suggested: suggested.map(slim),
  })
  const isBad = draft.faults !== undefined || draft.refused !== undefined
  const isTurning = visit.path === TURN_PATH
  const heading = isTurning ? TURNING : ANNOTATING
  const action = isTurning ? TURN_PATH : '/annotate/'
  const main = html`<h1>${id === undefined ? heading.title : `Mark ${kind} ${id}`}</h1>
    <p class="does">${heading.does}</p>
    <div id="annotator" class="annotator" data-state=${state} data-user=${visitor?.name ?? ''} data-turning=${isTurning ? '' : undefined}>
      ${refusal(visit, draft)}
      ${draft.note && html`<p class="note" role="alert">${draft.note}</p>`}
      <form method="post" action=${action}>
        <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
        ${id !== undefined && html`<input type="hidden" name="id" value=${id} />`}
        ${etag !== undefined && etagField(etag)}
        ${pasteBox(draft)}
        ${text !== '' && !draft.faults?.['body'] ? marking(draft) : start(action, heading.begin)}
      </form>
    </div>`
  return {
    status: draft.refused?.status ?? (isBad ? 400 : 200),
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title: heading.title,
      description: heading.does,
      user: visitor?.name,
      here: visit.path === action ? hereOf(visit) : action,
      part: 'make',
      main,
      scripts: [ANNOTATE],
    }),
  }
}

function slim({ quadranym_id, name, e, r, o, s }: Topic): Topic {
  return { quadranym_id, name, e, r, o, s }
}

/** Not signed in, or not allowed: the page keeps what was written. */
function refusal(visit: ExplorerVisit, { refused, id, text, kind, src, topics }: Draft): Content {
  if (!refused) return undefined
  if (refused.status === 412) {
    return html`<p class="note bad" role="alert">
      It has changed since you opened it. <a href=${`/${kind}/${id}/`} target="_blank">See the saved version</a> in another
      tab. If you save again, yours takes its place.
    </p>`
  }
  if (refused.status !== 401) return html`<p class="note bad" role="alert">${inOurWords(refused.detail)}</p>`
  const back = `${visit.path === TURN_PATH ? TURN_PATH : '/annotate/'}?${new URLSearchParams([
    ['text', text],
    ['kind', kind],
    ['src', src],
    ...topics.map(({ quadranym_id }): [string, string] => ['quadranym', String(quadranym_id)]),
  ])}`
  const next = encodeURIComponent(back.length <= LONGEST_ADDRESS ? back : visit.path)
  return html`<p class="note bad" role="alert">
    Sign in to save it; nothing is lost. <a href=${`/accounts/login/?next=${next}`}>Sign in and come back</a>
  </p>`
}

function pasteBox({ text, faults }: Draft): Content {
  const wrong = faults?.['body']
  return html`<label class="label" for="text">The text</label>
    <textarea id="text" name="text" rows=${text === '' ? 6 : 3} aria-invalid=${wrong ? 'true' : undefined}
      aria-describedby=${wrong ? 'text-wrong' : undefined} placeholder="Paste a proverb, a line, a quotation …">${text}</textarea>
    ${wrong && html`<span class="wrong" id="text-wrong">${wrong.map(inOurWords).join(' ')}</span>`}`
}

function start(action: string, begin: string): Content {
  return html`<p class="chips"><button class="go" type="submit" name="step" value="suggest">${begin}</button></p>
    <p class="soft">Or begin with one of these:</p>
    <ul class="sayings">
      ${EXAMPLES.map((text) => html`<li><a href=${`${action}?text=${encodeURIComponent(text)}`}>${text}</a></li>`)}
    </ul>`
}

function marking(draft: Draft): Content {
  const { text, topics, marks, suggested, kind, src, faults = {} } = draft
  const { qode, subs, depth } = settle(text, marks, topics)
  const chosen = new Set(topics.map(({ quadranym_id }) => quadranym_id))
  const offered = [...topics, ...suggested.filter(({ quadranym_id }) => !chosen.has(quadranym_id))]
  const wrong = ['q1', 'q2', 'quadranym', 'qode', 'add', 'non_field_errors'].flatMap((member) => faults[member] ?? [])
  return html`<input type="hidden" name="marked" value=${text} />
    <p class="text page">${markedText(draft)}</p>
    ${draft.turned && html`<h2>Told with other topics</h2><p class="text">${draft.turned}</p>`}
    <fieldset aria-describedby=${wrong.length > 0 ? 'topics-wrong' : undefined}>
      <legend>Topics</legend>
      ${wrong.length > 0 && html`<p class="wrong" id="topics-wrong">${wrong.map(inOurWords).join(' ')}</p>`}
      <ul class="choices">
        ${offered.map((topic) => topicChoice(topic, chosen.has(topic.quadranym_id)))}
      </ul>
      <label class="label" for="add">Another one, by name</label>
      <div class="finder">
        <input id="add" name="add" autocomplete="off" />
        <button class="btn small" type="submit" name="step" value="suggest">Mark again</button>
      </div>
    </fieldset>
    ${
      marks.length > 0 &&
      html`<fieldset>
      <legend>Marked words</legend>
      <ul class="choices">${doubtfulFirst(marks).map((mark) => markChoice(text, mark, topics))}</ul>
    </fieldset>`
    }
    ${outcome(qode, subs, depth)}
    <fieldset>
      <legend>Save it as</legend>
      <p class="chips">
        ${Object.entries(KINDS).map(
          ([each, says]) =>
            html`<label><input type="radio" name="kind" value=${each} checked=${each === kind} /> ${says}</label>`,
        )}
      </p>
      <label class="label" for="src">Author, for a quote</label>
      <input id="src" name="src" value=${src} aria-invalid=${faults['src'] ? 'true' : undefined}
        aria-describedby=${faults['src'] ? 'src-wrong' : undefined} />
      ${faults['src'] && html`<span class="wrong" id="src-wrong">${faults['src'].map(inOurWords).join(' ')}</span>`}
      <p class="chips"><button class="go" type="submit" name="step" value="save">Save</button></p>
    </fieldset>`
}

function markedText({ text, marks }: Draft): Content {
  let done = 0
  const parts = marks.flatMap(({ offset, length, slot }) => {
    const before = text.slice(done, offset)
    done = offset + length
    return [before, html`<span class=${`tok ${slot}`}>${text.slice(offset, done)}</span>`]
  })
  return [...parts, text.slice(done)]
}

function topicChoice(topic: Topic, isChosen: boolean): Content {
  return html`<li><label>
    <input type="checkbox" name="quadranym" value=${topic.quadranym_id} checked=${isChosen} />
    <b>${topic.name}</b> ${terms(topic)}
  </label></li>`
}

function terms(topic: Topic): Content {
  return ['e', 'r', 'o', 's'].map((slot) => html`<span class=${slot}>${termOf(topic, slot) || '_'}</span> `)
}

function doubtfulFirst(marks: readonly Mark[]): readonly Mark[] {
  return [true, false].flatMap((wanted) => marks.filter(({ margin }) => isDoubtful(margin) === wanted))
}

function markChoice(text: string, mark: Mark, topics: readonly Topic[]): Content {
  const { offset, length, topic, slot, tag, margin } = mark
  const name = topics.find(({ quadranym_id }) => quadranym_id === topic)?.name
  return html`<li><label>
    <input type="checkbox" name="mark" value=${[offset, length, topic, slot, tag].join(',')} checked />
    <span class=${`tok ${slot}`}>${text.slice(offset, offset + length)}</span>
    <span class="soft">${SLOTS[slot]} of ${name}, ${tagInWords(tag)}${isDoubtful(margin) ? ', in doubt' : ''}</span>
  </label></li>`
}

/** What follows from the marks. */
function outcome(qode: string, subs: string, depth: number): Content {
  return html`<details class="code">
    <summary>Show code</summary>
    <dl class="outcome">
      <dt>qode</dt><dd><code>${qode || 'no token yet'}</code></dd>
      <dt>subs</dt><dd>${subs === '' ? 'none' : [...subs].map((slot) => html`<b class=${slot}>${slot}</b>`)}</dd>
      <dt>depth</dt><dd>${depth}</dd>
    </dl>
  </details>`
}
