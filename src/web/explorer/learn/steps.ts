/** A quadranym built up in four steps. A press on a step shows the picture so far; this works without scripts. */
import { type Content, html } from '../../html.ts'
import { drawCaptioned, type FourTerms, inPage, POLES } from '../../pictures/index.ts'
import { DOOR } from './examples.ts'

const NONE = { e: '', r: '', o: '', s: '' }
/** The names of the four places come last. */
const PLAIN = { e: 'opens to', r: 'closes to', o: 'from outside', s: 'from inside' }

interface Step {
  readonly title: string
  readonly says: Content
  readonly drawn: FourTerms
  readonly captions: typeof PLAIN
}

const STEPS: readonly Step[] = [
  {
    title: 'Take a topic.',
    says: html`Any word will do. Here it is <b class="n">door</b>.`,
    drawn: { ...DOOR, ...NONE },
    captions: PLAIN,
  },
  {
    title: 'What does it open to, and what does it close to?',
    says: html`A door can <b class="e">open</b> or <b class="r">close</b>.`,
    drawn: { ...DOOR, o: '', s: '' },
    captions: PLAIN,
  },
  {
    title: 'What is it from outside, and what from inside?',
    says: html`Seen from outside it is a <b class="o">barrier</b>; for somebody who goes through, a <b class="s">passage</b>.`,
    drawn: DOOR,
    captions: PLAIN,
  },
  {
    title: 'That is a quadranym.',
    says: html`Its four places have names: <b class="e">expansive</b>, <b class="r">reductive</b>, <b class="o">objective</b>, <b class="s">subjective</b>.`,
    drawn: DOOR,
    captions: POLES,
  },
]

export function steps(does: string): Content {
  return html`<section class="build" aria-labelledby="learn-title">
    <div class="head">
      <h1 id="learn-title">What is a quadranym?</h1>
      <p class="does">${does}</p>
    </div>
    <fieldset>
      <legend class="unseen">Build it up in four steps</legend>
      <ol>
        ${STEPS.map(
          ({ title, says }, i) => html`<li>
            <label>
              <input type="radio" name="step" value=${i + 1} checked=${i === STEPS.length - 1} />
              <strong>${title}</strong> <span>${says}</span>
            </label>
          </li>`,
        )}
      </ol>
    </fieldset>
    <div class="card stages">
      ${STEPS.map(({ drawn, captions }) => html`<div>${inPage(drawCaptioned(drawn, captions))}</div>`)}
    </div>
  </section>`
}
