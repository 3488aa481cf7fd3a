// @ts-check
// The panel of a text: turn.js follows its links, and here its search boxes suggest quadranyms.
import { picker } from './pick.js'
import { enhancers, go } from './turn.js'

function suggest() {
  for (const form of document.querySelectorAll('form[data-pick]')) {
    if (!(form instanceof HTMLFormElement)) continue
    const input = form.querySelector('input[name=find]')
    const topic = Number(form.dataset['topic'])
    if (!(input instanceof HTMLInputElement)) continue
    const valuesOf = (/** @type {string} */ name) =>
      [...form.querySelectorAll(`input[name=${name}]`)].map((field) => field.getAttribute('value') ?? '')
    picker(input, form.dataset['pick'] ?? '', ({ id }) => {
      const chosen = valuesOf('quadranym').with(topic, String(id))
      const query = new URLSearchParams(chosen.map((each) => ['quadranym', each]))
      for (const name of ['view', 'turn']) for (const value of valuesOf(name)) query.append(name, value)
      go(`${form.getAttribute('action')}?${query}`, { key: `${topic}-${id}` })
    })
  }
}

enhancers.push(suggest)
suggest()
