/** The games. Each makes a question from records of the catalogue; src/engine/rounds/ has the rules that all share. */
import {
  type Chance,
  type Drawn,
  type Game,
  type Games,
  isObject,
  type JsonObject,
  type Question,
  textOfJson,
} from '../declare/index.ts'
import {
  answerWords,
  isOtherForm,
  isSameAnswer,
  type Quadranym,
  spin,
  subs,
  width,
  wordForms,
} from '../language/index.ts'
import { polynym } from './polynym.ts'
import { quadranym } from './quadranym.ts'
import { quote } from './quote.ts'
import { setsOfTheDay } from './sets-of-the-day.ts'
import { winner } from './winner.ts'
import { basesOf } from './words.ts'

/** An answer that people type is short. */
const LONGEST_TYPED = 40
const MOST_TYPED_WORDS = 4
const [FEWEST_OPTIONS, MOST_OPTIONS] = [3, 5]
/** A quote of unQuote is shown several times. */
const LONGEST_SPUN = 100
const SLOTS = ['e', 'r', 'o', 's'] as const

const textIn = (record: JsonObject, member: string) => textOfJson(record[member] ?? '')

function isTypable(term: string): boolean {
  const words = answerWords(term)
  // One letter, such as the name of a musical note, may be an article elsewhere.
  return [...term].length <= LONGEST_TYPED && words.join('').length > 1 && words.length <= MOST_TYPED_WORDS
}

/** Whether a text that is shown says the answer, or a form of it. */
function tells(text: string, answer: string): boolean {
  const words = answerWords(text)
  const count = answerWords(answer).length
  return words.some((_, i) => isOtherForm(words.slice(i, i + count).join(' '), answer))
}

function pickFrom<T>(list: readonly T[], chance: Chance): T | undefined {
  return list.length === 0 ? undefined : list[chance(list.length)]
}

/** In an order that nobody can foresee. */
function shuffled<T>(list: readonly T[], chance: Chance): T[] {
  const rest = [...list]
  return list.flatMap(() => rest.splice(chance(rest.length), 1))
}

/** The terms of a polynym, in order. */
function termsOf({ shown }: Drawn): string[] {
  return Array.from({ length: 12 }, (_, i) => textIn(shown, `p${i + 1}`)).filter((term) => term !== '')
}

/** The terms with a blank; undefined if another one says what is missing. */
function withBlank(terms: readonly string[], answer: string): (string | null)[] | undefined {
  const place = terms.findIndex((term) => isSameTerm(term, answer))
  const others = terms.filter((_, i) => i !== place)
  if (place < 0 || others.some((term) => tells(term, answer))) return undefined
  return terms.map((term, i) => (i === place ? null : term))
}

const isSameTerm = (a: string, b: string) => answerWords(a).join(' ') === answerWords(b).join(' ')

const place = (resource: string, { id }: Drawn) => ({ resource, id })

const polypuzzle: Game = {
  name: 'polypuzzle',
  title: 'PolyPuzzle',
  does: 'One term of a polynym is missing: type it.',
  stakes: 'One point for each term of the polynym.',
  isTyped: true,
  of: polynym,
  ask(drawn, _, chance): Question | undefined {
    const terms = termsOf(drawn)
    const answer = pickFrom(terms.filter(isTypable), chance)
    const shown = answer === undefined || terms.length < 3 ? undefined : withBlank(terms, answer)
    if (answer === undefined || !shown) return undefined
    const area = textIn(drawn.shown, 'area')
    const hint = area === '' || tells(area, answer) ? {} : { hint: area }
    return { shown: { terms: shown, ...hint }, answer, stake: terms.length, from: [place(polynym.name, drawn)] }
  },
}

const quadrazone: Game = {
  name: 'quadrazone',
  title: 'QuadraZone',
  does: 'One of the four terms of a quadranym is missing: type it.',
  stakes: '3 points for an expansive or reductive term, 5 for an objective or subjective one.',
  isTyped: true,
  of: quadranym,
  ask(drawn, _, chance): Question | undefined {
    const topic = textIn(drawn.shown, 'name')
    const terms = SLOTS.map((slot) => textIn(drawn.shown, slot))
    if (terms.some((term) => answerWords(term).length === 0)) return undefined
    const answer = pickFrom(terms.filter(isTypable), chance)
    const shown = answer === undefined || tells(topic, answer) ? undefined : withBlank(terms, answer)
    if (answer === undefined || !shown) return undefined
    const stake = shown.indexOf(null) < 2 ? 3 : 5
    return { shown: { topic, terms: shown }, answer, stake, from: [place(quadranym.name, drawn)] }
  },
}

const quizzection: Game = {
  name: 'quizzection',
  title: 'QuizZection',
  does: 'Two polynyms cross in a term that both have: type it.',
  stakes: 'One point for each term of both polynyms.',
  isTyped: true,
  of: polynym,
  beside: 'crossing',
  ask(drawn, beside, chance): Question | undefined {
    const other = pickFrom(beside, chance)
    if (!other) return undefined
    const [mine, theirs] = [termsOf(drawn), termsOf(other)]
    const shared = mine.filter((term) => theirs.some((each) => isSameTerm(term, each)))
    // Nearly the same set twice is no riddle.
    if ([mine, theirs].some(({ length }) => shared.length >= length - 1)) return undefined
    const answer = pickFrom(shared.filter(isTypable), chance)
    const terms = answer === undefined ? undefined : withBlank(mine, answer)
    const crossing = answer === undefined ? undefined : withBlank(theirs, answer)
    if (answer === undefined || !terms || !crossing) return undefined
    const from = [drawn, other].map((each) => place(polynym.name, each))
    return { shown: { terms, crossing }, answer, stake: mine.length + theirs.length, from }
  },
}

interface Quoted {
  readonly body: string
  readonly qode: string
  readonly topic: Drawn
}

function quoted({ shown }: Drawn): Quoted | undefined {
  const topic = shown['quadranym']
  if (!isObject(topic)) return undefined
  const id = Number(topic['quadranym_id'])
  return { body: textIn(shown, 'body'), qode: textIn(shown, 'qode'), topic: { id, shown: topic } }
}

function asQuadranym({ shown }: Drawn): Quadranym {
  const [name, e, r, o, s] = ['name', ...SLOTS].map((member) => textIn(shown, member))
  return { name: name ?? '', e: e ?? '', r: r ?? '', o: o ?? '', s: s ?? '' }
}

/** The quote with its real topic, and some others, as `write` shows each. No two look the same. */
function choices(
  drawn: Drawn,
  { topic, qode }: Quoted,
  beside: readonly Drawn[],
  write: (each: Drawn) => string | undefined,
  chance: Chance,
): (Omit<Question, 'shown'> & { readonly options: readonly string[] }) | undefined {
  const real = write(topic)
  if (real === undefined) return undefined
  const wanted = FEWEST_OPTIONS + chance(MOST_OPTIONS + 1 - FEWEST_OPTIONS)
  const options = new Map([[answerWords(real).join(' '), { text: real, of: topic }]])
  for (const each of beside) {
    const text = write(each)
    if (text === undefined || options.size >= wanted) continue
    const key = answerWords(text).join(' ')
    if (!options.has(key)) options.set(key, { text, of: each })
  }
  if (options.size < FEWEST_OPTIONS) return undefined
  const shown = shuffled([...options.values()], chance)
  return {
    options: shown.map(({ text }) => text),
    answer: String(1 + shown.findIndex(({ of }) => of === topic)),
    stake: width(qode) + shown.length,
    from: [place(quote.name, drawn), ...shown.map(({ of }) => place(quadranym.name, of))],
  }
}

const thegist: Game = {
  name: 'thegist',
  title: 'TheGist',
  does: 'A quote has blanks: choose its topic.',
  stakes: 'One point for each blank and each option.',
  isTyped: false,
  of: quote,
  beside: quadranym,
  ask(drawn, beside, chance): Question | undefined {
    const asked = quoted(drawn)
    if (!asked || subs(asked.qode).includes('n')) return undefined
    const text = spin(asked.qode, [asQuadranym(asked.topic)], { blanks: true }).text
    // A topic that the text names would be too easy to choose, or to rule out.
    const nameOf = ({ shown }: Drawn) => {
      const name = textIn(shown, 'name')
      return tells(text, name) ? undefined : name
    }
    const made = choices(drawn, asked, beside, nameOf, chance)
    if (!made) return undefined
    const { options, ...rest } = made
    return { ...rest, shown: { text, options } }
  },
}

const unquote: Game = {
  name: 'unquote',
  title: 'unQuote',
  does: 'A quote is told with several topics: choose the real one.',
  stakes: 'One point for each word that was replaced and each option.',
  isTyped: false,
  of: quote,
  beside: quadranym,
  ask(drawn, beside, chance): Question | undefined {
    const asked = quoted(drawn)
    if (!asked || [...asked.body].length > LONGEST_SPUN) return undefined
    const slots = new Set(subs(asked.qode))
    const toldWith = (each: Drawn) => {
      if (each === asked.topic) return asked.body
      const other = asQuadranym(each)
      const isWhole = SLOTS.every((slot) => !slots.has(slot) || answerWords(other[slot]).length > 0)
      return isWhole ? spin(asked.qode, [other]).text : undefined
    }
    const made = choices(drawn, asked, beside, toldWith, chance)
    if (!made) return undefined
    const { options, ...rest } = made
    return { ...rest, shown: { options } }
  },
}

export const games: Games = {
  list: [polypuzzle, quadrazone, quizzection, thegist, unquote],
  daily: setsOfTheDay,
  language: {
    isSame: isSameAnswer,
    isOtherForm,
    wordsOf: answerWords,
    formsOf: (word) => [...basesOf(word), ...wordForms(word)],
  },
  winners: {
    resource: winner,
    game: 'app',
    score: 'score',
    keeps: ['by'],
    // Nobody has chosen a name to show, and `user` follows when an account is renamed.
    write: ({ user, game, score, round }) => ({ by: '', user, app: game, score, round }),
  },
}
