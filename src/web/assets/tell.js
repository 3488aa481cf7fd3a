// @ts-check
// Pages of /tell/: turn.js follows their links in place, and here their buttons and search boxes do the same.
import { ask } from './ask.js'
import { picker } from './pick.js'
import { enhancers, go } from './turn.js'

function suggest() {
  for (const form of document.querySelectorAll('form[data-find]')) {
    const input = form.querySelector('input[type=search]')
    const [kind, picked] = ['data-find', 'data-picked'].map((name) => form.getAttribute(name) ?? '')
    if (!(input instanceof HTMLInputElement) || !kind || !picked) continue
    picker(input, kind, ({ id }) => go(picked.replace(/=ID(?=&|$)/, `=${id}`), { key: input.dataset['key'] ?? '' }))
  }
}

/** A box that the visitor has asked for. */
function focus() {
  const box = document.querySelector('main [autofocus]')
  if (box instanceof HTMLElement) box.focus()
}

/** Screen readers hear what is new. */
function say() {
  const said = document.querySelector('[data-said]')
  const parts = [...document.querySelectorAll('[data-say=true]')].map((part) => part.textContent)
  if (said) said.textContent = parts.join(' ')
}

/** An answer is sent to the API, and the next pair is shown. */
async function judge(/** @type {HTMLFormElement} */ form, /** @type {HTMLButtonElement} */ button) {
  const { judge: next = '', phrase, quadranym } = form.dataset
  const json = { phrase, quadranym, fits: button.value }
  const { status } = await ask('/api/fit/', { method: 'POST', json })
  // The page without scripts says what is wrong.
  if (status >= 300) return form.requestSubmit(button)
  await go(next, { keep: new URL(next, location.href).href !== location.href, key: 'press-y' })
}

/** Answers by key: each has its letter. */
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !/^[a-z]$/.test(event.key)) return
  if (event.target instanceof Element && event.target.matches('input, select, textarea')) return
  const button = document.querySelector(`[data-press=${event.key}]`)
  if (button instanceof HTMLElement) button.click()
})

document.addEventListener('submit', (event) => {
  const form = event.target
  const button = event.submitter
  if (
    form instanceof HTMLFormElement &&
    button instanceof HTMLButtonElement &&
    form.dataset['judge'] &&
    !form.dataset['sent']
  ) {
    event.preventDefault()
    form.dataset['sent'] = 'yes'
    judge(form, button)
    return
  }
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-grid]') || !(button instanceof HTMLButtonElement))
    return
  event.preventDefault()
  const query = new URLSearchParams([...new FormData(form, button)].map(([name, value]) => [name, String(value)]))
  go(`${form.getAttribute('action')}?${query}`, { key: button.dataset['key'] ?? '' })
})
enhancers.push(suggest, say, focus)
suggest()
