// @ts-check
// The network of a chart: it is moved by dragging, and buttons make it larger and smaller.

const pan = document.querySelector('.pan')
const graph = pan?.querySelector('svg')
const STEP = 1.4
const [SMALLEST, LARGEST] = [1, 6]
/** A press that moves further is not meant for the link under it. */
const STILL = 4

if (pan instanceof HTMLElement && graph) {
  addButtons(pan, graph)
  addDragging(pan)
}

/** @param {HTMLElement} pan @param {SVGElement} graph */
function addButtons(pan, graph) {
  let zoom = 1
  /** What is in the middle stays there. @param {number} to */
  const show = (to) => {
    const [x, y] = [
      (pan.scrollLeft + pan.clientWidth / 2) / pan.scrollWidth,
      (pan.scrollTop + pan.clientHeight / 2) / pan.scrollHeight,
    ]
    zoom = Math.min(LARGEST, Math.max(SMALLEST, to))
    graph.style.setProperty('--zoom', String(zoom))
    pan.scrollLeft = x * pan.scrollWidth - pan.clientWidth / 2
    pan.scrollTop = y * pan.scrollHeight - pan.clientHeight / 2
  }
  const tools = document.createElement('p')
  tools.className = 'zoom'
  for (const [text, to] of /** @type {const} */ ([
    ['Larger', () => zoom * STEP],
    ['Smaller', () => zoom / STEP],
    ['Whole', () => SMALLEST],
  ])) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'btn small'
    button.textContent = text
    button.addEventListener('click', () => show(to()))
    tools.append(button)
  }
  pan.before(tools)
}

/** With a mouse; fingers move it anyway. @param {HTMLElement} pan */
function addDragging(pan) {
  let moved = 0
  pan.addEventListener('dragstart', (event) => event.preventDefault())
  pan.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return
    moved = 0
    /** @param {PointerEvent} at */
    const move = (at) => {
      moved += Math.abs(at.movementX) + Math.abs(at.movementY)
      if (moved <= STILL) return
      pan.classList.add('held')
      pan.scrollBy(-at.movementX, -at.movementY)
    }
    const end = () => {
      pan.classList.remove('held')
      removeEventListener('pointermove', move)
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', end, { once: true })
    addEventListener('pointercancel', end, { once: true })
  })
  pan.addEventListener('click', (event) => moved > STILL && event.preventDefault(), { capture: true })
}
