/**
 * Part-of-speech tags (Penn Treebank) by an averaged perceptron, greedily from left to right. Its weights are in
 * model/tagger.bin, which scripts/train-tagger.ts makes.
 */
import { itemAt, numberAt } from './at.ts'
import { CONTEXT_KEYS, HISTORY_KEYS, Sentence, sentenceEnd } from './features.ts'
import { loadModel, type Model } from './model.ts'

/**
 * The tag of each word. Words are split as in the Penn Treebank: "do" "n't", "it" "'s", signs by themselves. If
 * `allowed` names tags, the tag is the best of these, and the words that follow are judged by it.
 */
export function tag(words: readonly string[], allowed?: (place: number) => readonly string[] | undefined): string[] {
  const model = loadModel()
  const tags: string[] = []
  for (let from = 0, to = 0; from < words.length; from = to) {
    to = sentenceEnd(words, from)
    tagSentence(model, words, from, to, allowed, tags)
  }
  return tags
}

const sentence = new Sentence()
const contextKeys = new Int32Array(CONTEXT_KEYS)
const historyKeys = new Int32Array(HISTORY_KEYS)
/** By the number of the tag. One sentence at a time uses it. */
export const scores = new Int32Array(64)

function tagSentence(
  model: Model,
  words: readonly string[],
  from: number,
  to: number,
  allowed: ((place: number) => readonly string[] | undefined) | undefined,
  tags: string[],
): void {
  sentence.read(words, from, to, model.lexicon)
  let before = 0
  let secondBefore = 0
  let verb = 0
  for (let place = 0; place < to - from; place++) {
    const usual = usualTags(model, sentence.entry(place))
    const given = allowed?.(from + place)
    const choices = given && given.length > 0 ? narrow(model, usual, given) : usual
    let best = choices[0] ?? 0
    if (choices.length > 1) {
      scores.fill(0)
      sentence.contextKeys(place, contextKeys)
      addScores(model, contextKeys)
      sentence.historyKeys(place, before, secondBefore, verb, historyKeys)
      addScores(model, historyKeys)
      best = bestOf(choices)
    }
    tags.push(choices.length > 0 ? itemAt(model.tags, best) : itemAt(given ?? [], 0))
    verb = sentence.verbAfter(place, verb, numberAt(model.roles, best))
    secondBefore = before
    before = best
  }
}

/** The tag with the highest of the `scores`; the first of several. */
export function bestOf(choices: readonly number[]): number {
  let best = 0
  let most = Number.NEGATIVE_INFINITY
  for (const choice of choices) {
    const score = scores[choice] ?? 0
    if (score <= most) continue
    best = choice
    most = score
  }
  return best
}

/** The numbers of the tags that a word has without restrictions. */
export function usualTags({ choices, choiceOf }: Model, entry: number): readonly number[] {
  return itemAt(choices, numberAt(choiceOf, entry))
}

/** The given tags, reduced to the usual ones of the word, if there are any. */
export function narrow(model: Model, usual: readonly number[], given: readonly string[]): readonly number[] {
  // In the model's own order, so that a tie never depends on the caller's.
  const known = given.flatMap((tag) => model.numbers.get(tag) ?? []).sort((a, b) => a - b)
  const both = known.filter((number) => usual.includes(number))
  return both.length > 0 ? both : known
}

/** Adds the model's weights for the keys to `scores`; consumes the keys. */
export function addScores({ starts, weights }: Model, keys: Int32Array): void {
  // First find them all, then add, so that the processor need not wait for one lookup before the next.
  for (let i = 0; i < keys.length; i++) keys[i] = starts.find(keys[i] ?? 0)
  for (let i = 0; i < keys.length; i++) {
    let at = (keys[i] ?? 0) - 1
    if (at < 0) continue
    for (let packed = 0; (packed & 1) === 0; at++) {
      // Behind the last of all weights, the loop must end.
      packed = weights[at] ?? 1
      const tag = (packed >> 1) & 63
      scores[tag] = (scores[tag] ?? 0) + (packed >> 7)
    }
  }
}
