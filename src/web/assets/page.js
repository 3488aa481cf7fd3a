// @ts-check

/** A page as the server shows it now. */
export async function page(/** @type {string} */ url, /** @type {RequestInit} */ options = {}) {
  const answer = await fetch(url, { ...options, headers: { accept: 'text/html', ...options.headers } })
  const shown = new DOMParser().parseFromString(await answer.text(), 'text/html')
  return { status: answer.status, url: answer.url, redirected: answer.redirected, page: shown }
}
