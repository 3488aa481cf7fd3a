// @ts-check
// A click on a command copies it.
import { copyButton } from './copying.js'

for (const code of document.querySelectorAll('[data-copy]')) {
  code.after(copyButton('Copy', () => code.textContent ?? '', code))
}
