/**
 * Which words match which terms, and under which tags. It generates forms and matches them, so it needs no lemmatizer.
 */
import { CLOSED, ONLY_CLOSED } from './closed-words.ts'
import { keepsTerm } from './derive.ts'
import { forms, isPlain, PLAIN_RULES } from './inflect.ts'
import type { Slot } from './qode.ts'
import { SLOTS, type TaggedQuadranym, tagStart, termOf } from './quadranym.ts'
import { variantsOf } from './variants.ts'

/** A way to read a word: as this slot of this quadranym, under one of these tags. */
export interface Reading {
  readonly place: number
  readonly slot: Slot
  readonly tags: readonly string[]
  /** The quadranym does not say what part of speech the term is, and the word is the term itself. */
  readonly isAnyKind: boolean
}

/**
 * Lower-case word -> how to read it: as a term of the first quadranym that matches, at the first of n e r o s, then of the
 * others. Only of the words that `isWanted` accepts.
 */
export function readingsOf(
  quadranyms: readonly TaggedQuadranym[],
  isWanted: (word: string) => boolean = () => true,
): Map<string, Reading[]> {
  const readings = new Map<string, Reading[]>()
  quadranyms.forEach((quadranym, place) => {
    for (const slot of SLOTS) {
      const term = termOf(quadranym, slot)
      for (const { form, tags } of matchable(term)) {
        if (!isWanted(form)) continue
        const start = tagStart(quadranym, slot)
        const fitting = start ? tagsStarting(tags, start) : tags
        if (fitting.length === 0) continue
        const isAnyKind = start === undefined && form === term.toLowerCase()
        const reading = { place, slot, tags: fitting, isAnyKind }
        const known = readings.get(form)
        if (known) known.push(reading)
        else readings.set(form, [reading])
      }
    }
  })
  return readings
}

/** Interns lists of tags (a few hundred), so that callers can compare references. */
const tagLists = new Map<string, readonly string[]>()

function tagList(tags: readonly string[]): readonly string[] {
  const key = tags.join(' ')
  const known = tagLists.get(key) ?? tags
  tagLists.set(key, known)
  return known
}

function tagsStarting(tags: readonly string[], start: string): readonly string[] {
  if (tags.every((tag) => tag.startsWith(start))) return tags
  return tagList(tags.filter((tag) => tag.startsWith(start)))
}

interface Matchable {
  readonly form: string
  readonly tags: readonly string[]
}

const remembered = new Map<string, readonly Matchable[]>()
const MOST_REMEMBERED = 20_000

/**
 * The forms of a term that can be a word of a text: none of several words, none of an empty or underscored term. Variants
 * are among them, so that a word which is one never counts as another form: "fishes" is a plural, not a third person.
 */
export function matchable(term: string): readonly Matchable[] {
  const known = remembered.get(term)
  if (known) return known
  const made = makeMatchable(term)
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(term, made)
  return made
}

/**
 * The forms of a term that are among the lower-case words: those of `matchable`. It does less work for a plain term and
 * does not cache it, so that terms used once do not evict others.
 */
export function formsAmong(words: Pick<ReadonlySet<string>, 'has'>, term: string): string[] {
  if (remembered.has(term) || !isPlain(term)) {
    return matchable(term).flatMap(({ form }) => (words.has(form) ? [form] : []))
  }
  const isAmong = (form: string) => form !== term && words.has(form)
  const mayHaveOthers =
    !ONLY_CLOSED.has(term) &&
    (PLAIN_RULES.some((rule) => isAmong(rule(term))) || variantsOf(term).some(({ form }) => isAmong(form)))
  if (!mayHaveOthers) return words.has(term) ? [term] : []
  // Few terms get here. Under a tag that gives a derived word, a form does not count.
  return makeMatchable(term).flatMap(({ form }) => (words.has(form) ? [form] : []))
}

function makeMatchable(term: string): readonly Matchable[] {
  if (!/\p{L}/u.test(term) || /[\s_]/.test(term)) return []
  const lower = term.toLowerCase()
  if (ONLY_CLOSED.has(lower)) return [{ form: lower, tags: tagList(CLOSED.get(lower)!) }]
  const isProper = /^\p{Lu}/u.test(term)
  const found = new Map<string, string[]>()
  for (const { form, tags } of [...forms(term), ...variantsOf(term)]) {
    // Under a tag that gives another word, no text has the term.
    const fitting = tags.filter((tag) => (isProper ? PROPER.has(tag) : !tag.startsWith('NNP') && keepsTerm(term, tag)))
    if (fitting.length === 0 || /\s/.test(form)) continue
    const key = form.toLowerCase()
    const known = found.get(key)
    if (known) known.push(...fitting)
    else found.set(key, fitting)
  }
  found.get(lower)?.push(...(CLOSED.get(lower) ?? []))
  return Array.from(found, ([form, tags]) => ({ form, tags: tagList([...new Set(tags)]) }))
}

/** What a capitalised term can be: Rome, the Romans, Roman law. All other terms are common words. */
const PROPER: ReadonlySet<string> = new Set(['NNP', 'NNPS', 'JJ'])
