// @ts-check
// The text of the annotator, word by word, and the pens.
import { SLOTS, TAGS, termOf, withMark, withoutMark } from './marking.js'
import { labelAmong } from './naming.js'
import { html, useEffect, useMemo, useRef } from './preact.js'
import { isDoubtful, tagInWords } from './tags.js'

/** @import { Mark, Settled, Topic, Word, Work } from './marking.js' */

/** What was suggested for a word, to restore it after unmarking. @type {Map<number, Mark>} */
const suggested = new Map()

export function remember(/** @type {Mark[]} */ marks, isNew = false) {
  if (isNew) suggested.clear()
  for (const mark of marks) suggested.set(mark.offset, mark)
}

/** How a word is marked: as requested, as before, as suggested, or with the current pen. @returns {Mark} */
function markFor(/** @type {Word} */ word, /** @type {Work} */ work, /** @type {Partial<Mark>} */ wish) {
  const { topics, marks } = work
  const isKnown = (/** @type {number | undefined} */ topic) => topics.some(({ quadranym_id }) => quadranym_id === topic)
  const before = marks.find(({ offset }) => offset === word.offset)
  const offered = suggested.get(word.offset)
  const like = before ?? (offered && isKnown(offered.topic) && Object.keys(wish).length === 0 ? offered : undefined)
  const topic = [wish.topic, like?.topic, pen.topic].find(isKnown) ?? topics[0]?.quadranym_id ?? 0
  const tag = wish.tag ?? like?.tag ?? word.tag
  return { offset: word.offset, length: word.length, topic, slot: wish.slot ?? like?.slot ?? pen.slot, tag }
}

/**
 * The current pen: the one used last. Until somebody has chosen one, a press on a word only selects it.
 * @type {{ topic: number | undefined, slot: string, isChosen: boolean }}
 */
const pen = { topic: undefined, slot: 'n', isChosen: false }

/** The panel below the text says what a word is and has the pens. */
export function focusPens() {
  const first = document.querySelector('.pens .pen')
  if (first instanceof HTMLElement) first.focus()
}

export function Page(
  /** @type {{ work: Work, words: Word[], settled: Settled, at: number, setAt: (at: number) => void, to: (change: Partial<Work>) => void, goOn: { current: string }, canUndo?: boolean }} */ {
    work,
    words,
    settled,
    at,
    setAt,
    to,
    goOn,
    canUndo = true,
  },
) {
  const page = useRef(/** @type {HTMLElement | null} */ (null))
  const before = useRef(-1)
  const byOffset = useMemo(() => new Map(work.marks.map((mark) => [mark.offset, mark])), [work.marks])
  const becomes = useMemo(() => {
    return new Map(settled.marks.map(({ offset }, i) => [offset, settled.becomes[i]]))
  }, [settled])
  const here = Math.min(Math.max(at, 0), words.length - 1)
  const focus = (/** @type {number} */ i) => {
    const next = Math.min(Math.max(i, 0), words.length - 1)
    setAt(next)
    const button = page.current?.querySelectorAll('button')[next]
    button?.focus()
  }
  const doubts = words.flatMap(({ offset }, i) => (isDoubtful(byOffset.get(offset)?.margin) ? [i] : []))
  const nextDoubt = () => focus(doubts.find((i) => i > here) ?? doubts[0] ?? here)
  const arrive = () => {
    if (words.length === 0 || goOn.current !== 'page') return
    goOn.current = ''
    focus(doubts[0] ?? words.findIndex(({ offset }) => byOffset.has(offset)))
  }
  useEffect(() => {
    if (goOn.current === 'page') arrive()
    else if (at < 0 && doubts.length > 0) setAt(/** @type {number} */ (doubts[0]))
  }, [words])
  useEffect(() => {
    arrive()
    if (goOn.current !== 'doubt') return
    goOn.current = ''
    nextDoubt()
  }, [work.marks])
  const put = (/** @type {Word} */ word, /** @type {Partial<Mark>} */ wish) => {
    if (work.topics.length === 0) return
    const mark = markFor(word, work, wish)
    Object.assign(pen, { topic: mark.topic, slot: mark.slot, isChosen: pen.isChosen || Object.keys(wish).length > 0 })
    to({ marks: withMark(work.marks, mark) })
  }
  const toggle = (/** @type {Word} */ word) => {
    if (byOffset.has(word.offset)) to({ marks: withoutMark(work.marks, word.offset) })
    else if (pen.isChosen || suggested.has(word.offset)) put(word, {})
  }
  /** The word above or below. */
  const inLine = (/** @type {1 | -1} */ way) => {
    const boxes = [...(page.current?.querySelectorAll('button') ?? [])].map((each) => each.getBoundingClientRect())
    const mine = boxes[here]
    if (!mine) return here
    const others = boxes.map((box, i) => ({
      i,
      down: (box.top - mine.top) * way,
      aside: Math.abs(box.left - mine.left),
    }))
    const rows = others.filter(({ down }) => down > mine.height / 2)
    const nearest = Math.min(...rows.map(({ down }) => down))
    const row = rows.filter(({ down }) => down < nearest + mine.height / 2).sort((a, b) => a.aside - b.aside)
    return row[0]?.i ?? here
  }
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    const word = words[here]
    if (!word || event.ctrlKey || event.metaKey || event.altKey) return
    const number = Number(event.key)
    const right = page.current?.matches(':dir(rtl)') ? -1 : 1
    if (event.key === 'ArrowRight') focus(here + right)
    else if (event.key === 'ArrowLeft') focus(here - right)
    else if (event.key === 'ArrowDown') focus(inLine(1))
    else if (event.key === 'ArrowUp') focus(inLine(-1))
    else if (event.key === 'Home') focus(0)
    else if (event.key === 'End') focus(words.length - 1)
    else if (Object.hasOwn(SLOTS, event.key)) put(word, { slot: event.key })
    else if (number >= 1 && number <= work.topics.length)
      put(word, { topic: /** @type {Topic} */ (work.topics[number - 1]).quadranym_id })
    else if (event.key === 'd' && doubts.length > 0) nextDoubt()
    else if (event.key === 'y' && doubts.includes(here)) {
      goOn.current = 'doubt'
      to({ marks: withMark(work.marks, markFor(word, work, {})) })
    } else if (event.key === 'Delete' || event.key === 'Backspace') to({ marks: withoutMark(work.marks, word.offset) })
    else return
    event.preventDefault()
  }
  const onClick = (/** @type {Word} */ word, /** @type {number} */ i, /** @type {MouseEvent} */ event) => {
    const isByKey = event.detail === 0
    const isMarked = byOffset.has(word.offset)
    setAt(i)
    // On a phone the pens are below the text.
    if (!isByKey) requestAnimationFrame(() => document.querySelector('.pens')?.scrollIntoView({ block: 'nearest' }))
    if (isByKey && !isMarked && !pen.isChosen && !suggested.has(word.offset)) focusPens()
    else if (isByKey || before.current === i || !isMarked) toggle(word)
  }
  const parts = []
  let done = 0
  words.forEach((word, i) => {
    const end = word.offset + word.length
    const written = work.text.slice(word.offset, end)
    const mark = byOffset.get(word.offset)
    const topic = mark && work.topics.find(({ quadranym_id }) => quadranym_id === mark.topic)
    const other = mark && becomes.get(word.offset)
    const doubt = doubts.includes(i) ? ', in doubt' : ''
    const says =
      topic && `${SLOTS[/** @type {'e'} */ (mark.slot)]} of ${topic.name}${other ? `: gives ${other}` : ''}${doubt}`
    parts.push(
      work.text.slice(done, word.offset),
      html`<button type="button" key=${word.offset} class=${mark ? `word tok ${mark.slot}${other ? ' odd' : ''}${doubt && ' doubt'}` : 'word'}
        tabindex=${i === here ? 0 : -1} aria-pressed=${mark ? 'true' : 'false'} aria-label=${says ? `${written}, ${says}` : undefined}
        data-here=${i === at ? '' : undefined} onFocus=${() => setAt(i)} onPointerDown=${() => {
          before.current = at
        }}
        onClick=${(/** @type {MouseEvent} */ event) => onClick(word, i, event)}>${written}</button>`,
    )
    done = end
  })
  parts.push(work.text.slice(done))
  return html`<p class="text page" dir="auto" ref=${page} role="group" aria-label="The words of the text" aria-describedby="keys" onKeyDown=${onKeyDown}>${parts}</p>
    ${
      doubts.length > 0 &&
      html`<p class="doubts"><span role="status">${doubts.length === 1 ? '1 word' : `${doubts.length} words`} in doubt</span>
      <button type="button" class="btn small" onClick=${nextDoubt}>Show the next</button></p>`
    }
    <p class="help by-touch">Press a word, then choose what it stands for.</p>
    <p class="help by-key" id="keys">Press a word, then choose what it stands for. Or with the keyboard: arrow keys move from word to word,${' '}
      <kbd>n</kbd> <kbd>e</kbd> <kbd>r</kbd> <kbd>o</kbd> <kbd>s</kbd> mark it, <kbd>1</kbd> to <kbd>9</kbd> choose its topic,${' '}
      <kbd>Delete</kbd> unmarks it${doubts.length > 0 && html`, <kbd>d</kbd> goes to the next word in doubt, <kbd>y</kbd> says that it is right`}${canUndo && html`, <kbd>Ctrl</kbd> <kbd>Z</kbd> undoes`}.</p>`
}

/** The five pens, for the current word. */
export function Pens(/** @type {any} */ { work, words, settled, at, to, goOn }) {
  /** @type {Word | undefined} */
  const word = words[Math.max(at, 0)]
  if (!word) return undefined
  const written = work.text.slice(word.offset, word.offset + word.length)
  /** @type {Mark | undefined} */
  const mark = work.marks.find((/** @type {Mark} */ { offset }) => offset === word.offset)
  const wanted = mark?.topic ?? pen.topic
  /** @type {Topic | undefined} */
  const topic = work.topics.find((/** @type {Topic} */ { quadranym_id }) => quadranym_id === wanted) ?? work.topics[0]
  const put = (/** @type {Partial<Mark>} */ wish) => {
    const next = markFor(word, work, { topic: topic?.quadranym_id ?? 0, ...wish })
    Object.assign(pen, { topic: next.topic, slot: next.slot, isChosen: true })
    to({ marks: withMark(work.marks, next) })
  }
  const confirm = () => {
    goOn.current = 'doubt'
    put({})
  }
  const i = settled.marks.findIndex((/** @type {Mark} */ { offset }) => offset === word.offset)
  const other = mark && i >= 0 ? settled.becomes[i] : undefined
  return html`<section class="card pens" aria-label="Pens">
    <h2><span class=${mark ? `tok ${mark.slot}` : ''}>${written}</span></h2>
    ${!topic && html`<p class="soft">Choose a topic first, below.</p>`}
    ${topic && !mark && html`<p class="soft">What does it stand for?</p>`}
    ${
      topic &&
      work.topics.length > 1 &&
      html`<p><label class="label" for="topic">Topic</label>
      <select id="topic" onChange=${(/** @type {any} */ event) => put({ topic: Number(event.target.value) })}>
        ${work.topics.map((/** @type {Topic} */ each) => html`<option value=${each.quadranym_id} selected=${each === topic}>${labelAmong(each, work.topics, 'quadranym')}</option>`)}
      </select></p>`
    }
    ${
      topic &&
      html`<div class="chips" role="group" aria-label="Which word of the topic">
      ${Object.entries(SLOTS).map(([slot, name]) => {
        return html`<button type="button" class=${`btn small pen ${slot}`} aria-pressed=${mark?.slot === slot} onClick=${() => put({ slot })}>${termOf(topic, slot) || '_'} <small>${name}</small></button>`
      })}
    </div>`
    }
    ${
      mark &&
      html`<p class="tag"><label for="tag">Part of speech</label>
        <select id="tag" onChange=${(/** @type {any} */ event) => put({ tag: event.target.value })}>
          ${[...new Set([mark.tag, ...TAGS])].map((tag) => html`<option value=${tag} selected=${tag === mark.tag}>${tagInWords(tag)}</option>`)}
        </select>
        <button type="button" class="btn small" onClick=${() => to({ marks: withoutMark(work.marks, word.offset) })}>Unmark</button></p>
      ${isDoubtful(mark.margin) && html`<p class="doubts">Is this the right part of speech? <button type="button" class="btn small" onClick=${confirm}>Yes</button></p>`}
      ${other && html`<p class="note">Told with ${topic?.name}, it would read “${other}”.</p>`}`
    }
  </section>`
}
