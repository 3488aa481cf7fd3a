// @ts-check
// Buttons of a form that change its fields and save nothing. The server does the work, as without a script; this replaces
// only the parts of the page that change.
import { adoptToken, page, saidBy, say } from './page.js'

export const form = /** @type {HTMLFormElement} */ (document.querySelector('form.maker'))

/** @template {Element} T @returns {T[]} */
export function all(/** @type {string} */ selector, /** @type {new () => T} */ type) {
  return [...document.querySelectorAll(selector)].filter((each) => each instanceof type)
}

/** What is done to the new parts of the page. @type {(() => void)[]} */
const enhancers = []

export function enhanceWith(/** @type {() => void} */ enhance) {
  enhancers.push(enhance)
  enhance()
}

let queue = Promise.resolve()

/** One after the other: each sends the fields as the one before has left them. @returns {Promise<void>} */
export function act(/** @type {string} */ action, /** @type {{ parts?: string[], key?: string }} */ options = {}) {
  const done = queue.then(() => perform(action, options))
  queue = done.catch(() => {})
  return done
}

async function perform(
  /** @type {string} */ action,
  /** @type {{ parts?: string[], key?: string }} */ { parts = ['lines', 'preview', 'relations'], key = '' },
) {
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  body.set('action', action)
  const { page: next } = await page(location.pathname, { method: 'POST', body })
  adoptToken(next)
  if (!next.querySelector('[data-swap-part]')) return say(saidBy(next))
  for (const part of parts) {
    const fresh = next.querySelector(`[data-swap-part=${part}]`)
    const old = document.querySelector(`[data-swap-part=${part}]`)
    if (!fresh || !old) continue
    const typing = document.activeElement
    // Buttons that move nothing must not overwrite what was typed meanwhile.
    if (!/:|paste|paragraph/.test(action)) keepTyped(old, fresh)
    old.replaceWith(fresh)
    if (typing instanceof HTMLInputElement && old.contains(typing)) goOnTyping(typing)
  }
  for (const enhance of enhancers) enhance()
  const target = key && document.querySelector(`[data-key="${CSS.escape(key)}"]`)
  // The first line cannot move up: the focus goes to the button next to it.
  const able =
    target instanceof Element && target.matches(':disabled')
      ? target.parentElement?.querySelector('button:enabled')
      : target
  if (able instanceof HTMLElement) able.focus()
}

function keepTyped(/** @type {Element} */ old, /** @type {Element} */ fresh) {
  for (const field of old.querySelectorAll(':is(input, select, textarea, details)[data-key]')) {
    const twin = fresh.querySelector(`[data-key="${field.getAttribute('data-key')}"]`)
    if (field instanceof HTMLInputElement && twin instanceof HTMLInputElement) twin.value = field.value
    if (field instanceof HTMLTextAreaElement && twin instanceof HTMLTextAreaElement) twin.value = field.value
    if (field instanceof HTMLDetailsElement && twin instanceof HTMLDetailsElement) twin.open = field.open
    if (field instanceof HTMLSelectElement && twin instanceof HTMLSelectElement) twin.value = field.value
  }
  // A part that was opened meanwhile stays open.
  const parts = fresh.querySelectorAll('details')
  for (const [i, { open }] of old.querySelectorAll('details').entries()) if (open && parts[i]) parts[i].open = true
}

function goOnTyping(/** @type {HTMLInputElement} */ old) {
  const twin = document.querySelector(`input[data-key="${old.dataset['key']}"]`)
  if (!(twin instanceof HTMLInputElement)) return
  for (const enhance of enhancers) enhance()
  twin.focus()
  twin.setSelectionRange(old.selectionStart, old.selectionEnd)
  if (old.value !== '') twin.dispatchEvent(new Event('input', { bubbles: true }))
}
