// @ts-check
// A record's page: loads the uses of the record, and copies what can be shared.

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

for (const field of document.querySelectorAll('input.copied')) {
  if (!navigator.clipboard || !(field instanceof HTMLInputElement)) continue
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn small'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy: ${field.labels?.[0]?.textContent ?? ''}`)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(field.value)
    button.textContent = 'Copied'
  })
  field.after(button)
  field.addEventListener('focus', () => field.select())
}
