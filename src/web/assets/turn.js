// @ts-check
// Turns a text without leaving its page: the links of its panel are loaded in place, and its words roll over.
import { copyButton } from './copying.js'
import { isOffline, page, sayOffline } from './page.js'

const calm = matchMedia('(prefers-reduced-motion: reduce)')
const ROLL = { duration: 650, easing: 'cubic-bezier(0.3, 1.35, 0.5, 1)' }
const STEP = 90
const MOST_DELAY = 540

let latest = 0

// The words are replaced one by one; screen readers hear the whole text once.
const said = document.createElement('p')
said.className = 'unseen'
said.role = 'status'
said.dataset['said'] = ''
document.querySelector('main')?.append(said)

/** What other scripts do with a new panel. @type {(() => void)[]} */
export const enhancers = [enhance]

/** Shows the content of the address, in place. */
export async function go(/** @type {string} */ url, { keep = true, key = '' } = {}) {
  const mine = ++latest
  const told = document.querySelector('[data-turn=told]')
  told?.setAttribute('aria-busy', 'true')
  try {
    const { status, page: next } = await page(url)
    if (mine !== latest) return
    if (status !== 200) throw new Error(String(status))
    for (const part of document.querySelectorAll('[data-turn]')) {
      const name = part.getAttribute('data-turn')
      const fresh = next.querySelector(`[data-turn=${name}]`)
      if (!fresh) continue
      if (name === 'told') roll(part, fresh)
      else part.replaceWith(fresh)
      if (name === 'picture' && !calm.matches) {
        fresh.animate([{ rotate: '-90deg', scale: '0.8', opacity: 0 }, {}], ROLL)
      }
    }
    said.textContent = [...document.querySelectorAll('[data-turn=told], [data-turn=attribution]')]
      .map((part) => part.textContent)
      .join(', ')
    document.title = next.title
    if (keep) history.pushState(null, '', url)
    for (const improve of enhancers) improve()
    const target = key && document.querySelector(`[data-key="${CSS.escape(key)}"]`)
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  } catch (error) {
    told?.removeAttribute('aria-busy')
    // Plain navigation always works, and shows what is wrong.
    if (isOffline(error)) sayOffline()
    else location.href = url
  }
}

function roll(/** @type {Element} */ told, /** @type {Element} */ fresh) {
  const tokens = () => /** @type {HTMLElement[]} */ ([...told.querySelectorAll('.tok')])
  const before = tokens().map((token) => ({ word: token.textContent ?? '', width: token.offsetWidth }))
  told.className = fresh.className
  told.replaceChildren(...fresh.childNodes)
  told.removeAttribute('aria-busy')
  if (calm.matches || tokens().length !== before.length) return
  let delay = 0
  // All widths are read before the first word is changed.
  const widths = tokens().map((token) => token.offsetWidth)
  tokens().forEach((token, i) => {
    const was = before[i]
    if (!was || was.word === token.textContent) return
    rollWord(token, was, { width: widths[i] ?? was.width, delay: Math.min(delay, MOST_DELAY) })
    delay += STEP
  })
}

/**
 * The old word rolls up and out, and the new one in from below.
 * @param {HTMLElement} token
 * @param {{ word: string, width: number }} was
 * @param {{ width: number, delay: number }} is
 */
function rollWord(token, was, { width, delay }) {
  const word = token.textContent ?? ''
  const now = document.createElement('span')
  now.textContent = word
  token.replaceChildren(now)
  token.dataset['was'] = was.word
  const timing = { ...ROLL, delay, fill: /** @type {const} */ ('both') }
  token.animate([{ width: `${was.width}px` }, { width: `${width}px` }], { ...timing, easing: 'ease-in-out' })
  const gone = { transform: 'translateY(-110%) rotateX(70deg)', opacity: 0 }
  token.animate([{ transform: 'none', opacity: 1 }, gone], { ...timing, pseudoElement: '::before' })
  const below = { transform: 'translateY(110%) rotateX(-70deg)', opacity: 0 }
  now.animate([below, { transform: 'none', opacity: 1 }], timing).onfinish = () => {
    delete token.dataset['was']
    for (const each of token.getAnimations({ subtree: true })) each.cancel()
    token.textContent = word
  }
}

function enhance() {
  for (const link of document.querySelectorAll('a.turn')) link.role = 'button'
  const link = document.querySelector('.permalink')
  if (!(link instanceof HTMLAnchorElement) || !navigator.clipboard) return
  link.after(
    ' ',
    copyButton('Copy the link', () => link.href),
  )
}

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = event.target instanceof Element && event.target.closest('[data-turn] a[data-swap]')
  if (!(link instanceof HTMLAnchorElement)) return
  event.preventDefault()
  go(link.href, { key: link.dataset['key'] ?? '' })
})
// A button is also pressed with the space bar.
document.addEventListener('keydown', (event) => {
  if (event.key !== ' ' || !(event.target instanceof HTMLAnchorElement) || event.target.role !== 'button') return
  event.preventDefault()
  event.target.click()
})
addEventListener('popstate', () => go(location.href, { keep: false }))
enhance()
