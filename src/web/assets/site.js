// @ts-check
// For every page: search boxes suggest while the user types, and forms leave blanks out of addresses.

/** @typedef {{ kind: string, text: string, note: string, href: string }} Suggestion */

const PATIENCE = 120

for (const box of document.querySelectorAll('form.find')) suggestIn(/** @type {HTMLFormElement} */ (box))

/**
 * A listbox under a search box: arrow keys choose, Enter opens, Escape closes. Without it the box is a plain form.
 * @param {HTMLFormElement} box
 */
function suggestIn(box) {
  const input = /** @type {HTMLInputElement} */ (box.querySelector('input[name=q]'))
  const list = document.createElement('ul')
  list.id = `found-${[...document.querySelectorAll('form.find')].indexOf(box)}`
  list.className = 'suggested'
  list.role = 'listbox'
  list.ariaLabel = 'Suggestions'
  list.hidden = true
  const status = document.createElement('p')
  status.className = 'unseen'
  status.role = 'status'
  box.append(list, status)
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-autocomplete': 'list',
    'aria-controls': list.id,
  })) {
    input.setAttribute(name, value)
  }

  let chosen = -1
  let timer = 0
  let asking = new AbortController()

  const close = () => {
    clearTimeout(timer)
    asking.abort()
    box.ariaBusy = null
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    choose(-1)
  }

  /** @param {number} place */
  const choose = (place) => {
    list.children[chosen]?.setAttribute('aria-selected', 'false')
    chosen = place
    const option = list.children[chosen]
    if (!option) return input.removeAttribute('aria-activedescendant')
    option.setAttribute('aria-selected', 'true')
    option.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', option.id)
  }

  const ask = async () => {
    const wanted = input.value.trim()
    asking.abort()
    if (wanted === '') return close()
    asking = new AbortController()
    const { signal } = asking
    box.ariaBusy = 'true'
    try {
      const answer = await fetch(`/find/suggest/?q=${encodeURIComponent(wanted)}`, { signal })
      const { results } = /** @type {{ results: Suggestion[] }} */ (await answer.json())
      show(results)
    } catch (error) {
      // The plain form still works; an aborted older request is not an error.
      if (!signal.aborted) close()
      else if (!(error instanceof DOMException)) throw error
    } finally {
      if (!signal.aborted) box.ariaBusy = null
    }
  }

  /** @param {Suggestion[]} results */
  const show = (results) => {
    list.replaceChildren(...results.map(option))
    chosen = -1
    input.removeAttribute('aria-activedescendant')
    list.hidden = results.length === 0
    input.setAttribute('aria-expanded', String(results.length > 0))
    status.textContent = results.length === 0 ? 'Nothing found' : `${results.length} found`
  }

  /** @param {Suggestion} suggestion @param {number} place */
  const option = ({ kind, text, note, href }, place) => {
    const item = document.createElement('li')
    item.id = `${list.id}-${place}`
    item.role = 'option'
    item.setAttribute('aria-selected', 'false')
    item.dataset['href'] = href
    for (const [name, content] of Object.entries({ small: kind, b: text, span: note })) {
      if (content === '') continue
      const part = document.createElement(name)
      part.textContent = content
      item.append(part, ' ')
    }
    return item
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(ask, PATIENCE)
  })
  input.addEventListener('keydown', (event) => {
    const many = list.children.length
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      close()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (many === 0) return
      event.preventDefault()
      list.hidden = false
      input.setAttribute('aria-expanded', 'true')
      // One position after the last is the box itself.
      const step = event.key === 'ArrowDown' ? 1 : -1
      choose(((chosen + 1 + step + many + 1) % (many + 1)) - 1)
    } else if (event.key === 'Enter' && chosen >= 0 && !list.hidden) {
      event.preventDefault()
      open(list.children[chosen])
    }
  })
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    open(/** @type {Element} */ (event.target).closest('[role=option]'))
  })
  box.addEventListener('focusout', (event) => {
    if (!box.contains(/** @type {Node | null} */ (event.relatedTarget))) close()
  })

  /** @param {Element | null | undefined} item */
  const open = (item) => {
    const href = /** @type {HTMLElement | undefined} */ (item)?.dataset['href']
    if (href) location.assign(href)
  }
}

// Screen readers say what appears in a status after the page has loaded. Scripts leave a message for the next page.
const message = document.getElementById('message')
if (message) {
  const left = sessionStorage.getItem('message')
  sessionStorage.removeItem('message')
  const shown = left === null ? [...message.childNodes] : [left]
  if (shown.length > 0) setTimeout(() => message.replaceChildren(...shown), 100)
}

// Filters apply as soon as they are chosen. The arrow keys pass many values on the way to one, so they wait for Enter.
for (const choice of document.querySelectorAll('form.narrow select')) {
  let isPassing = false
  choice.addEventListener('keydown', (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event)
    isPassing = key !== 'Enter'
    if (key === 'Enter') /** @type {HTMLSelectElement} */ (choice).form?.requestSubmit()
  })
  choice.addEventListener('pointerdown', () => {
    isPassing = false
  })
  choice.addEventListener('change', () => {
    if (!isPassing) /** @type {HTMLSelectElement} */ (choice).form?.requestSubmit()
  })
}

// The browser restores what was chosen when the user comes back, but the list is that of the address.
addEventListener('pageshow', ({ persisted }) => {
  const [loaded] = performance.getEntriesByType('navigation')
  const isBack = loaded instanceof PerformanceNavigationTiming && loaded.type === 'back_forward'
  if (!persisted && !isBack) return
  for (const form of document.querySelectorAll('form.narrow')) /** @type {HTMLFormElement} */ (form).reset()
})

// A form that was refused begins with what is wrong: on a phone, that may be below the first screen.
const wrong =
  document.querySelector('main [aria-invalid="true"]') ?? document.querySelector('main .note.bad[role=alert]')
if (wrong instanceof HTMLElement) {
  if (wrong.role === 'alert') wrong.tabIndex = -1
  wrong.focus()
}

// Blank fields do not belong in the address.
for (const form of document.querySelectorAll('form.narrow')) {
  form.addEventListener('formdata', (event) => {
    const { formData } = /** @type {FormDataEvent} */ (event)
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
  })
}

// A slash moves to the search box, unless the user is typing.
document.addEventListener('keydown', (event) => {
  const { target } = event
  const writing =
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  if (event.key !== '/' || writing || event.ctrlKey || event.metaKey || event.altKey) return
  const input = /** @type {HTMLInputElement | null} */ (document.querySelector('form.find input[name=q]'))
  if (!input) return
  event.preventDefault()
  input.focus()
  input.select()
})
