// @ts-check
// /learn/: plays the four steps once, and draws the words of the visitor while they type.
import { drawWhileTyping } from './drawing.js'

const steps = [...document.querySelectorAll('.build input[type=radio]')].filter(
  (each) => each instanceof HTMLInputElement,
)
const PAUSE = 1500

/** Shows the first step and then the others, until the visitor does something. */
function play() {
  let next = 0
  /** @type {number} */
  let timer
  const stop = () => clearTimeout(timer)
  const go = () => {
    const step = steps[next++]
    if (!step) return
    step.checked = true
    timer = window.setTimeout(go, PAUSE)
  }
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, stop, { once: true })
  go()
}

const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
// A visitor who came for one of the labels looks elsewhere.
if (steps.length > 0 && !isCalm && location.hash === '' && location.search === '') play()

const form = document.querySelector('form.trying')
const figure = document.querySelector('[data-picture]')
if (form instanceof HTMLFormElement && figure instanceof HTMLElement) {
  drawWhileTyping(form, figure)
  const button = form.querySelector('[data-draw]')
  if (button instanceof HTMLButtonElement) button.hidden = true
  // Enter presses the first button, which has nothing left to do.
  form.addEventListener('submit', (event) => {
    if (event.submitter === button) event.preventDefault()
  })
}
