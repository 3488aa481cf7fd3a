// @ts-check
// Help while the user fills in a form: suggestions, similar records, a preview. The form works without it.
import { all, enhanceWith, form } from './acting.js'
import { ask, calmly, renewToken } from './ask.js'
import { choicesFor, labelFor, namedBy } from './choices.js'
import { drawWhileTyping } from './drawing.js'
import './linekeys.js'
import { find, picker } from './pick.js'

const kind = form.dataset['kind'] ?? ''
const own = Number(form.dataset['id'] ?? 0)

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

/** One record, chosen by typing or from the list that is shown before. */
function pickOne(/** @type {HTMLInputElement} */ input) {
  const of = input.dataset['pick'] ?? ''
  const chosen = async (/** @type {any} */ found) => {
    input.value = await labelFor(of, found.record)
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }
  picker(input, of, chosen, choicesFor(of, input))
}

/** Several records: a list to add to, reorder and remove from. The text field behind it is what is sent. */
function pickMany(/** @type {HTMLTextAreaElement} */ area) {
  if (area.hidden) return
  const of = area.dataset['pickMany'] ?? ''
  const list = make('ol', { class: 'picked' })
  const input = /** @type {HTMLInputElement} */ (
    make('input', { type: 'search', placeholder: `Add a ${of} …`, id: `${area.id}-add` })
  )
  // The lines that it describes are not shown.
  document.getElementById(`${area.id}-help`)?.remove()
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
  const add = async (/** @type {any} */ found) => {
    input.value = ''
    const line = await labelFor(of, found.record)
    if (!lines().includes(line)) put([...lines(), line])
  }
  const close = picker(input, of, add, choicesFor(of))
  // Enter adds what the typed text names, instead of sending the form. Other texts stay, and the list says what fits.
  input.addEventListener('keydown', async (event) => {
    if (event.key !== 'Enter' || event.defaultPrevented) return
    event.preventDefault()
    const text = input.value.trim()
    if (text === '') return
    const record = await namedBy(of, text).catch(() => undefined)
    if (input.value.trim() !== text) return
    if (!record) return input.dispatchEvent(new Event('input'))
    close?.()
    await add({ record })
  })
  // What is typed and not chosen is added before the form is sent; what names no single record keeps the form here.
  form.addEventListener(
    'submit',
    async (event) => {
      const text = input.value.trim()
      if (text === '') return
      event.preventDefault()
      event.stopImmediatePropagation()
      const record = await namedBy(of, text).catch(() => undefined)
      if (input.value.trim() !== text) return
      if (!record) return refuse(`“${text}” does not name one ${of}. Choose from the list, or empty the box.`)
      close?.()
      await add({ record })
      form.requestSubmit(event.submitter)
    },
    true,
  )
  const refuse = (/** @type {string} */ says) => {
    const id = `${area.id}-wrong`
    document.getElementById(id)?.remove()
    box.after(make('span', { class: 'wrong', id, role: 'alert' }, says))
    input.setAttribute('aria-invalid', 'true')
    input.setAttribute('aria-describedby', id)
    input.focus()
    // The list shows what fits.
    input.dispatchEvent(new Event('input'))
  }
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

/** Enter goes to the next field: only the button saves. */
form.addEventListener('keydown', (event) => {
  const input = event.target
  if (event.key !== 'Enter' || event.defaultPrevented || !(input instanceof HTMLInputElement)) return
  event.preventDefault()
  const fields = all('form.maker :is(input, textarea, select, summary, button.go)', HTMLElement)
  const isShown = (/** @type {HTMLElement} */ each) => each.offsetParent !== null && !each.classList.contains('unseen')
  fields
    .slice(fields.indexOf(input) + 1)
    .find(isShown)
    ?.focus()
})

/** A fault is forgotten while the user mends its field. */
form.addEventListener('input', ({ target }) => {
  if (!(target instanceof HTMLElement) || target.getAttribute('aria-invalid') === null) return
  for (const id of (target.getAttribute('aria-describedby') ?? '').split(' ')) {
    const about = document.getElementById(id)
    if (about?.classList.contains('wrong')) about.remove()
  }
  target.removeAttribute('aria-invalid')
})

// A user who signed in again in another tab has another token now.
form.addEventListener('submit', async (event) => {
  if (!document.querySelector('[data-signed-out]')) return
  event.preventDefault()
  await renewToken().catch(() => {})
  form.submit()
})

enhanceWith(() => {
  for (const input of all('input[data-pick]', HTMLInputElement)) pickOne(input)
})
for (const area of all('textarea[data-pick-many]', HTMLTextAreaElement)) pickMany(area)
for (const group of all('fieldset[data-grow]', HTMLFieldSetElement)) grow(group)
for (const input of all('input[data-terms]', HTMLInputElement)) offerTerms(input)
for (const input of all('[data-unique]', HTMLElement)) {
  if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) warn(input)
}
for (const figure of all('[data-picture]', HTMLElement)) drawWhileTyping(form, figure)
