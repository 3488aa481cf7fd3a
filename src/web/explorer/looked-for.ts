/** Where the words of a search occur in a text, also in other forms. */
import { ignoredFrom, wordForms } from '../../language/index.ts'
import { type Content, html } from '../html.ts'

const WORD = /[\p{L}\p{N}]+/gu

/** The words of a search that tell what is looked for; all if none does. */
export function tellingWords(wanted: string): string[] {
  const words = wanted.match(WORD) ?? []
  const telling = words.filter((word) => ignoredFrom(folded(word)) === undefined)
  return telling.length > 0 ? telling : words
}

type Looker = (word: string) => boolean

let last: { readonly wanted: string; readonly isLookedFor: Looker } | undefined

/** Whether a word of a text is one of those that are looked for. A page asks for the same search again and again. */
function looker(wanted: string): Looker {
  if (last?.wanted !== wanted) last = { wanted, isLookedFor: makeLooker(wanted) }
  return last.isLookedFor
}

function makeLooker(wanted: string): Looker {
  const looked = tellingWords(wanted).map(folded)
  const forms = new Set(looked.flatMap(wordForms))
  return (word) => {
    const plain = folded(word)
    return forms.has(plain) || looked.some((each) => plain.startsWith(each))
  }
}

export function hasWord(text: string, wanted: string): boolean {
  return (text.match(WORD) ?? []).some(looker(wanted))
}

/** Whether the text has all words of the search as they are, or in another form. */
export function hasWholeWords(text: string, wanted: string): boolean {
  const there = new Set((text.match(WORD) ?? []).map(folded))
  return tellingWords(wanted)
    .map(folded)
    .every((word) => [word, ...wordForms(word)].some((form) => there.has(form)))
}

/** The text with the search words marked. */
export function highlighted(text: string, wanted: string): Content {
  const isLookedFor = looker(wanted)
  const parts: Content[] = []
  let done = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isLookedFor(word)) continue
    parts.push(text.slice(done, index), html`<mark>${word}</mark>`)
    done = index + word.length
  }
  return [...parts, text.slice(done)]
}

/** The part of a long text that contains the words. */
export function excerpt(text: string, wanted: string, most = 180): string {
  if (text.length <= most) return text
  const isLookedFor = looker(wanted)
  const first = Array.from(text.matchAll(WORD)).find(({ 0: word }) => isLookedFor(word))
  const from = Math.max(0, (first?.index ?? 0) - most / 3)
  const cut = text.slice(from, from + most).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  const begun = from > 0 ? `… ${cut.replace(/^\S*\s/, '')}` : cut
  return from + most < text.length ? `${begun.replace(/\s\S*$/, '')} …` : begun
}

export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
