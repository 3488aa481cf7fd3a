// A click on a command copies it.
for (const code of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent ?? '')
    button.textContent = 'Copied'
  })
  code.after(button)
}
