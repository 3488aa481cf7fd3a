// @ts-check
// A table of records: one box selects all of the page, and the tools say how many are selected.

for (const form of document.querySelectorAll('form[data-select-many]')) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('tbody input[type=checkbox]')])
  const head = form.querySelector('thead .tick')
  const told = form.querySelector('[data-selected]')
  const buttons = /** @type {HTMLButtonElement[]} */ ([...form.querySelectorAll('button[name=do]')])
  if (!head || !told || boxes.length === 0) continue
  const all = document.createElement('input')
  all.type = 'checkbox'
  all.ariaLabel = 'Select all of this page'
  head.replaceChildren(all)
  const update = () => {
    const count = boxes.filter((box) => box.checked).length
    all.checked = count === boxes.length
    all.indeterminate = count > 0 && count < boxes.length
    told.textContent = count === 0 ? 'None selected' : `${count} selected`
    for (const button of buttons) button.disabled = count === 0
  }
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
    update()
  })
  form.addEventListener('change', update)
  // A browser that comes back to the page has kept what was selected.
  window.addEventListener('pageshow', update)
  update()
}
