// @ts-check
import { picker } from './pick.js'
import { html, useEffect, useRef } from './preact.js'

/** @import { Topic } from './marking.js' */

/**
 * A box to choose one topic by name.
 * @param {{ label: string, choose: (topic: Topic) => void, id?: string, placeholder?: string }} given
 */
export function Chooser({ label, choose, id = '', placeholder = 'Choose one …' }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null))
  const latest = useRef(choose)
  latest.current = choose
  useEffect(() => {
    const input = Object.assign(document.createElement('input'), { type: 'search', id, placeholder, ariaLabel: label })
    box.current?.append(input)
    picker(input, 'quadranym', ({ record }) => {
      input.value = ''
      latest.current(record)
    })
  }, [])
  return html`<span class="finder" ref=${box}></span>`
}
