// @ts-check
// A record's page: loads the uses of the record, and likes without leaving the place.
import { adoptToken, isOffline, saidBy, say, sayOffline } from './page.js'

for (const part of document.querySelectorAll('[data-later]')) {
  const address = /** @type {HTMLElement} */ (part).dataset['later'] ?? ''
  part.ariaBusy = 'true'
  fetch(address)
    .then(async (answer) => {
      if (!answer.ok) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const found = page.getElementById(part.id)
      // A record without uses has no such section.
      if (!found?.hasChildNodes()) part.remove()
      else part.replaceChildren(...found.childNodes)
    })
    // The link to the page of uses stays.
    .catch(() => {})
    .finally(() => {
      part.ariaBusy = null
    })
}

/**
 * Sends the like and shows what the page says about likes now. A refusal is shown. Otherwise, such as if the user must sign
 * in, the browser sends the form itself.
 */
async function like(/** @type {HTMLFormElement} */ form, /** @type {HTMLButtonElement} */ button, isAgain = false) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, button)) body.append(name, String(value))
  const answer = await fetch(form.action, { method: 'POST', headers: { accept: 'text/html' }, body })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (answer.status === 403 && adoptToken(page) && !isAgain) return await like(form, button, true)
  if (!answer.ok) return say(saidBy(page))
  const fresh = page.querySelector('form.like')
  if (!fresh) throw new Error('The page does not show the like.')
  const [old, now] = [document.querySelector('.head .meta'), page.querySelector('.head .meta')]
  if (old && now) old.replaceWith(now)
  form.replaceWith(fresh)
  const next = fresh.querySelector('button')
  next?.focus({ preventScroll: true })
  say(next?.value === 'give' ? 'You no longer like this.' : 'You like this.')
  // The button says the same, so it need not stay.
  setTimeout(() => document.getElementById('message')?.replaceChildren(), 6000)
}

document.addEventListener('submit', (event) => {
  const { target: form, submitter: button } = event
  if (!(form instanceof HTMLFormElement) || !form.matches('form.like')) return
  if (!(button instanceof HTMLButtonElement)) return
  event.preventDefault()
  like(form, button).catch((error) => {
    if (isOffline(error)) return sayOffline()
    const vote = Object.assign(document.createElement('input'), {
      type: 'hidden',
      name: button.name,
      value: button.value,
    })
    form.append(vote)
    form.submit()
  })
})
