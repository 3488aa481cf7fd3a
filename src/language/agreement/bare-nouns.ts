/** Nouns that need an article where a mass noun or a name needed none: "all that glitters is not cat". */
import { articleFor } from '../article.ts'
import { inflect } from '../inflect.ts'
import type { Rule } from './index.ts'
import { MASS_NOUNS, OTHER_COUNT_NOUNS, THINGS } from './noun-kinds.ts'
import { endsPhrase, isNoun, nounPhraseAt } from './noun-phrase.ts'
import type { Neighbour, Place } from './place.ts'
import { setOf } from './word-lists.ts'

export const countNouns = setOf(`${THINGS} ${OTHER_COUNT_NOUNS}`)
/** Nouns that phrases such as "by sea" and "of note" have without an article, but hardly any sentence begins with. */
const subjects = setOf(`
  bank base bone border circle claim coast crop deed degree effect empire event fact form game group habit hole instrument knee limit line loan
  market match meal mechanism method mood moon motive neck note outlook pace passage pole position prospect record result role rope
  scale schedule score sea seed sequence shape shell sign sky source span spot stage stake string sum sun system target task team term
  tide title tone tool town tune union venture view visit vote way world year zone
`)

export const bareNouns: Rule = {
  name: 'bare-nouns',
  tags: setOf('NN'),
  repair(place) {
    const { plain, token, isVerb } = place.filled
    if (isVerb && !token.capital && isBareVerb(place)) return [place.rewrite(inflect(plain, 'VBG'))]
    const isCounted = countNouns.has(plain)
    if (token.capital || !(isCounted || subjects.has(plain)) || !place.follows(/^(?:\s|[.,;:!?…)"”]|$)/))
      return undefined
    const after = place.after()
    // "From door to door", "hand in hand", "cat and mouse" need no article.
    if (after && TOGETHER.has(after.lower)) return undefined
    const { start, before } = nounPhraseAt(place)
    const article = isCounted ? articleAt(place, start, before) : articleOfSubject(place, start, before)
    return article === undefined ? undefined : place.insert(start, article)
  },
}

const massNouns = setOf(MASS_NOUNS)
/** What hardly any text has a bare noun after. */
const DETERMINERS = setOf(`
  the a an my your his her its our their thy this that these those each every no any some one another such what whose either neither
  many much more most less first last own same
`)

/** Nouns that are verbs as well, and need no article. */
const BARE_VERBS = setOf(`
  blame care change comfort conflict control debate decay delight desire disgrace display distress doubt envy escape esteem exercise favor
  favour fear fire force gain harm hate help honor honour hope hunger labor labour light love measure murder neglect order pain play plunder
  practice praise progress promise reason reform regard research respect rest revenge reward ridicule scorn shame shelter silence sin
  sleep sorrow sound speed spite sport struggle study support surprise talk taste thirst toil torture touch trade travel trouble trust
  use value war water wonder work worry worship
`)

/**
 * The noun that a verb is as well needs an article more often than its form in -ing: "flooding is rare". A noun without a
 * plural needs none.
 */
function isBareVerb(place: Place): boolean {
  const { plain } = place.filled
  if (!/^[a-z]+$/.test(plain) || plain.endsWith('ing') || massNouns.has(plain) || BARE_VERBS.has(plain)) return false
  const { start, before } = nounPhraseAt(place)
  if (start < place.offset || place.follows(/^['’-]/) || /[-'’]$/.test(place.textBefore(place.offset))) return false
  if (before?.filled ? !isObject(before) : before && (DETERMINERS.has(before.lower) || /['’]s$/.test(before.lower))) {
    return false
  }
  return endsPhrase(place) || precedesVerb(place)
}

const TOGETHER = setOf('and or nor to after by in for upon against with but')
const CONJUNCTIONS = setOf('that when if because where though although while since until unless')
const PREPOSITIONS = setOf(
  'of without with except about in into inside behind beneath beside near under through across toward towards upon',
)
/** "In flower", "in secret". */
const AFTER_IN = setOf('bed flower house key leaf pair secret step story tie token')
/** "The rank of captain", "a kind of door". */
const BEFORE_OF = setOf(`
  lot lots plenty deal amount number years matter matters lack full kind kinds sort sorts type types form forms species piece bit name title rank role part post office position game act art out word
  capable instead
`)
/** Verbs after which a noun is an object. */
const WITH_OBJECT = setOf(`
  have has had having make makes made know knows knew want wants wanted love loves loved need needs needed find finds found bring brings
  brought lose loses lost seek seeks sought deny denies denied gain gains gained hate hates hated get gets got give gives gave choose
  chooses chose prefer prefers preferred see sees saw fear fears
`)
const AUXILIARIES = setOf('do does did doth can could may might must shall should will would')
const BE = setOf("is was be been becomes became isn't wasn't isn’t wasn’t there's there’s")
const AFTER_BE = setOf('not never but only always')

function articleAt(place: Place, start: number, before: Neighbour | undefined): string | undefined {
  const indefinite = () => articleFor(place.draft.text.slice(start, place.end))
  const subject = articleOfSubject(place, start, before)
  if (!before || subject !== undefined) return subject
  if (before.filled) return isObject(before) && endsPhrase(place) ? 'the' : undefined
  if (PREPOSITIONS.has(before.lower)) {
    const first = place.before(before.offset)
    if (before.lower === 'in' && AFTER_IN.has(place.filled.plain)) return undefined
    if (before.lower === 'of' && first && (isNoun(first) || BEFORE_OF.has(first.lower))) return undefined
    return endsPhrase(place) ? indefinite() : 'the'
  }
  // "Now doth the river carry me."
  if (AUXILIARIES.has(before.lower)) return place.after()?.filled?.token.tag === 'VB' ? 'the' : undefined
  if (WITH_OBJECT.has(before.lower)) return endsPhrase(place) ? indefinite() : undefined
  const verb = AFTER_BE.has(before.lower) ? place.before(before.offset) : before
  return verb && !verb.filled && BE.has(verb.lower) && place.endsClause() ? indefinite() : undefined
}

/** The article of a noun that begins a sentence or a clause, if a verb follows. */
function articleOfSubject(place: Place, start: number, before: Neighbour | undefined): string | undefined {
  const isFirst = before
    ? !before.filled && (CONJUNCTIONS.has(before.lower) || isAndAfterComma(place, before))
    : beginsClause(place, start)
  return isFirst && precedesVerb(place) ? 'the' : undefined
}

const CLAUSE_BEFORE = /[,;:]["'”’]*\s+["'“‘]?$/

function beginsClause(place: Place, start: number): boolean {
  return place.beginsSentence(start) || CLAUSE_BEFORE.test(place.textBefore(start))
}

function isAndAfterComma(place: Place, { lower, offset }: Neighbour): boolean {
  return (lower === 'and' || lower === 'but') && CLAUSE_BEFORE.test(place.textBefore(offset))
}

const isObject = ({ filled }: Neighbour) => /^VB[DPZ]?$/.test(filled?.token.tag ?? '')

const FINITE = setOf(`
  is was has had does did doth hath can could will would may might must shall should isn't wasn't hasn't doesn't didn't can't won't
  never always alone itself
`)

/** Whether a verb follows. A plural in its place does no harm: the article is then right as well. */
function precedesVerb(place: Place): boolean {
  const after = place.after()
  if (!after) return false
  if (after.filled) return /^(?:VB[DNZ]$|MD)/.test(after.filled.token.tag ?? '')
  return FINITE.has(after.lower.replace('’', "'")) || /^[a-z]{2,}(?:[^aius]s|eth)$/.test(after.text)
}
