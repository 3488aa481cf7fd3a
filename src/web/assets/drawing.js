// @ts-check
// Draws what a form describes while the user types. The server draws it.
import { calmly, page } from './ask.js'

/** `figure` names the address of its picture. */
export function drawWhileTyping(/** @type {HTMLFormElement} */ form, /** @type {HTMLElement} */ figure) {
  let latest = 0
  form.addEventListener(
    'input',
    calmly(async () => {
      const mine = ++latest
      const fields = [...new FormData(form)]
        .filter(([name]) => name !== 'csrfmiddlewaretoken')
        .map(([name, value]) => [name, String(value)])
      const drawn = await page(`${figure.dataset['picture']}?${new URLSearchParams(fields)}`).catch(() => undefined)
      const fresh = drawn?.page.querySelector('figure')
      if (mine === latest && fresh) figure.replaceChildren(...fresh.childNodes)
    }),
  )
}
