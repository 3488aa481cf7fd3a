// @ts-check
// The annotator: a page to be marked with coloured pens, by click or by keyboard.
import { inOurWords } from './faults.js'
import {
  begin,
  EMPTY,
  isKept,
  keepDraft,
  move,
  readDraft,
  save,
  settle,
  suggest,
  withMark,
  wordsOf,
} from './marking.js'
import { Page, Pens, remember } from './pens.js'
import { html, render, useEffect, useReducer, useRef, useState } from './preact.js'
import { Topics, Wrong } from './topics.js'
import { Turned } from './turning.js'

/** @import { Settled, Topic, Word, Work } from './marking.js' */

const root = /** @type {HTMLElement} */ (document.getElementById('annotator'))
const given = JSON.parse(root.dataset['state'] ?? '{}')
/** @type {number | undefined} */
const id = given.id
const place = id === undefined ? 'nymdex.annotate' : `nymdex.annotate.${given.kind}.${id}`
const isSignedIn = root.dataset['user'] !== ''
/** The page to turn a text shows the turned text first. */
const isTurning = root.dataset['turning'] !== undefined
const examples = [...root.querySelectorAll('.sayings a')].map((link) => link.textContent ?? '')
const token = root.querySelector('input[name=csrfmiddlewaretoken]')?.getAttribute('value') ?? ''

/** @returns {{ work: Work, suggested: Topic[], words?: Word[], settled?: Settled, etag: string | undefined, isDraft: boolean }} */
function opening() {
  const { text, topics, marks, src, kind, suggested, etag } = given
  const fresh = { work: { text, topics, marks, src, kind }, suggested, etag, isDraft: false }
  const draft = readDraft(place)
  // A text in the address is what the visitor asked for, unless it is the text of the draft.
  const isWanted = draft && (id !== undefined || text === '' || text === draft.work.text)
  return isWanted ? { etag, ...draft, isDraft: true } : fresh
}

const SIGNED_OUT = 'signed out'
const OFFLINE = 'The server cannot be reached. The draft is kept in this browser; try again.'
/** @type {Word[]} */
const NONE = []
/** @type {Topic[]} */
const NO_TOPICS = []

function Annotator() {
  const [opened] = useState(opening)
  const [history, go] = useReducer(move, opened.work, begin)
  /** By text, because Undo leads back to other texts. @type {[Record<string, Topic[]>, any]} */
  const [offered, setOffered] = useState({ [opened.work.text]: opened.suggested })
  // What follows from a draft is kept with it, so that nothing moves when it comes back.
  const [read, setRead] = useState({ text: opened.words ? opened.work.text : '', words: opened.words ?? NONE })
  const [settled, setSettled] = useState(opened.settled ?? EMPTY)
  const [note, setNote] = useState(opened.isDraft ? 'Your draft is back.' : '')
  const [faults, setFaults] = useState(/** @type {Record<string, string[]>} */ ({}))
  const [refused, setRefused] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [at, setAt] = useState(-1)
  // If the button that had the focus is gone, the focus moves to what replaced it.
  const goOn = useRef('')
  const { now, past, future } = history
  const suggested = offered[now.text] ?? NO_TOPICS
  const words = read.text === now.text ? read.words : NONE
  const to = (/** @type {Partial<Work>} */ change, quiet = false) => {
    setFaults({})
    setRefused((/** @type {string} */ before) => (before === SIGNED_OUT ? before : ''))
    go({ to: change, quiet })
  }

  useEffect(() => {
    let isOld = false
    const show = (/** @type {Word[]} */ found) => isOld || setRead({ text: now.text, words: found })
    if (now.text !== '') wordsOf(now.text).then(show, () => setNote(OFFLINE))
    return () => {
      isOld = true
    }
  }, [now.text])
  useEffect(() => {
    let isOld = false
    if (now.text === '') setSettled(EMPTY)
    else
      settle(now).then(
        (found) => isOld || setSettled(found),
        () => setNote(OFFLINE),
      )
    return () => {
      isOld = true
    }
  }, [now.text, now.topics, now.marks])
  useEffect(() => {
    // An empty box leaves the draft of the text before it.
    if (now.text !== '' && (now !== opened.work || opened.isDraft))
      keepDraft(place, { work: now, suggested, words, settled, etag: opened.etag })
  }, [now, suggested, words, settled])

  const begun = async (/** @type {string} */ text) => {
    setBusy(true)
    const found = await suggest(text).catch(() => ({ fault: OFFLINE }))
    setBusy(false)
    if ('fault' in found) return setFaults({ body: [found.fault] })
    setOffered({ ...offered, [text]: found.suggested })
    setNote('')
    goOn.current = 'page'
    remember(found.marks, true)
    to({ text, topics: found.topics, marks: found.marks })
  }
  const add = async (/** @type {Topic} */ topic) => {
    if (now.topics.some(({ quadranym_id }) => quadranym_id === topic.quadranym_id)) return
    const found = await suggest(now.text, [topic]).catch(() => ({ fault: OFFLINE }))
    if ('fault' in found) return setFaults({ add: [found.fault] })
    remember(found.marks)
    const taken = new Set(now.marks.map(({ offset }) => offset))
    const free = found.marks.filter(({ offset }) => !taken.has(offset))
    setNote(free.length > 0 ? '' : `No unmarked word is a form of a word of ${topic.name}. Mark one by hand.`)
    to({ topics: [...now.topics, topic], marks: free.reduce(withMark, now.marks) })
  }
  const remove = (/** @type {Topic} */ { quadranym_id: gone }) => {
    to({
      topics: now.topics.filter(({ quadranym_id }) => quadranym_id !== gone),
      marks: now.marks.filter(({ topic }) => topic !== gone),
    })
    document.getElementById('add')?.focus()
  }
  const another = () => {
    goOn.current = 'paste'
    to({ text: '', topics: [], marks: [] })
  }
  /** With `*`, it takes the place of whatever was saved since. */
  const store = async (etag = opened.etag) => {
    if (isBusy) return
    setBusy(true)
    setFaults({})
    setRefused('')
    try {
      const { status, json } = await save(now, { id, etag })
      if (status === 200 || status === 201) {
        keepDraft(place, undefined)
        sessionStorage.setItem('message', status === 201 ? 'Created. Thank you.' : 'Saved.')
        location.href = `/${now.kind}/${json[`${now.kind}_id`]}/`
        return
      }
      if (status === 400) setFaults(json)
      else if (status === 412) setRefused('changed')
      else
        setRefused(
          status === 401
            ? SIGNED_OUT
            : inOurWords(json?.detail ?? 'It could not be saved. Your draft is kept; try again.'),
        )
    } catch {
      setRefused(OFFLINE)
    }
    goOn.current = 'wrong'
    setBusy(false)
  }
  const afresh = () => {
    keepDraft(place, undefined)
    location.href = id === undefined ? location.pathname : location.href
  }
  const step = (/** @type {'undo' | 'redo'} */ way) => {
    const next = way === 'undo' ? past.at(-1) : future[0]
    if (!next) return
    if (next.text !== now.text) {
      goOn.current = next.text === '' ? 'paste' : 'page'
      remember(next.marks, true)
      setFaults({})
    }
    go(way)
  }
  /** The text that an undo has led back from: its box shows it. */
  const former = future[0]?.text ?? ''
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const { target } = event
    // In the box of the text, these keys belong to the browser as soon as something is typed.
    const isUnchanged = target instanceof HTMLTextAreaElement && target.id === 'text' && target.value === former
    const isTyping = target instanceof HTMLElement && target.matches('input:not([type=radio]), textarea')
    if ((isTyping && !isUnchanged) || !(event.ctrlKey || event.metaKey)) return
    const way = { z: event.shiftKey ? 'redo' : 'undo', y: 'redo' }[event.key.toLowerCase()]
    if (way !== 'undo' && way !== 'redo') return
    event.preventDefault()
    step(way)
  }

  const steps = html`<button type="button" class="btn small" disabled=${past.length === 0} onClick=${() => step('undo')}>Undo</button>
    <button type="button" class="btn small" disabled=${future.length === 0} onClick=${() => step('redo')}>Redo</button>`
  if (now.text === '') {
    return html`<div onKeyDown=${onKeyDown}>
      ${past.length + future.length > 0 && html`<div class="chips tools" role="toolbar" aria-label="Tools">${steps}</div>`}
      <${Paste} former=${former} begun=${begun} goOn=${goOn} isBusy=${isBusy} faults=${faults} />
    </div>`
  }
  const turned = html`<${Turned} text=${now.text} qode=${settled.qode} used=${settled.used} topics=${now.topics} />`
  return html`<div onKeyDown=${onKeyDown} aria-busy=${isBusy}>
    <input type="hidden" name="csrfmiddlewaretoken" value=${token} />
    <div class="chips tools" role="toolbar" aria-label="Tools">
      ${steps}
      <button type="button" class="btn small" onClick=${another}>Another text</button>
      ${(opened.isDraft || id !== undefined) && html`<button type="button" class="btn small" onClick=${afresh}>Start over</button>`}
    </div>
    <div role="status">${note && html`<p class="note">${note}</p>`}</div>
    <div class="desk">
      <div>
        <${Page} work=${now} words=${words} settled=${settled} at=${at} setAt=${setAt} to=${to} goOn=${goOn} />
        ${isTurning && turned}
      </div>
      <${Pens} work=${now} words=${words} settled=${settled} at=${at} to=${to} goOn=${goOn} />
      <div>
        ${!isTurning && turned}
        <${Outcome} settled=${settled} topics=${now.topics} />
      </div>
      <${Topics} work=${now} suggested=${suggested} add=${add} remove=${remove} faults=${faults} />
    </div>
    <${Save} work=${now} to=${to} store=${store} faults=${faults} refused=${refused} isBusy=${isBusy} goOn=${goOn} />
  </div>`
}

function Paste(/** @type {any} */ { former, begun, goOn, isBusy, faults }) {
  const box = useRef(/** @type {HTMLTextAreaElement | null} */ (null))
  useEffect(() => {
    if (goOn.current === 'paste') box.current?.focus()
    goOn.current = ''
  }, [])
  const [text, setText] = useState(former)
  const start = (/** @type {Event=} */ event) => {
    event?.preventDefault()
    const tidied = text.replaceAll(/\r\n?/g, '\n').trim()
    if (tidied !== '') begun(tidied)
    else box.current?.focus()
  }
  return html`<form onSubmit=${start} aria-busy=${isBusy}>
    <input type="hidden" name="csrfmiddlewaretoken" value=${token} />
    <label class="label" for="text">The text</label>
    <textarea id="text" ref=${box} rows="6" value=${text} placeholder="Paste a proverb, a line, a quotation …"
      aria-invalid=${faults.body ? 'true' : undefined} aria-describedby=${faults.body ? 'text-wrong' : undefined}
      onInput=${(/** @type {any} */ event) => setText(event.target.value)}></textarea>
    <${Wrong} id="text-wrong" faults=${faults} of=${['body']} />
    <p class="chips"><button class="go" disabled=${isBusy}>${isTurning ? 'Turn it' : 'Find its topics'}</button></p>
    ${
      examples.length > 0 &&
      html`<p class="soft">Or begin with one of these:</p>
      <ul class="sayings">${examples.map((each) => html`<li><button type="button" class="plain" onClick=${() => begun(each)}>${each}</button></li>`)}</ul>`
    }
  </form>`
}

const CODE_SHOWN = 'nymdex.code'

function Outcome(/** @type {{ settled: Settled, topics: Topic[] }} */ { settled, topics }) {
  const { qode, subs, depth, becomes } = settled
  const odd = becomes.filter((each) => each !== null && each !== undefined).length
  const remembered = (/** @type {any} */ event) => keepDraft(CODE_SHOWN, event.target.open ? true : undefined)
  const [isShown] = useState(() => isKept(CODE_SHOWN))
  return html`${odd > 0 && html`<p class="soft">${odd === 1 ? 'One word' : `${odd} words`}, underlined with dots, would change when told with ${topics.length === 1 ? 'its own topic' : 'their own topics'}.</p>`}
    <details class="code" open=${isShown} onToggle=${remembered}><summary>Show code</summary>
      <dl class="outcome">
        <dt>qode</dt><dd><code>${qode || 'no token yet'}</code></dd>
        <dt>subs</dt><dd>${subs === '' ? 'none' : [...subs].map((slot) => html`<b class=${slot}>${slot}</b>`)}</dd>
        <dt>depth</dt><dd>${depth}</dd>
      </dl></details>`
}

function Save(/** @type {any} */ { work, to, store, faults, refused, isBusy, goOn }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null))
  useEffect(() => {
    if (goOn.current !== 'wrong') return
    goOn.current = ''
    const first = box.current?.querySelector('[aria-invalid], [role=alert]')
    if (first instanceof HTMLElement) first.focus()
  }, [faults, refused])
  const isAtItsField = (/** @type {string} */ member) => member === 'add' || (member === 'src' && work.kind === 'quote')
  const others = Object.keys(faults).filter((member) => !isAtItsField(member))
  const next = encodeURIComponent(location.pathname + location.search)
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault()
    store()
  }
  return html`<form class="saving" ref=${box} onSubmit=${submit}>
    <fieldset disabled=${id !== undefined}>
      <legend>Save it as</legend>
      <p class="chips">${Object.entries({ fortune: 'a saying', quote: 'a quote with its author' }).map(
        ([kind, says]) => html`<label>
        <input type="radio" name="kind" value=${kind} checked=${work.kind === kind} onChange=${() => to({ kind })} /> ${says}</label>`,
      )}</p>
    </fieldset>
    ${
      work.kind === 'quote' &&
      html`<label class="label" for="src">Author</label>
      <input id="src" value=${work.src} aria-invalid=${faults.src ? 'true' : undefined} aria-describedby=${faults.src ? 'src-wrong' : undefined}
        onInput=${(/** @type {any} */ event) => to({ src: event.target.value }, true)} />
      <${Wrong} id="src-wrong" faults=${faults} of=${['src']} />`
    }
    <${Wrong} as="p" id="save-wrong" faults=${faults} of=${others} />
    ${faults.body?.some((/** @type {string} */ each) => /unique/.test(each)) && html`<p><a href=${`/find/?q=${encodeURIComponent(work.text.slice(0, 80))}`}>It is already in the catalogue: find it</a></p>`}
    ${
      refused === SIGNED_OUT &&
      html`<p class="note bad" role="alert" tabindex="-1">Sign in to save it; the draft is kept in this browser.${' '}
      <a href=${`/accounts/login/?next=${next}`}>Sign in and come back</a>, or${' '}
      <a href="/accounts/login/" target="_blank">sign in in another tab</a> and save again.</p>`
    }
    ${
      refused === 'changed' &&
      html`<div class="note bad" role="alert" tabindex="-1"><p>It has changed since you opened it. Your draft is kept in this browser.${' '}
      <a href=${`/${work.kind}/${id}/`} target="_blank">See the saved version</a> in another tab, then decide.</p>
      <p class="chips"><button type="button" class="btn" onClick=${() => store('*')}>Save mine instead</button></p></div>`
    }
    ${!['', SIGNED_OUT, 'changed'].includes(refused) && html`<p class="note bad" role="alert" tabindex="-1">${refused}</p>`}
    <p class="chips"><button class="go" aria-disabled=${isBusy}>Save</button>
      ${!isSignedIn && refused === '' && html`<span class="soft">You will be asked to sign in; the draft is kept.</span>`}</p>
  </form>`
}

remember(given.marks)
root.replaceChildren()
render(html`<${Annotator} />`, root)
