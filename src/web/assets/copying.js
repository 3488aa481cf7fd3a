// @ts-check
// Copies texts to the clipboard. A browser may refuse it: then the text is selected, and the page says so.

/** @returns {Promise<boolean>} whether the browser allowed it */
export async function copy(/** @type {string} */ text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

export const REFUSED = 'The browser does not allow copying.'

/**
 * A button that copies a text, and says next to it if that failed.
 * @param {string} label
 * @param {() => string} textOf
 * @param {Element} [source] Where the text stands; without it, the text is shown if it cannot be copied.
 */
export function copyButton(label, textOf, source) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn small'
  button.textContent = label
  const said = document.createElement('span')
  said.role = 'status'
  button.addEventListener('click', async () => {
    const isCopied = await copy(textOf())
    button.textContent = isCopied ? 'Copied' : label
    said.textContent = isCopied ? '' : `${REFUSED} It is selected: copy it with the keyboard. `
    if (isCopied) return
    const shown = document.createElement('code')
    shown.textContent = textOf()
    if (!source) said.append(shown)
    getSelection()?.selectAllChildren(source ?? shown)
  })
  const both = document.createElement('span')
  both.className = 'copying'
  both.append(button, ' ', said)
  return both
}
