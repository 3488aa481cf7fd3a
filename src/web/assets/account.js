// @ts-check
// Forms of accounts: passwords can be shown, and are then typed once; recovery codes can be copied and printed.
import { copyButton } from './copying.js'

for (const field of document.querySelectorAll('input[type=password]')) {
  if (!(field instanceof HTMLInputElement)) continue
  if (field.dataset['repeats'] !== undefined) {
    for (const label of field.labels ?? []) label.remove()
    document.getElementById(`${field.id}-wrong`)?.remove()
    field.remove()
    continue
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn small shows'
  button.textContent = 'Show'
  button.setAttribute('aria-controls', field.id)
  const show = (/** @type {boolean} */ isShown) => {
    field.type = isShown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(isShown))
  }
  show(false)
  button.addEventListener('click', () => show(field.type === 'password'))
  // A browser offers to store what is a password when it is sent.
  field.form?.addEventListener('submit', () => show(false))
  const box = document.createElement('span')
  box.className = 'shown'
  field.replaceWith(box)
  box.append(field, button)
}

const codes = document.querySelector('.codes')
if (codes) {
  const text = [...codes.querySelectorAll('code')].map((code) => `${code.textContent}\n`).join('')
  const bar = document.createElement('p')
  bar.className = 'chips'
  if (navigator.clipboard) bar.append(copyButton('Copy', () => text, codes))
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn small'
  button.textContent = 'Print'
  button.addEventListener('click', () => print())
  bar.append(button)
  codes.after(bar)
}
