/** A form that draws a quadranym of the visitor's own words: while they type, or on the server without scripts. */
import type { Visit } from '../../../http/index.ts'
import { type Content, html } from '../../html.ts'
import { drawQuadranym, inPage } from '../../pictures/index.ts'

const LONGEST = 100

const QUESTIONS = [
  { name: 'name', slot: 'n', asks: 'A topic', such: 'such as fire' },
  { name: 'e', slot: 'e', asks: 'What does it open to?', such: 'such as light' },
  { name: 'r', slot: 'r', asks: 'What does it close to?', such: 'such as ash' },
  { name: 'o', slot: 'o', asks: 'What is it from outside?', such: 'such as flame' },
  { name: 's', slot: 's', asks: 'What is it from inside?', such: 'such as warmth' },
] as const

export function tryYourOwn(query: Visit['query']): Content {
  const value = (name: string) => (query.get(name) ?? '').trim().slice(0, LONGEST)
  const drawn = drawQuadranym({
    name: value('name') || '?',
    e: value('e'),
    r: value('r'),
    o: value('o'),
    s: value('s'),
  })
  return html`<section id="try" aria-labelledby="try-title">
    <h2 id="try-title">Try your own word</h2>
    <div class="two">
      <form class="trying" action="/learn/#try">
        ${QUESTIONS.map(
          ({ name, slot, asks, such }) => html`<div class=${`field ${slot}`}>
            <label for=${`try-${name}`}>${asks}</label>
            <input id=${`try-${name}`} name=${name} value=${value(name)} maxlength=${LONGEST} placeholder=${such} autocomplete="off" dir="auto" />
          </div>`,
        )}
        <p class="chips">
          <button class="btn" type="submit" data-draw>Draw it</button>
          <button class="go" type="submit" formaction="/make/quadranym/">Keep it: go to the maker</button>
        </p>
      </form>
      <figure class="card" data-picture="/make/quadranym/picture/">${inPage(drawn)}</figure>
    </div>
  </section>`
}
