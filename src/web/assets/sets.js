// @ts-check
// The board of a day: arrow keys move between words, four can be chosen, and a wrong guess keeps what was chosen.

const MOST = 4
const COLUMNS = 4

/** @type {string[]} */
let kept = []
/** @type {string | undefined} */
let focused

function boxes() {
  const found = [...document.querySelectorAll('[data-board] input[name=word]')]
  return found.filter((box) => box instanceof HTMLInputElement)
}

/** @param {string} text */
function say(text) {
  const status = document.querySelector('main > [role=status]')
  if (status) status.textContent = text
}

function count() {
  const all = boxes()
  const chosen = all.filter(({ checked }) => checked)
  kept = chosen.map(({ value }) => value)
  const shown = document.querySelector('[data-chosen]')
  if (shown) shown.textContent = `${chosen.length} of ${MOST} chosen`
  const guess = document.querySelector('[data-board] [type=submit]')
  if (guess instanceof HTMLButtonElement) guess.disabled = chosen.length !== MOST
}

/** The page is new, or a guess has replaced a part of it. */
function begin() {
  for (const button of document.querySelectorAll('[data-shuffle]')) button.removeAttribute('hidden')
  const all = boxes()
  const left = all.filter(({ value }) => kept.includes(value))
  if (left.length === kept.length) for (const box of left) box.checked = true
  const at = all.find(({ value }) => value === focused)
  if (at) at.focus()
  if (all.length > 0) count()
  showDay()
}

/** Whether the board of today is done, and when the next one begins. */
function showDay() {
  const now = new Date()
  const done = document.querySelector('[data-done]')
  if (done) {
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
    const isDone = done.getAttribute('data-done') === day.join('-')
    done.toggleAttribute('hidden', !isDone)
    document.querySelector('[data-to-do]')?.toggleAttribute('hidden', isDone)
  }
  const next = document.querySelector('[data-next-day]')
  if (next) {
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)
    const minutes = Math.ceil((midnight.getTime() - now.getTime()) / 60_000)
    next.textContent = `The next board begins in ${Math.floor(minutes / 60)} h ${minutes % 60} min.`
  }
}

// Before the form is read: the day is the player's own.
document.addEventListener(
  'submit',
  ({ target }) => {
    if (!(target instanceof HTMLFormElement)) return
    const zone = target.elements.namedItem('zone')
    if (zone instanceof HTMLInputElement) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''
  },
  true,
)

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== 'word') return
  if (boxes().filter(({ checked }) => checked).length > MOST) {
    target.checked = false
    say('Four words are chosen already.')
  }
  count()
})

document.addEventListener('reset', () => setTimeout(count))

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'word') focused = target.value
})

document.addEventListener('keydown', (event) => {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS }
  const step = Object.entries(steps).find(([key]) => key === event.key)?.[1]
  const all = boxes()
  const { target } = event
  const at = target instanceof HTMLInputElement ? all.indexOf(target) : -1
  if (step === undefined || at < 0) return
  event.preventDefault()
  all[at + step]?.focus()
})

document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element) || !target.closest('[data-shuffle]')) return
  const tiles = [...document.querySelectorAll('[data-board] .tile')]
  const place = tiles[0]?.parentElement
  while (tiles.length > 0) place?.append(...tiles.splice(Math.floor(Math.random() * tiles.length), 1))
  say('The words are in another order.')
})

// A page may stay open over midnight.
document.addEventListener('visibilitychange', showDay)
document.addEventListener('round', begin)
begin()
