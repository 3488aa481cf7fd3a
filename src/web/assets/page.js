// @ts-check

/** A page as the server shows it now. */
export async function page(/** @type {string} */ url, /** @type {RequestInit} */ options = {}) {
  const answer = await fetch(url, { ...options, headers: { accept: 'text/html', ...options.headers } })
  const shown = new DOMParser().parseFromString(await answer.text(), 'text/html')
  return { status: answer.status, url: answer.url, redirected: answer.redirected, page: shown }
}

/** Why nothing has happened: a request could not be sent. The page stays as it is, with what was typed. */
export function sayOffline() {
  const message = document.getElementById('message')
  if (!message) return
  message.classList.add('floating')
  message.textContent = 'The server cannot be reached. Try again.'
}

/** Whether a request got no response at all. */
export const isOffline = (/** @type {unknown} */ error) => error instanceof TypeError
