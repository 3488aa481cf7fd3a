/**
 * Labels that say what they mean. Each is a link to its sentence on /learn/; labels.js shows the sentence next to the
 * label instead. They work with a touch, the keyboard, and without scripts.
 */
import { GLOSSARY, isEntry } from './glossary.ts'
import { type Content, html } from './html.ts'

/** The text as a label that explains itself, or alone if the glossary has no such entry. */
export function label(name: string, text = name): Content {
  return isEntry(name) ? html`<a class="gloss" href=${`/learn/#${name}`}>${text}</a>` : text
}

/** The glossary names the words of a quadranym in full. */
const SLOTS: Readonly<Record<string, string>> = { e: 'expansive', r: 'reductive', o: 'objective', s: 'subjective' }

/** "expansive" for e; any other name stays. */
export function slotName(member: string): string {
  return SLOTS[member] ?? member
}

/** The label of a member. In a kind that the glossary does not know, it may mean something else. */
export function memberLabel(kind: string, member: string, text: string): Content {
  return isEntry(kind) ? label(slotName(member), text) : text
}

/** A small question mark, next to a label that is itself a link. */
export function whatIs(name: string): Content {
  if (!isEntry(name)) return undefined
  const asks = `What does ${GLOSSARY[name].title.toLowerCase()} mean?`
  return html`<a class="gloss what" href=${`/learn/#${name}`} aria-label=${asks}>?</a>`
}
