// @ts-check
// Labels show what they mean in a small window. Without this script they are links to the page that explains them.

const about = document.createElement('div')
about.className = 'about'
about.tabIndex = -1
about.setAttribute('popover', 'auto')
about.setAttribute('role', 'dialog')

/** @param {HTMLAnchorElement} label */
async function show(label) {
  const { GLOSSARY } = await import('./glossary.js')
  const { title, sentence } = GLOSSARY[label.hash.slice(1)]
  const heading = document.createElement('b')
  const text = document.createElement('p')
  const more = document.createElement('a')
  heading.textContent = title
  text.textContent = sentence
  more.textContent = 'Learn more'
  more.href = label.href
  about.setAttribute('aria-label', title)
  about.replaceChildren(heading, text, more)
  if (isOpen()) about.hidePopover()
  // Next to its label, so that screen readers and the Tab key continue from there.
  label.after(about)
  about.showPopover()
  place(label)
  about.focus({ preventScroll: true })
}

const GAP = 6

/** Below the label, or above it where there is no room; never outside of the window. */
function place(/** @type {HTMLElement} */ label) {
  const from = label.getBoundingClientRect()
  const { width, height } = about.getBoundingClientRect()
  const room = document.documentElement
  const below = from.bottom + GAP
  const top = below + height <= room.clientHeight ? below : Math.max(GAP, from.top - GAP - height)
  about.style.left = `${Math.max(GAP, Math.min(from.left, room.clientWidth - width - GAP))}px`
  about.style.top = `${top}px`
}

const isOpen = () => about.isConnected && about.matches(':popover-open')
/** @type {Element | null} */
let pressed = null

// The press itself closes the window: a second press on the same label must not open it again.
document.addEventListener(
  'pointerdown',
  () => {
    pressed = isOpen() ? about.previousElementSibling : null
  },
  { capture: true },
)
document.addEventListener('click', (event) => {
  const label = event.target instanceof Element ? event.target.closest('a.gloss') : null
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
  if (!(label instanceof HTMLAnchorElement) || !isPlain || !('showPopover' in about)) return
  event.preventDefault()
  if (label !== pressed) show(label).catch(() => location.assign(label.href))
  pressed = null
})
// A window that is fixed to the screen would leave its label behind.
addEventListener('scroll', () => isOpen() && about.hidePopover(), { passive: true })
