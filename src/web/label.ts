/**
 * Labels that say what they mean. Each is a link to its sentence on /learn/; labels.js shows the sentence next to the
 * label instead. They work with a touch, the keyboard, and without scripts.
 */
import { type Entry, GLOSSARY, isEntry } from './glossary.ts'
import { type Content, html } from './html.ts'

/** The text as a label that explains itself, or alone if the glossary has no such entry. */
export function label(name: string, text = name): Content {
  return isEntry(name) ? html`<a class="gloss" href=${`/learn/#${name}`}>${text}</a>` : text
}

type Entries = Readonly<Record<string, Entry>>

/** Members that have another name in the glossary. */
const MEMBERS: Entries = {
  polynyms: 'polynym',
  pa: 'polynym',
  pb: 'polynym',
  v: 'polynym',
  p: 'polynym',
  quadranyms: 'quadranym',
  q1: 'topic',
  q2: 'topic',
  qode: 'token',
  epos: 'pos',
  rpos: 'pos',
  opos: 'pos',
  spos: 'pos',
}

/** The glossary names the words of a quadranym in full. */
const SLOTS: Entries = { e: 'expansive', r: 'reductive', o: 'objective', s: 'subjective' }

/** The same letter may mean something else in another kind. */
const MEMBERS_OF: Readonly<Record<string, Entries>> = {
  quadranym: { name: 'topic', ...SLOTS },
  polymap: { r: 'relation' },
}

/** The entry that says what a member means. In a kind that the glossary does not know, it may mean something else. */
export function entryOf(kind: string, member: string): Entry | undefined {
  const entry = MEMBERS_OF[kind]?.[member] ?? MEMBERS[member] ?? member
  return isEntry(kind) && isEntry(entry) ? entry : undefined
}

/** "expansive" for e; any other name stays. */
export function slotName(member: string): string {
  return SLOTS[member] ?? member
}

export function memberLabel(kind: string, member: string, text: string): Content {
  return label(entryOf(kind, member) ?? '', text)
}

/** A small question mark, next to the label of a member that does something else at a press. */
export function whatMeans(kind: string, member: string): Content {
  return whatIs(entryOf(kind, member) ?? '')
}

/** A small question mark, next to a label that is itself a link. */
export function whatIs(name: string): Content {
  if (!isEntry(name)) return undefined
  const asks = `What does ${GLOSSARY[name].title.toLowerCase()} mean?`
  return html`<a class="gloss what" href=${`/learn/#${name}`} aria-label=${asks}>?</a>`
}
