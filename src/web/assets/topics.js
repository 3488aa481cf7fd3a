// @ts-check
// The topics of the annotator: those that are used, those that fit, and a box to find others.
import { Chooser } from './chooser.js'
import { inOurWords } from './faults.js'
import { termOf } from './marking.js'
import { labelAmong } from './naming.js'
import { html, useEffect, useRef } from './preact.js'

/** @import { Topic } from './marking.js' */

/** What is wrong with a field; as a paragraph, it has a box of its own. */
export function Wrong(/** @type {any} */ { id, faults, of, as = 'span' }) {
  const wrong = of.flatMap((/** @type {string} */ member) => faults[member] ?? [])
  const says = wrong.map(inOurWords).join(' ')
  return says !== '' && html`<${as} class="wrong" id=${id} role="alert" tabindex="-1">${says}<//>`
}

export function Topics(/** @type {any} */ { work, suggested, add, remove, faults }) {
  const choose = (/** @type {Topic} */ { quadranym_id, name, e, r, o, s }) => add({ quadranym_id, name, e, r, o, s })
  const offers = useRef(/** @type {HTMLElement | null} */ (null))
  const pressed = useRef(-1)
  useEffect(() => {
    // The pressed suggestion is gone: its neighbour takes the focus.
    const left = [...(offers.current?.querySelectorAll('button') ?? [])]
    if (pressed.current >= 0 && document.activeElement === document.body)
      (left[pressed.current] ?? left.at(-1) ?? document.getElementById('add'))?.focus()
    pressed.current = -1
  }, [work.topics])
  const press = (/** @type {Topic} */ topic, /** @type {number} */ i) => {
    pressed.current = i
    add(topic)
  }
  const chosen = new Set(work.topics.map((/** @type {Topic} */ { quadranym_id }) => quadranym_id))
  const label = (/** @type {Topic} */ topic) => labelAmong(topic, [...work.topics, ...suggested], 'quadranym')
  return html`<section aria-labelledby="topics-title">
    <h2 id="topics-title">Topics</h2>
    <${Wrong} id="topics-wrong" faults=${faults} of=${['add']} />
    <ol class="used">${work.topics.map(
      (/** @type {Topic} */ topic) => html`<li key=${topic.quadranym_id}>
      <a href=${`/quadranym/${topic.quadranym_id}/`} target="_blank"><b>${topic.name}</b></a>${' '}
      ${['e', 'r', 'o', 's'].map((slot) => html`<span class=${slot}>${termOf(topic, slot) || '_'}</span> `)}
      <button type="button" class="btn small" onClick=${() => remove(topic)}>Remove<span class="unseen"> ${label(topic)}</span></button>
    </li>`,
    )}</ol>
    <div class="chips" role="group" aria-label="Suggested" ref=${offers}>
      ${suggested
        .filter((/** @type {Topic} */ { quadranym_id }) => !chosen.has(quadranym_id))
        .map((/** @type {Topic} */ topic, /** @type {number} */ i) => {
          const four = [topic.e, topic.r, topic.o, topic.s].join(', ')
          return html`<button type="button" key=${topic.quadranym_id} class="btn small" data-tip=${four} onClick=${() => press(topic, i)}>+ ${label(topic)}</button>`
        })}
    </div>
    <${Chooser} id="add" label="Another topic" placeholder="Another topic …" choose=${choose} />
  </section>`
}
