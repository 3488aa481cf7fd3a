// @ts-check
// Flips a text without leaving its page: links and searches of the panel are loaded in place.
import { page } from './ask.js'
import { picker } from './pick.js'

let latest = 0

/** Shows the content of the address, in place. */
async function go(/** @type {string} */ url, { keep = true, key = '' } = {}) {
  const mine = ++latest
  const told = document.querySelector('[data-flip=told]')
  told?.setAttribute('aria-busy', 'true')
  try {
    const { status, page: next } = await page(url)
    if (mine !== latest) return
    if (status !== 200) throw new Error(String(status))
    for (const part of document.querySelectorAll('[data-flip]')) {
      const name = part.getAttribute('data-flip')
      const fresh = next.querySelector(`[data-flip=${name}]`)
      // The live region must stay the same element, or screen readers would say nothing.
      if (name === 'told' && fresh) {
        part.className = fresh.className
        part.replaceChildren(...fresh.childNodes)
        part.removeAttribute('aria-busy')
      } else if (fresh) part.replaceWith(fresh)
    }
    document.title = next.title
    if (keep) history.pushState(null, '', url)
    enhance()
    const target = key && document.querySelector(`[data-key="${CSS.escape(key)}"]`)
    if (target instanceof HTMLElement) target.focus()
  } catch {
    // Plain navigation always works, and shows what is wrong.
    location.href = url
  }
}

function enhance() {
  for (const form of document.querySelectorAll('form[data-pick]')) {
    if (!(form instanceof HTMLFormElement)) continue
    const input = form.querySelector('input[name=find]')
    const topic = Number(form.dataset['topic'])
    if (!(input instanceof HTMLInputElement)) continue
    picker(input, form.dataset['pick'] ?? '', ({ id }) => {
      const ids = [...form.querySelectorAll('input[name=quadranym]')].map((field) => field.getAttribute('value'))
      ids[topic] = String(id)
      const view = form.querySelector('input[name=view]')?.getAttribute('value')
      const query = [...ids.map((each) => `quadranym=${each}`), ...(view ? [`view=${view}`] : [])].join('&')
      go(`${form.getAttribute('action')}?${query}`, { key: `${topic}-${id}` })
    })
  }
  const link = document.querySelector('.toldwith .permalink')
  if (!(link instanceof HTMLAnchorElement) || !navigator.clipboard) return
  const copy = document.createElement('button')
  copy.type = 'button'
  copy.className = 'btn small'
  copy.textContent = 'Copy the link'
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(link.href)
    copy.textContent = 'Copied'
  })
  link.after(' ', copy)
}

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = event.target instanceof Element && event.target.closest('[data-flip] a[data-swap]')
  if (!(link instanceof HTMLAnchorElement)) return
  event.preventDefault()
  go(link.href, { key: link.dataset['key'] ?? '' })
})
addEventListener('popstate', () => go(location.href, { keep: false }))
enhance()
