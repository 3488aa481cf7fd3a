// @ts-check
// Filters the list of operations while the reader types.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form.filter'))
if (form) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector('input'))
  const status = /** @type {HTMLElement} */ (form.querySelector('[role=status]'))
  const groups = [...document.querySelectorAll('section.group')].map((section) => ({
    section: /** @type {HTMLElement} */ (section),
    lines: [...section.querySelectorAll('li')].map((line) => ({
      line,
      text: `${line.id} ${line.textContent}`.toLowerCase(),
    })),
  }))

  const filter = () => {
    const words = input.value.toLowerCase().split(/\s+/)
    let found = 0
    for (const { section, lines } of groups) {
      let here = 0
      for (const { line, text } of lines) {
        line.hidden = !words.every((word) => text.includes(word))
        if (!line.hidden) here++
      }
      section.hidden = here === 0
      found += here
    }
    status.textContent = input.value.trim() === '' ? '' : `${found} ${found === 1 ? 'operation' : 'operations'}`
  }

  form.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
  input.addEventListener('input', filter)
  // The browser may restore an earlier input.
  filter()
}
