/** Questions that the games make of the sample catalogue: none of them tells its answer. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { games } from '../../src/catalogue/index.ts'
import type { Drawn, Game } from '../../src/declare/index.ts'
import { isOtherForm, isSameAnswer } from '../../src/language/index.ts'

function sample(name: string): any[] {
  const lines = readFileSync(`sample/${name}.ndjson`, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line))
}

const drawn = (records: readonly any[]): Drawn[] => records.map((shown, i) => ({ id: i + 1, shown }))
const topics = drawn(sample('quadranym'))
const quotes = drawn(
  sample('quote').map((each) => {
    const name = each.quadranym.name ?? each.quadranym
    const topic = topics.find(({ shown }) => shown['name'] === name)
    return { ...each, quadranym: { ...topic?.shown, quadranym_id: topic?.id } }
  }),
)
const records: Record<string, readonly Drawn[]> = {
  polynym: drawn(sample('polynym')),
  quadranym: topics,
  quote: quotes,
}

/** Numbers that look random and are the same in every run. */
function chanceFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 48271) % 2147483647
    return state % below
  }
}

const polynyms = records['polynym'] ?? []
const slots = ({ shown }: Drawn) =>
  new Set(Object.entries(shown).flatMap(([key, term]) => (/^p\d/.test(key) ? [term] : [])))

function questionsOf(game: Game) {
  const all = records[game.of.name] ?? []
  const chance = chanceFrom(7)
  return all.flatMap((record, i) => {
    const mine = slots(record)
    const crossing = polynyms.filter((each) => each !== record && !mine.isDisjointFrom(slots(each)))
    const others = Array.from({ length: 12 }, (_, k) => topics.at((i * 31 + k * 17) % topics.length)!)
    const tried =
      game.beside === 'crossing'
        ? crossing.map((other) => game.ask(record, [other], chance))
        : [game.ask(record, others, chance)]
    return tried.flatMap((question) => question ?? [])
  })
}

for (const game of games.list) {
  test(`{play.hidden} ${game.title}: the sample makes many questions, and none tells its answer`, () => {
    const questions = questionsOf(game)
    assert.ok(questions.length >= 40, `${questions.length} questions`)
    for (const { shown, answer, stake, from } of questions) {
      assert.ok(stake >= 3 && from.length >= 1)
      if (!game.isTyped) {
        const { options = [] } = shown
        assert.ok(options.length >= 3 && options.length <= 5 && Number(answer) >= 1 && Number(answer) <= options.length)
        assert.equal(new Set(options).size, options.length)
        continue
      }
      const terms = [...(shown.terms ?? []), ...(shown.crossing ?? [])]
      assert.equal(terms.filter((term) => term === null).length, shown.crossing ? 2 : 1)
      for (const text of [...terms, shown.topic ?? '', shown.hint ?? '']) {
        if (text === null) continue
        assert.ok(!isSameAnswer(text, answer) && !isOtherForm(text, answer), `${text} tells ${answer}`)
        assert.ok(!` ${text.toLowerCase()} `.includes(` ${answer.toLowerCase()} `), `${text} tells ${answer}`)
      }
    }
  })
}

test('{play.same} {play.near} an answer is compared by its words', () => {
  for (const [guess, answer] of [
    ['The Rooks', 'rook'],
    ['cafe', 'Café'],
    ['firefly', 'fire-fly'],
    ['wolf', 'wolves'],
    ['children', 'child'],
    ['profession of the faith', 'professions of faith'],
    ['The', 'the'],
    ['∞', '∞'],
  ] as const) {
    assert.ok(isSameAnswer(guess, answer), `${guess} is ${answer}`)
  }
  for (const [guess, answer] of [
    ['flowed', 'flow'],
    ['happiness', 'happy'],
    ['better', 'good'],
    ['dying', 'die'],
    ['rising actions', 'rise action'],
  ] as const) {
    assert.ok(!isSameAnswer(guess, answer) && isOtherForm(guess, answer), `${guess} is near ${answer}`)
  }
  for (const [guess, answer] of [
    ['queen', 'king'],
    ['', 'king'],
    ['tower', 'tow'],
    ['king queen', 'king'],
    ['a', 'b'],
  ] as const) {
    assert.ok(!isSameAnswer(guess, answer) && !isOtherForm(guess, answer), `${guess} is not ${answer}`)
  }
})
