// @ts-check
// Lines of stories and tales, and rows of polymaps: buttons and keys.
import { act, form } from './acting.js'

function keyAfter(/** @type {string} */ action) {
  const [what, where] = action.split(':')
  const i = Number(where)
  if (what === 'up') return `up-${Math.max(i - 1, 0)}`
  if (what === 'down') return `down-${i + 1}`
  if (what === 'insert') return `phrase-${i + 1}`
  if (what === 'break') return `phrase-${i + 2}`
  if (what === 'unrelate') return `from${Math.max(i - 1, 1)}`
  return what === 'remove' ? `remove-${Math.max(i - 1, 0)}` : (what ?? '')
}

form.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('button[name=action]')
  if (!(button instanceof HTMLButtonElement) || button.value === 'save') return
  event.preventDefault()
  if (button.value === 'paste') paste(button)
  else act(button.value, { key: keyAfter(button.value) }).catch(() => form.requestSubmit(button))
})

/** The part with the button is closed afterwards: the focus goes to the first line that is wrong, or new. */
async function paste(/** @type {HTMLButtonElement} */ button) {
  const rows = () => [...document.querySelectorAll('[data-line]')]
  const filled = rows().filter((row) => [...row.querySelectorAll('input')].some(({ value }) => value !== '')).length
  try {
    await act('paste')
  } catch {
    return form.requestSubmit(button)
  }
  const fields = rows().flatMap((row, i) => (i < filled ? [] : [...row.querySelectorAll('input:not([type=hidden])')]))
  const first = fields.find((field) => field.getAttribute('aria-invalid') === 'true') ?? fields[0]
  if (first instanceof HTMLElement) first.focus()
}

form.addEventListener('change', (event) => {
  const { target } = event
  if (target instanceof HTMLSelectElement && target.closest('[data-rows]')) addRow(target)
  if (!(target instanceof HTMLInputElement)) return
  if (target.id === 'fable') act('topics').catch(() => {})
  else if (target.id === 'pa' || target.id === 'pb') listWords()
  else if (target.name.startsWith('line_')) act('preview', { parts: ['preview'] }).catch(() => {})
})

let listed = ''

/** The rows offer the words of the two polynyms. */
function listWords() {
  const chosen = JSON.stringify(['pa', 'pb'].map((name) => new FormData(form).get(name)))
  if (chosen === listed) return
  listed = chosen
  act('relations', { parts: ['relations'] }).catch(() => {})
}

/** When the last row is complete, there is another one. */
function addRow(/** @type {HTMLSelectElement} */ select) {
  const row = select.closest('li')
  const isLast = row !== null && row.nextElementSibling === null
  const isFull = [...(row?.querySelectorAll('select') ?? [])].every(({ value }) => value !== '')
  if (isLast && isFull) act('relations', { parts: ['relations'], key: select.dataset['key'] ?? '' }).catch(() => {})
}

/** The keys of an editor: Enter, Backspace, Alt with an arrow. */
form.addEventListener('keydown', (event) => {
  const input = event.target
  if (event.defaultPrevented || !(input instanceof HTMLInputElement) || !input.name.startsWith('line_')) return
  const row = input.closest('[data-line]')
  const action = row instanceof HTMLElement ? actionOf(event, row, Number(row.dataset['line'])) : undefined
  if (!action) return
  event.preventDefault()
  act(action.value, { key: action.key }).catch(() => {})
})

function actionOf(/** @type {KeyboardEvent} */ event, /** @type {HTMLElement} */ row, /** @type {number} */ i) {
  const fields = [...row.querySelectorAll('input')]
  const isEmpty = fields.every(({ value }) => value === '')
  const isStory = fields.some(({ name }) => name === 'line_phrase')
  const own = event.target instanceof HTMLElement ? (event.target.dataset['key'] ?? '') : ''
  if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    const to = event.key === 'ArrowUp' ? i - 1 : i + 1
    const exists = document.querySelector(`[data-line="${to}"]`)
    return exists && { value: `${to < i ? 'up' : 'down'}:${i}`, key: own.replace(/[0-9]+$/, String(to)) }
  }
  if (!isStory) return event.key === 'Enter' ? { value: 'preview', key: own } : undefined
  if (event.key === 'Backspace' && isEmpty && document.querySelectorAll('[data-line]').length > 1) {
    return { value: `remove:${i}`, key: `quadranym-${Math.max(i - 1, 0)}` }
  }
  if (event.key !== 'Enter') return undefined
  if (isEmpty) return i === 0 ? undefined : { value: `break:${i}`, key: `phrase-${i + 1}` }
  // Enter in the phrase goes to its topic, Enter in the topic to the next line.
  const empty = fields.find(({ value }) => value === '')
  if (empty) {
    empty.focus()
    return { value: 'preview', key: empty.dataset['key'] ?? '' }
  }
  const next = document.querySelector(`[data-key="phrase-${i + 1}"]`)
  const isFree = next instanceof HTMLInputElement && next.value === ''
  return { value: isFree ? 'preview' : `insert:${i}`, key: `phrase-${i + 1}` }
}
