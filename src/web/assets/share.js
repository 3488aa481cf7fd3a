// @ts-check
// Copies what can be shared to the clipboard, hands it to an app of the device, or prints it.
import { copy, REFUSED } from './copying.js'

const canSend = 'share' in navigator

/** Buttons that need scripts are hidden until there are scripts; turning a text and walking from word to word bring new ones. */
function show() {
  if (navigator.clipboard) {
    for (const button of document.querySelectorAll('[data-copy][hidden]')) button.removeAttribute('hidden')
  }
  for (const button of document.querySelectorAll('[data-print][hidden]')) button.removeAttribute('hidden')
  if (canSend) for (const button of document.querySelectorAll('[data-send][hidden]')) button.removeAttribute('hidden')
}

/** @param {Element} button @param {string} text */
function say(button, text) {
  const status = button.closest('details')?.querySelector('[data-copied]')
  if (status) status.textContent = text
}

/** @param {string | null} id */
function fieldOf(id) {
  const field = document.getElementById(id ?? '')
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field : undefined
}

document.addEventListener('click', async (event) => {
  const button = event.target instanceof Element && event.target.closest('[data-copy], [data-send]')
  if (!button) return
  const copied = fieldOf(button.getAttribute('data-copy'))
  const sent = fieldOf(button.getAttribute('data-send'))
  // The visitor may choose no app.
  if (sent) await navigator.share({ text: sent.value }).catch(() => {})
  if (!copied) return
  if (await copy(copied.value)) return say(button, `Copied: ${copied.labels?.[0]?.textContent ?? 'text'}.`)
  copied.select()
  say(button, `${REFUSED} The field is selected: copy it with the keyboard.`)
})

document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-print]')) print()
})

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && target.matches('.copied')) fieldOf(target.id)?.select()
})

const main = document.querySelector('main')
if (main) new MutationObserver(show).observe(main, { childList: true, subtree: true })
show()
