// @ts-check
// A box to search the catalogue and choose from the results: ARIA's pattern "combobox with a listbox".
import { ask, calmly } from './ask.js'
import { wordsOfRecord } from './naming.js'

/** @typedef {{ id: number, name: string, more: string, record: any }} Found */

const MOST = 8
let boxes = 0

/** What distinguishes records of the same name. */
function moreOf(/** @type {any} */ record) {
  if ('e' in record) return [record.e, record.r, record.o, record.s].filter((term) => term).join(', ')
  if ('mode' in record) return Array.from({ length: record.depth }, (_, i) => record[`p${i + 1}`]).join(', ')
  return record.qode === undefined ? (record.src ?? '') : (wordsOfRecord(record)[0] ?? '')
}

/** @returns {Promise<Found[]>} */
export async function find(/** @type {string} */ kind, /** @type {string} */ text, /** @type {AbortSignal=} */ signal) {
  const path = `/api/${kind}/?search=${encodeURIComponent(text)}&page_size=${MOST}`
  const { status, json } = await ask(path, signal ? { signal } : {})
  if (status !== 200) throw new Error(`The search returned ${status}.`)
  return json.results.map((/** @type {any} */ record) => foundOf(kind, record))
}

/** @returns {Found} */
function foundOf(/** @type {string} */ kind, /** @type {any} */ record) {
  return { id: record[`${kind}_id`], name: record.name ?? record.body, more: moreOf(record), record }
}

/**
 * @typedef {object} Choices
 * @property {(signal: AbortSignal) => Promise<any[]>} first the records to show before anything is typed
 * @property {((records: any[]) => Promise<string[]>) | undefined} more what is shown after each name
 */

/**
 * @param {HTMLInputElement} input
 * @param {string} kind
 * @param {(found: Found) => void} picked
 * @param {Choices} [choices]
 * @returns {(() => void) | undefined} closes the list
 */
export function picker(input, kind, picked, choices) {
  if (input.getAttribute('role') === 'combobox') return undefined
  const list = document.createElement('ul')
  list.id = `picks-${++boxes}`
  list.className = 'picks'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', `Each ${kind} that fits`)
  list.hidden = true
  const told = document.createElement('span')
  told.className = 'unseen'
  told.setAttribute('role', 'status')
  input.after(list, told)
  input.parentElement?.classList.add('picking')
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
    autocomplete: 'off',
  })) {
    input.setAttribute(name, value)
  }
  input.removeAttribute('list')

  /** @type {Found[]} */
  let found = []
  let at = -1
  /** @type {AbortController | undefined} */
  let asking

  const say = (/** @type {string} */ text, isSeen = false) => {
    told.className = isSeen ? 'picks none' : 'unseen'
    told.textContent = text
  }
  const close = () => {
    look.cancel()
    asking?.abort()
    list.hidden = true
    say('')
    at = -1
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const point = (/** @type {number} */ to) => {
    at = (to + found.length) % found.length
    for (const [i, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(i === at))
    const option = list.children[at]
    if (!option) return
    input.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }
  const choose = (/** @type {number} */ i) => {
    const one = found[i]
    close()
    if (one) picked(one)
  }
  const show = () => {
    list.replaceChildren(
      ...found.map(({ name, more }, i) => {
        const option = document.createElement('li')
        option.id = `${list.id}-${i}`
        option.setAttribute('role', 'option')
        option.setAttribute('aria-selected', 'false')
        const title = document.createElement('b')
        title.textContent = name
        const rest = document.createElement('span')
        rest.textContent = more
        option.append(title, ' ', rest)
        option.addEventListener('mousedown', (event) => event.preventDefault())
        option.addEventListener('click', () => choose(i))
        return option
      }),
    )
    // Nothing in the new list is pointed at.
    at = -1
    input.removeAttribute('aria-activedescendant')
    const isOpen = found.length > 0
    list.hidden = !isOpen
    input.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) say(`${found.length} to choose from`)
    else say('Nothing matches', input.value.trim() !== '')
  }
  const look = calmly(async () => {
    const text = input.value.replace(/#\d+\s*$/, '').trim()
    asking?.abort()
    if (text === '' && !choices) return close()
    const mine = new AbortController()
    asking = mine
    try {
      const fitting =
        text === '' && choices
          ? (await choices.first(mine.signal)).map((record) => foundOf(kind, record))
          : await find(kind, text, mine.signal)
      const more = await choices?.more?.(fitting.map(({ record }) => record)).catch(() => undefined)
      if (document.activeElement !== input || mine.signal.aborted) return
      // Until now, a press means what the list has shown.
      found = fitting.map((each, i) => ({ ...each, more: more?.[i] || each.more }))
      show()
    } catch {
      // Another letter was typed, or the network failed: the box stays as it is.
    }
  })
  input.addEventListener('input', look)
  input.addEventListener('blur', close)
  if (choices) {
    // The list is there before anything is typed.
    for (const event of ['focus', 'click']) {
      input.addEventListener(event, () => {
        if (input.value === '' && list.hidden) look()
      })
    }
  }
  input.addEventListener('keydown', (event) => {
    // With Alt, the arrows move the line of a story.
    if (event.altKey) return
    if (event.key === 'ArrowDown' && list.hidden) look()
    if (list.hidden) return
    if (event.key === 'ArrowDown') point(at + 1)
    else if (event.key === 'ArrowUp') point(at < 0 ? -1 : at - 1)
    else if (event.key === 'Enter' && at >= 0) choose(at)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  return close
}
