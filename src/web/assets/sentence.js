// @ts-check
// Phrases and fables without code: write a sentence, press the words that change with the topic, see it told with
// three topics. The field of the code is still what the form sends.
import { ask, calmly } from './ask.js'
import { isKept, keepDraft, suggest, withMark, withoutMark } from './marking.js'
import { Page } from './pens.js'
import { html, render, useEffect, useLayoutEffect, useRef, useState } from './preact.js'
import { Marked, someTopics, tell } from './turning.js'

/** @import { Mark, Topic, Word } from './marking.js' */
/** @typedef {{ text: string, marks: Mark[] }} Sentence */
/** @typedef {Sentence & { words: Word[], qode: string, subs: string }} Answer */

const form = /** @type {HTMLFormElement} */ (document.querySelector('form.maker'))
const area = /** @type {HTMLTextAreaElement} */ (form.querySelector('textarea[name=qode]'))
const isFable = form.dataset['topics'] === 'many'
const MOST_TOPICS = isFable ? 9 : 1
const KEPT = 'nymdex.sentence'
const TOLD = 3
/** Next to the form, if there is room; see make.css. */
const wide = matchMedia('(min-width: 60.01rem)')
const beside = document.createElement('div')
beside.className = 'preview'
form.after(beside)
const SLOTS = [
  { slot: 'n', says: 'the topic itself', like: 'door' },
  { slot: 'e', says: 'what it opens to', like: 'open' },
  { slot: 'r', says: 'what it closes to', like: 'close' },
  { slot: 'o', says: 'the thing, from outside', like: 'barrier' },
  { slot: 's', says: 'how it is from inside', like: 'passage' },
]

/** @returns {Promise<Answer | undefined>} */
async function send(/** @type {{ qode: string } | Sentence} */ state) {
  const { status, json } = await ask('/make/sentence/', { method: 'POST', json: { state: JSON.stringify(state) } })
  return status === 200 ? json : undefined
}

/** The sentence as its author wrote it, if the form still has its code. @returns {Sentence | undefined} */
function kept() {
  try {
    const { qode, text, marks } = JSON.parse(sessionStorage.getItem(KEPT) ?? '')
    return qode === area.value && typeof text === 'string' ? { text, marks } : undefined
  } catch {
    return undefined
  }
}

function keep(/** @type {Sentence & { qode: string }} */ { qode, text, marks }) {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ qode, text, marks }))
  } catch {
    // Without storage the words of the examples come back instead of the author's.
  }
}

/** The marks of a text after some of its letters were typed over. @returns {Mark[]} */
function moved(/** @type {Mark[]} */ marks, /** @type {string} */ before, /** @type {string} */ after) {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const shift = after.length - before.length
  return marks.flatMap((mark) => {
    if (mark.offset + mark.length <= start) return [mark]
    return mark.offset >= before.length - end ? [{ ...mark, offset: mark.offset + shift }] : []
  })
}

/** What was written or marked last, until its code is in the field. @type {{ next: Sentence | undefined }} */
const pending = { next: undefined }

form.addEventListener('submit', async (event) => {
  if (!pending.next) return
  event.preventDefault()
  const answer = await send(pending.next).catch(() => undefined)
  if (answer) area.value = answer.qode
  if (answer) keep(answer)
  pending.next = undefined
  form.requestSubmit(event.submitter)
})

function Maker() {
  const [work, setWork] = useState(/** @type {Sentence} */ ({ text: '', marks: [] }))
  const [read, setRead] = useState(/** @type {Answer | undefined} */ (undefined))
  const [at, setAt] = useState(-1)
  const [count, setCount] = useState(1)
  const [note, setNote] = useState('')
  const [isWide, setWide] = useState(wide.matches)
  const [isWrong, setWrong] = useState(wrong !== null)
  const goOn = useRef('')
  const settling = useRef(0)
  const words = read?.text === work.text ? read.words : []
  const used = Math.max(count, ...work.marks.map(({ topic }) => topic))

  const write = async (/** @type {Sentence} */ next) => {
    const mine = ++settling.current
    const answer = await send(next).catch(() => undefined)
    if (mine !== settling.current || !answer) return
    if (pending.next === next) pending.next = undefined
    setRead(answer)
    area.value = answer.qode
    keep({ ...next, qode: answer.qode })
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const settle = useRef(calmly(write, 120)).current
  const change = (/** @type {Sentence} */ next) => {
    setWork(next)
    setNote('')
    setWrong(false)
    wrong?.remove()
    pending.next = next
    settle(next)
  }
  const to = (/** @type {{ marks?: Mark[] }} */ { marks }) => marks && change({ ...work, marks })
  const open = async () => {
    const own = kept()
    const answer = await send(own ?? { qode: area.value }).catch(() => undefined)
    if (!answer) return
    setRead(answer)
    setWork({ text: answer.text, marks: answer.marks })
  }
  useEffect(() => {
    if (area.value.trim() !== '') open()
    area.addEventListener('change', open)
    wide.addEventListener('change', () => setWide(wide.matches))
  }, [])

  const find = async () => {
    const found = await suggest(work.text).catch(() => undefined)
    const known = found && 'topics' in found ? found.topics.slice(0, MOST_TOPICS) : []
    const marks = (found && 'marks' in found ? found.marks : []).flatMap((/** @type {Mark} */ mark) => {
      const topic = known.findIndex((/** @type {Topic} */ { quadranym_id }) => quadranym_id === mark.topic) + 1
      return topic > 0 ? [{ ...mark, topic }] : []
    })
    if (marks.length === 0) return setNote('No word of it belongs to a known topic. Press the words yourself.')
    setCount(known.length)
    // The pressed button goes away.
    goOn.current = 'page'
    change({ ...work, marks })
  }

  const topics = Array.from({ length: used }, (_, i) => {
    return { quadranym_id: i + 1, name: isFable ? `topic ${i + 1}` : 'the topic', e: '', r: '', o: '', s: '' }
  })
  const telling = html`<${Telling} qode=${read?.qode ?? ''} subs=${work.marks.length > 0 ? (read?.subs ?? '') : ''} topics=${used} />`
  useLayoutEffect(() => render(isWide ? telling : undefined, beside))
  const settled = { qode: '', subs: '', depth: 0, used: [], becomes: [], marks: [] }
  return html`<div class="sentence">
    <label class="label" for="sentence">${isFable ? 'The text' : 'The sentence'}</label>
    <textarea id="sentence" class="words" rows=${isFable ? 6 : 3} value=${work.text}
      aria-describedby=${isWrong ? `sentence-help ${wrong?.id}` : 'sentence-help'} aria-invalid=${isWrong ? 'true' : undefined}
      placeholder=${isFable ? 'The fox and the crow …' : 'Behind every door there is a passage.'}
      onInput=${(/** @type {any} */ event) => {
        const text = event.target.value
        change({ text, marks: moved(work.marks, work.text, text) })
      }}></textarea>
    <span class="help" id="sentence-help">${
      isFable
        ? 'Write it about any topics you like, then press the words that change when the topics change.'
        : 'Write it about any topic you like, then press the words that change when the topic changes.'
    }</span>
    ${
      words.length > 0 &&
      html`<div class="pressing">
      <${Page} work=${{ ...work, topics }} words=${words} settled=${settled} at=${at} setAt=${setAt} to=${to} goOn=${goOn} canUndo=${false} />
      <${Slots} work=${work} word=${words[at]} topics=${used} more=${used < MOST_TOPICS ? () => setCount(used + 1) : undefined} to=${to} />
      ${work.marks.length === 0 && html`<p class="chips"><button type="button" class="btn small" onClick=${find}>Mark words for me</button></p>`}
      <div role="status">${note && html`<p class="note">${note}</p>`}</div>
    </div>`
    }
    ${!isWide && telling}
  </div>`
}

/** What the pressed word stands for. */
function Slots(
  /** @type {{ work: Sentence, word: Word | undefined, topics: number, more: (() => void) | undefined, to: (change: { marks: Mark[] }) => void }} */ {
    work,
    word,
    topics,
    more,
    to,
  },
) {
  const mark = word && work.marks.find(({ offset }) => offset === word.offset)
  const [topic, setTopic] = useState(1)
  const current = Math.min(mark?.topic ?? topic, topics)
  if (!word) return undefined
  const put = (/** @type {Partial<Mark>} */ wish) => {
    const { offset, length, tag } = word
    to({ marks: withMark(work.marks, { offset, length, topic: current, slot: 'n', tag, ...mark, ...wish }) })
  }
  const choose = (/** @type {number} */ next) => {
    setTopic(next)
    if (mark) put({ topic: next })
  }
  const written = work.text.slice(word.offset, word.offset + word.length)
  return html`<section class="card pens" aria-label=${`What ${written} stands for`}>
    <h3><span class=${mark ? `tok ${mark.slot}` : ''}>${written}</span> stands for</h3>
    ${
      isFable &&
      html`<div class="chips" role="group" aria-label="Of which topic">
      ${Array.from({ length: topics }, (_, i) => {
        return html`<button type="button" class="btn small" aria-pressed=${current === i + 1} onClick=${() => choose(i + 1)}>Topic ${i + 1}</button>`
      })}
      ${
        more &&
        html`<button type="button" class="btn small" onClick=${() => {
          more()
          setTopic(topics + 1)
          if (mark) put({ topic: topics + 1 })
        }}>+ Another topic</button>`
      }
    </div>`
    }
    <div class="chips stands" role="group" aria-label="Which word of the topic">
      ${SLOTS.map(({ slot, says, like }) => {
        return html`<button type="button" class=${`btn small pen ${slot}`} aria-pressed=${mark?.slot === slot} onClick=${() => put({ slot })}>${says}
          <small>like ${like}</small></button>`
      })}
      <button type="button" class="btn small" disabled=${!mark} onClick=${() => to({ marks: withoutMark(work.marks, word.offset) })}>nothing, it stays</button>
    </div>
  </section>`
}

/** The text told with three different topics. */
function Telling(/** @type {{ qode: string, subs: string, topics: number }} */ { qode, subs, topics }) {
  const [pool, setPool] = useState(/** @type {Topic[]} */ ([]))
  const [told, setTold] = useState(/** @type {any[]} */ ([]))
  const shuffle = async () => setPool(await someTopics(qode).catch(() => []))
  useEffect(() => {
    if (subs !== '') shuffle()
  }, [subs])
  useEffect(() => {
    let isOld = false
    const sets = Array.from({ length: TOLD }, (_, i) => pool.slice(i * topics, (i + 1) * topics))
    const full = subs === '' ? [] : sets.filter((set) => set.length === topics)
    // The indexes of the code have no gaps, so a text with fewer topics takes the first ones.
    Promise.all(
      full.map((set) => tell(qode, set.map(({ quadranym_id }) => quadranym_id).slice(0, indexesIn(qode)))),
    ).then(
      (texts) => isOld || setTold(texts.map((text, i) => ({ text, set: full[i] })).filter(({ text }) => text)),
      () => {},
    )
    return () => {
      isOld = true
    }
  }, [qode, subs, pool, topics])
  if (told.length === 0) return html`<p class="soft">It will be told here with three topics.</p>`
  return html`<section class="thrice" aria-labelledby="thrice-title">
    <h2 id="thrice-title">Told with ${isFable ? 'other topics' : 'three topics'}</h2>
    <ol aria-live="polite">${told.map(
      ({ text, set }) => html`<li class="text"><${Marked} told=${text} />
      <span class="soft">${set.map((/** @type {Topic} */ { name }) => name).join(', ')}</span></li>`,
    )}</ol>
    <p class="chips"><button type="button" class="btn small" onClick=${shuffle}>Other topics</button></p>
  </section>`
}

function indexesIn(/** @type {string} */ qode) {
  return Math.max(1, ...[...qode.matchAll(/q([0-9]+)[neros](?=[_^])/g)].map(([, index]) => Number(index)))
}

// The field of the code goes into a part that opens on request.
const field = /** @type {HTMLElement} */ (area.closest('.field'))
const wrong = field.querySelector('.wrong')
const details = document.createElement('details')
details.className = 'code'
details.open = isKept('nymdex.code')
const summary = document.createElement('summary')
summary.textContent = 'Show code'
details.addEventListener('toggle', () => keepDraft('nymdex.code', details.open ? true : undefined))
const root = document.createElement('div')
field.before(root, details)
if (wrong) root.after(wrong)
details.append(summary, field)
render(html`<${Maker} />`, root)
// The field that was refused and had the focus is in the closed part now.
const firstWrong = document.querySelector('main [aria-invalid="true"]')
if (firstWrong instanceof HTMLElement && firstWrong.id === 'sentence') firstWrong.focus()
