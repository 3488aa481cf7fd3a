// @ts-check
// Word pages: a pressed word moves to the middle without a reload, and the last words are listed as a way back.

/** @typedef {{ path: string, text: string }} Visited */

const KEY = 'words'
const MOST = 8
const PATIENCE = 10_000
const calm = matchMedia('(prefers-reduced-motion: reduce)')
let asking = new AbortController()

remember()

document.addEventListener('click', (event) => {
  const link = /** @type {Element} */ (event.target).closest('main a')
  if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  if (link.origin !== location.origin || !link.pathname.startsWith('/word/')) return
  event.preventDefault()
  show(link.href, link)
})

addEventListener('popstate', () => {
  if (location.pathname.startsWith('/word/')) show(location.href)
  else location.reload()
})

/**
 * Replaces the content of the page by that of another word. Without a link, the visitor went back or forward.
 * @param {string} address @param {HTMLAnchorElement} [link]
 */
async function show(address, link) {
  asking.abort()
  asking = new AbortController()
  const { signal } = asking
  const main = document.querySelector('main')
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)])
    const answer = await fetch(address, { signal: limited, headers: { Accept: 'text/html' } })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const content = page.querySelector('main')
    if (!answer.ok || !main || !content?.querySelector('[data-word]')) return location.assign(address)
    if (link) history.pushState(null, '', answer.url)
    const replace = () => {
      document.title = page.title
      main.replaceChildren(...content.childNodes)
      fill(page)
      remember()
      if (link) scrollTo(0, 0)
    }
    if (!document.startViewTransition || calm.matches) replace()
    else {
      // The pressed word and the new middle are one thing to the eye.
      const middle = main.querySelector('.middle')
      if (link && middle instanceof HTMLElement) {
        middle.style.viewTransitionName = 'none'
        link.style.viewTransitionName = 'middle'
      }
      const transition = document.startViewTransition(replace)
      // The next one may begin before this one is drawn.
      transition.ready.catch(() => {})
      await transition.updateCallbackDone
    }
    const heading = main.querySelector('[data-word]')
    if (link && heading instanceof HTMLElement) heading.focus({ preventScroll: true })
  } catch (error) {
    if (signal.aborted) return
    location.assign(address)
    throw error
  }
}

/** The search box shows the word. @param {Document} page */
function fill(page) {
  const [box, other] = [document, page].map((each) => each.querySelector('form.find input[name=q]'))
  if (box instanceof HTMLInputElement && other instanceof HTMLInputElement) box.value = other.value
}

/** Adds the word to the trail; a word that is there already ends it. */
function remember() {
  const heading = document.querySelector('[data-word]')
  const nav = /** @type {HTMLElement | null} */ (document.querySelector('nav.walked'))
  const list = nav?.querySelector('ol')
  if (!heading || !nav || !list) return
  const here = { path: location.pathname, text: heading.textContent ?? '' }
  const known = visited()
  const at = known.findIndex(({ text }) => text === here.text)
  const before = (at < 0 ? known : known.slice(0, at)).slice(1 - MOST)
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...before, here]))
  } catch {
    // Storage is full or switched off: there is no trail.
  }
  list.replaceChildren(
    ...before.map(({ path, text }) => {
      const item = document.createElement('li')
      const link = document.createElement('a')
      link.href = path
      link.textContent = text
      item.append(link)
      return item
    }),
  )
  nav.hidden = before.length === 0
}

/** @returns {Visited[]} */
function visited() {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored)
      ? stored.filter(({ path, text }) => String(path).startsWith('/word/') && typeof text === 'string')
      : []
  } catch {
    return []
  }
}
