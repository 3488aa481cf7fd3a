// @ts-check
// Help while the user fills in a form: suggestions, similar records, a preview. The form works without it.
import { ask, calmly, page, renewToken } from './ask.js'
import { drawWhileTyping } from './drawing.js'
import { find, picker } from './pick.js'

const form = /** @type {HTMLFormElement} */ (document.querySelector('form.maker'))
const kind = form.dataset['kind'] ?? ''
const own = Number(form.dataset['id'] ?? 0)

/** @template {Element} T @returns {T[]} */
function all(/** @type {string} */ selector, /** @type {new () => T} */ type) {
  return [...document.querySelectorAll(selector)].filter((each) => each instanceof type)
}

function make(
  /** @type {string} */ tag,
  /** @type {Record<string, string>} */ attributes = {},
  /** @type {(Node | string)[]} */ ...inside
) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...inside)
  return made
}

const written = (/** @type {{ name: string, id: number }} */ { name, id }) => `${name.replaceAll(/\s+/g, ' ')} #${id}`

/** One record, chosen by typing. */
function pickOne(/** @type {HTMLInputElement} */ input) {
  picker(input, input.dataset['pick'] ?? '', (found) => {
    input.value = written(found)
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
}

/** Several records: a list to add to, reorder and remove from. The text field behind it is what is sent. */
function pickMany(/** @type {HTMLTextAreaElement} */ area) {
  if (area.hidden) return
  const of = area.dataset['pickMany'] ?? ''
  const list = make('ol', { class: 'picked' })
  const input = /** @type {HTMLInputElement} */ (
    make('input', { type: 'search', placeholder: `Add a ${of} …`, id: `${area.id}-add` })
  )
  for (const name of ['aria-describedby', 'aria-invalid']) {
    const value = area.getAttribute(name)
    if (value) input.setAttribute(name, value)
  }
  const lines = () => area.value.split('\n').filter((line) => line.trim() !== '')
  const put = (/** @type {string[]} */ next, /** @type {string=} */ focus) => {
    area.value = next.join('\n')
    draw()
    const target = focus && list.querySelector(`[data-key="${focus}"]`)
    if (target instanceof HTMLButtonElement && !target.disabled) target.focus()
    else if (focus) input.focus()
  }
  const draw = () => {
    const now = lines()
    list.replaceChildren(
      ...now.map((line, i) => {
        const name = line.replace(/ #[0-9]+$/, '')
        const button = (
          /** @type {string} */ what,
          /** @type {string} */ sign,
          /** @type {() => void} */ act,
          off = false,
        ) => {
          const made = /** @type {HTMLButtonElement} */ (
            make(
              'button',
              { type: 'button', class: 'btn small', 'aria-label': `${what} ${name}`, 'data-key': `${what}-${i}` },
              sign,
            )
          )
          made.disabled = off
          made.addEventListener('click', act)
          return made
        }
        const swap = (/** @type {number} */ to) => {
          const next = [...now]
          next.splice(to, 0, ...next.splice(i, 1))
          put(next, `${to < i ? 'Move up' : 'Move down'}-${to}`)
        }
        return make(
          'li',
          {},
          make('span', {}, name, ' '),
          button('Move up', '↑', () => swap(i - 1), i === 0),
          button('Move down', '↓', () => swap(i + 1), i === now.length - 1),
          button('Remove', '×', () =>
            put(
              now.filter((_, at) => at !== i),
              `Remove-${Math.max(0, i - 1)}`,
            ),
          ),
        )
      }),
    )
  }
  area.hidden = true
  const box = make('span', { class: 'pick' }, input)
  area.after(list, box)
  document.querySelector(`label[for="${area.id}"]`)?.setAttribute('for', input.id)
  picker(input, of, (found) => {
    input.value = ''
    const line = written(found)
    if (!lines().includes(line)) put([...lines(), line])
  })
  // Enter adds the typed text, which the server looks up, instead of sending the form.
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.defaultPrevented) return
    event.preventDefault()
    if (input.value.trim() !== '') put([...lines(), input.value.trim()])
    input.value = ''
  })
  draw()
}

/** Shows only the slots that are needed: the filled ones, and one more. */
function grow(/** @type {HTMLFieldSetElement} */ group) {
  const rows = [...group.querySelectorAll('li')]
  const inputs = rows.map((row) => /** @type {HTMLInputElement} */ (row.querySelector('input')))
  const least = Number(group.dataset['grow'])
  const fit = () => {
    const last = inputs.findLastIndex((input) => input.value.trim() !== '' || input.getAttribute('aria-invalid'))
    rows.forEach((row, i) => {
      row.hidden = i > Math.max(last + 1, least - 1)
    })
  }
  group.addEventListener('input', fit)
  group.addEventListener('change', fit)
  fit()
}

/** Words of the catalogue that begin like the typed text. */
function offerTerms(/** @type {HTMLInputElement} */ input) {
  const list = make('datalist', { id: `terms-${input.id}` })
  input.after(list)
  input.setAttribute('list', list.id)
  const isTerm = /^([eros]|p[0-9]+|name)$/
  input.addEventListener(
    'input',
    calmly(async () => {
      const text = input.value.trim().toLowerCase()
      if (text.length < 2) return
      const found = await find(kind, text).catch(() => [])
      const terms = found.flatMap(({ record }) =>
        Object.entries(record).flatMap(([name, value]) => (isTerm.test(name) ? [String(value)] : [])),
      )
      const fitting = [...new Set(terms)].filter(
        (term) => term.toLowerCase().startsWith(text) && term.toLowerCase() !== text,
      )
      list.replaceChildren(...fitting.slice(0, 10).map((value) => make('option', { value })))
    }),
  )
}

/** Warns if a record with this name or text exists. */
function warn(/** @type {HTMLInputElement | HTMLTextAreaElement} */ input) {
  const member = input.dataset['unique'] ?? 'name'
  const place = document.querySelector('[data-twins]')
  const look = calmly(async () => {
    const text = input.value.trim()
    const query =
      member === 'name' ? `search=${encodeURIComponent(text.slice(0, 100))}` : `body=${encodeURIComponent(text)}`
    if (text === '' || text.length > 1500) return place?.replaceChildren()
    const { status, json } = await ask(`/api/${kind}/?${query}&page_size=20`).catch(() => ({
      status: 0,
      json: undefined,
    }))
    if (status !== 200 || input.value.trim() !== text) return
    const same = json.results.filter((/** @type {any} */ each) => {
      return each[`${kind}_id`] !== own && String(each[member]).toLowerCase() === text.toLowerCase()
    })
    if (same.length === 0) return place?.replaceChildren()
    const links = same.slice(0, 5).flatMap((/** @type {any} */ each, /** @type {number} */ i) => {
      const more = each.e === undefined ? '' : ` (${[each.e, each.r, each.o, each.s].join(', ')})`
      const href = kind === 'queue' ? `/word/${encodeURIComponent(each.name)}/` : `/${kind}/${each[`${kind}_id`]}/`
      return [i > 0 ? ', ' : ' ', make('a', { href }, `${each[member]}${more}`)]
    })
    place?.replaceChildren(
      make('p', { class: 'note' }, `There is already one with this ${member === 'name' ? 'name' : 'text'}:`, ...links),
    )
  }, 300)
  input.addEventListener('input', look)
}

/** The server handles buttons that change lines, as without a script; this replaces only the parts that change. */
async function act(/** @type {string} */ action, { parts = ['lines', 'preview'], key = '' } = {}) {
  const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  body.set('action', action)
  const { page: next } = await page(location.pathname, { method: 'POST', body })
  for (const part of parts) {
    const fresh = next.querySelector(`[data-swap-part=${part}]`)
    const old = document.querySelector(`[data-swap-part=${part}]`)
    if (!fresh || !old) continue
    const typing = document.activeElement
    // Buttons that move nothing must not overwrite what was typed meanwhile.
    if (!action.includes(':')) keepTyped(old, fresh)
    old.replaceWith(fresh)
    if (typing instanceof HTMLInputElement && old.contains(typing)) goOnTyping(typing)
  }
  for (const input of all('input[data-pick]', HTMLInputElement)) pickOne(input)
  const target = key && document.querySelector(`[data-key="${CSS.escape(key)}"]`)
  // The first line cannot move up: the focus goes to the button next to it.
  const able =
    target instanceof Element && target.matches(':disabled')
      ? target.parentElement?.querySelector('button:enabled')
      : target
  if (able instanceof HTMLElement) able.focus()
}

function keepTyped(/** @type {Element} */ old, /** @type {Element} */ fresh) {
  for (const input of old.querySelectorAll('input[data-key]')) {
    const twin = fresh.querySelector(`[data-key="${input.getAttribute('data-key')}"]`)
    if (input instanceof HTMLInputElement && twin instanceof HTMLInputElement) twin.value = input.value
  }
}

function goOnTyping(/** @type {HTMLInputElement} */ old) {
  const twin = document.querySelector(`input[data-key="${old.dataset['key']}"]`)
  if (!(twin instanceof HTMLInputElement)) return
  pickOne(twin)
  twin.focus()
  twin.setSelectionRange(old.selectionStart, old.selectionEnd)
  twin.dispatchEvent(new Event('input', { bubbles: true }))
}

function keyAfter(/** @type {string} */ action) {
  const [what, where] = action.split(':')
  const i = Number(where)
  if (what === 'up') return `up-${Math.max(i - 1, 0)}`
  if (what === 'down') return `down-${i + 1}`
  if (what === 'insert') return `phrase-${i + 1}`
  return what === 'remove' ? `remove-${Math.max(i - 1, 0)}` : (what ?? '')
}

form.addEventListener('click', (event) => {
  const button = event.target instanceof Element && event.target.closest('button[name=action]')
  if (!(button instanceof HTMLButtonElement) || button.value === 'save') return
  event.preventDefault()
  act(button.value, { key: keyAfter(button.value) }).catch(() => form.requestSubmit(button))
})
form.addEventListener('change', (event) => {
  if (!(event.target instanceof HTMLInputElement)) return
  if (event.target.id === 'fable') act('topics').catch(() => {})
  else if (event.target.name.startsWith('line_')) act('preview', { parts: ['preview'] }).catch(() => {})
})
// Enter in a line shows a preview, instead of pressing the first button of the form.
form.addEventListener('keydown', (event) => {
  const input = event.target
  if (event.key !== 'Enter' || event.defaultPrevented || !(input instanceof HTMLInputElement)) return
  if (!input.name.startsWith('line_') && input.id !== 'fable') return
  event.preventDefault()
  act(input.id === 'fable' ? 'topics' : 'preview', { key: input.dataset['key'] ?? '' }).catch(() => {})
})
// A user who signed in again in another tab has another token now.
form.addEventListener('submit', async (event) => {
  if (!document.querySelector('[data-signed-out]')) return
  event.preventDefault()
  await renewToken().catch(() => {})
  form.submit()
})

for (const input of all('input[data-pick]', HTMLInputElement)) pickOne(input)
for (const area of all('textarea[data-pick-many]', HTMLTextAreaElement)) pickMany(area)
for (const group of all('fieldset[data-grow]', HTMLFieldSetElement)) grow(group)
for (const input of all('input[data-terms]', HTMLInputElement)) offerTerms(input)
for (const input of all('[data-unique]', HTMLElement)) {
  if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) warn(input)
}
for (const figure of all('[data-picture]', HTMLElement)) drawWhileTyping(form, figure)
