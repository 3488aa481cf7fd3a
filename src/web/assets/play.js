// @ts-check
// Rounds without loading pages: forms are sent in place, the result is said, and the next thing to do has the focus.
import { adoptToken, isOffline, page, sayOffline } from './page.js'

const said = document.createElement('p')
said.className = 'unseen'
said.role = 'status'
document.querySelector('main')?.append(said)

let isBusy = false

/** If the player has signed in meanwhile in another tab, the form is sent again, with the token of the new session. */
async function sent(/** @type {HTMLFormElement} */ form, /** @type {HTMLElement | null} */ button, isAgain = false) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, button)) body.append(name, String(value))
  const answer = await page(form.action, { method: 'POST', body })
  const isOld = answer.status === 403 && !isAgain && adoptToken(answer.page)
  return isOld ? await sent(form, button, true) : answer
}

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.closest('[data-round]') || form.method !== 'post') return
  event.preventDefault()
  if (isBusy) return
  isBusy = true
  try {
    const { status, url, page: next } = await sent(form, event.submitter)
    // The page of an error has no round, and says what is wrong.
    const fresh = next.querySelector('[data-round], main > .state')
    const old = document.querySelector('[data-round]')
    if (!fresh || !old) throw new Error(String(status))
    old.replaceWith(fresh)
    document.title = next.title
    // The same address again would make the Back button seem dead.
    if (fresh.matches('[data-round]') && url !== location.href) history.pushState(null, '', url)
    const first = fresh.querySelector('[autofocus], .state .btn')
    if (first instanceof HTMLElement) first.focus()
    document.dispatchEvent(new Event('round'))
    const parts = fresh.querySelectorAll('[role=alert], p[data-says], [data-says] p, .state > :is(h1, h1 ~ p)')
    said.textContent = [...parts].map((part) => part.textContent).join(' ')
    scrollTo({ top: 0 })
  } catch (error) {
    // Pages work without this script.
    if (isOffline(error)) sayOffline()
    else location.reload()
  }
  isBusy = false
})

// A key that is held down would also answer the next question.
document.addEventListener('keydown', (event) => {
  const isHeld = event.repeat && event.key === 'Enter'
  if (isHeld && event.target instanceof Element && event.target.closest('[data-round]')) event.preventDefault()
})

// The number of an option chooses it.
document.addEventListener('keydown', ({ key, ctrlKey, altKey, metaKey, repeat, target }) => {
  if (ctrlKey || altKey || metaKey || repeat || !/^[1-9]$/.test(key)) return
  if (target instanceof Element && target.closest('input, textarea, select')) return
  const option = document.querySelector(`[data-round] button[data-key="${key}"]`)
  if (option instanceof HTMLButtonElement) option.click()
})

addEventListener('popstate', () => location.reload())
