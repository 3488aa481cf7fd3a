/** What the pages about a visitor's text have in common. */
import { type Content, html } from '../../html.ts'
import type { Section } from '../tell/frame.ts'

export const FEELING: Section = {
  name: 'Feel',
  ways: 'Questions about a text',
  part: 'words',
  pages: [
    { path: '/feel/', title: 'Feel' },
    { path: '/feel/orient/', title: 'Orient a text' },
  ],
}

const LONGEST = 2000

export function textForm(path: string, text: string, state?: Content): Content {
  return html`<form class="feeling" action=${path}>
    ${state}
    <label for="text">Your text</label>
    <textarea id="text" name="text" rows="3" maxlength=${LONGEST} required>${text}</textarea>
    <p class="chips"><button class="go" type="submit">See</button> <span class="soft">It is not stored, and no other server is asked.</span></p>
  </form>`
}

/** Said plainly: the answer is poorer than it could be. */
export function fewWords(): Content {
  return html`<p class="note few">This server knows about nine thousand common words. Its operator can import the rest of WordNet: <code>nymdex import wordnet</code></p>`
}
