// @ts-check

/** A page as the server shows it now. */
export async function page(/** @type {string} */ url, /** @type {RequestInit} */ options = {}) {
  const answer = await fetch(url, { ...options, headers: { accept: 'text/html', ...options.headers } })
  const shown = new DOMParser().parseFromString(await answer.text(), 'text/html')
  return { status: answer.status, url: answer.url, redirected: answer.redirected, page: shown }
}

/**
 * Takes the CSRF token of a page that the server has just sent: the user may have signed in again in another tab. Returns
 * whether the forms of this page had another one.
 */
export function adoptToken(/** @type {Document} */ fresh) {
  const token = fresh.querySelector('input[name=csrfmiddlewaretoken]')?.getAttribute('value') ?? ''
  const fields = [...document.querySelectorAll('input[name=csrfmiddlewaretoken]')]
  const isNew = token !== '' && fields.some((field) => field.getAttribute('value') !== token)
  if (isNew) for (const field of fields) field.setAttribute('value', token)
  return isNew
}

/** Shows a message that does not move the page. */
export function say(/** @type {string} */ text) {
  const message = document.getElementById('message')
  if (!message) return
  message.classList.add('floating')
  message.textContent = text
}

/** Why nothing has happened: a request could not be sent. The page stays as it is, with what was typed. */
export const sayOffline = () => say('The server cannot be reached. Try again.')

/** What a page of an error says. */
export function saidBy(/** @type {Document} */ page) {
  const sentences = [...page.querySelectorAll('.state > p:not(.kind)')].map((each) => each.textContent)
  return sentences.join(' ') || 'That did not work. Try again.'
}

/** Whether a request got no response at all. */
export const isOffline = (/** @type {unknown} */ error) => error instanceof TypeError
