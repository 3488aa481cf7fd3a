/** The boards of the game Sets of the day. A checker that shares no code with the maker proves each board again. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { playLanguage } from '../../src/catalogue/index.ts'
import {
  type Board,
  BoardIndex,
  boardHash,
  hasOneSolution,
  isPlayable,
  makeBoard,
  makeCalendar,
  PlayedGroups,
  verifyBoard,
  type WordSet,
} from '../../src/engine/index.ts'
import { plural } from '../../src/language/index.ts'

const BOARDS = 60
const SMALL = /^(of|and|the)$/

const sample: WordSet[] = readFileSync('sample/polynym.ndjson', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line, i) => {
    const { name, mode, ...members }: Record<string, string> = JSON.parse(line)
    const terms = Object.keys(members).filter((member) => /^p\d+$/.test(member))
    return { id: i + 1, name: name!, mode: mode!, terms: terms.map((member) => members[member]!) }
  })
const indexOf = (sets: readonly WordSet[], others?: string[][]) => new BoardIndex(sets, playLanguage, others)
const index = indexOf(sample)
const calendar = makeCalendar(index, 'sample', BOARDS)

const spelled = new Map<string, string[]>()

/** Every spelling that counts as the same word, by making plurals instead of taking them apart. */
function spellings(term: string): string[] {
  const known = spelled.get(term)
  if (known) return known
  const bare = term
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^(the|an|a) /, '')
    .replaceAll('-', ' ')
    .replaceAll(/['’]/g, '')
  const found = [bare, plural(bare)]
  spelled.set(term, found)
  return found
}

const isSame = (a: readonly string[], b: readonly string[]) => a[0] === b[0] || a[0] === b[1] || a[1] === b[0]

/** All solutions: for the first word that is left, it tries every three of the others, one after the other. */
function solutions(words: readonly string[], groups: readonly (readonly string[])[]): string[][][] {
  const known = groups.map((terms) => terms.map(spellings))
  const homes = new Map(
    words.map((word) => {
      const own = spellings(word)
      return [word, new Set(known.keys().filter((i) => known[i]!.some((term) => isSame(own, term))))]
    }),
  )
  const belongTogether = (four: readonly string[]) =>
    four.map((word) => homes.get(word)!).reduce((all, each) => all.intersection(each)).size > 0
  const solve = (left: readonly string[]): string[][][] => {
    if (left.length === 0) return [[]]
    const [first, ...rest] = left
    return rest.flatMap((second, i) =>
      rest.slice(i + 1).flatMap((third, j) =>
        rest.slice(i + j + 2).flatMap((fourth) => {
          const four = [first!, second, third, fourth]
          if (!belongTogether(four)) return []
          return solve(left.filter((word) => !four.includes(word))).map((others) => [four, ...others])
        }),
      ),
    )
  }
  return solve(words)
}

const termsOf = (sets: readonly WordSet[]) => sets.map(({ terms }) => terms)
const inOrder = (groups: readonly (readonly string[])[]) => groups.map((group) => group.toSorted().join()).toSorted()

test(`the sample catalogue has ${BOARDS} boards, each with one solution`, () => {
  assert.equal(calendar.length, BOARDS)
  for (const { words, groups } of calendar) {
    assert.equal(words.length, 16)
    const found = solutions(words, termsOf(sample))
    assert.equal(found.length, 1, words.join())
    assert.deepEqual(inOrder(found[0]!), inOrder(groups.map(({ terms }) => terms)))
  }
})

test('a group has four terms of its set, which share no word, and words are short', () => {
  for (const { words, groups } of calendar) {
    assert.deepEqual(words.toSorted(), groups.flatMap(({ terms }) => terms).toSorted())
    for (const { id, name, mode, terms } of groups) {
      const set = sample[id - 1]!
      assert.deepEqual([name, mode], [set.name, set.mode])
      assert.equal(new Set(terms).size, 4)
      assert.ok(terms.every((term) => set.terms.includes(term)))
      const parts = terms
        .flatMap((term) => [...new Set(spellings(term)[0]!.split(' '))])
        .filter((part) => !SMALL.test(part))
      assert.equal(new Set(parts).size, parts.length, terms.join())
    }
    for (const word of words) assert.ok(/^[\p{L}'-]+( [\p{L}'-]+){0,2}$/u.test(word) && word.length <= 22, word)
  }
})

test('no set is used twice in a calendar, and no two groups share more than two terms', () => {
  const groups = calendar.flatMap((board) => board.groups)
  assert.equal(new Set(groups.map(({ id }) => id)).size, 4 * BOARDS)
  for (const [i, { terms }] of groups.entries()) {
    for (const other of groups.slice(0, i)) {
      const shared = terms.filter((term) => other.terms.some((each) => isSame(spellings(term), spellings(each))))
      assert.ok(shared.length <= 2, `${terms} and ${other.terms}`)
    }
  }
})

test('most boards have words that fit into two groups, and groups go from easy to hard', () => {
  for (const { groups, nearWords } of calendar) {
    const difficulties = groups.map(({ difficulty }) => difficulty)
    assert.deepEqual(
      difficulties,
      difficulties.toSorted((a, b) => a - b),
    )
    const near = groups.flatMap(({ id, terms }) =>
      terms.filter((term) =>
        groups.some(
          (other) =>
            other.id !== id && sample[other.id - 1]!.terms.some((each) => isSame(spellings(term), spellings(each))),
        ),
      ),
    )
    assert.equal(nearWords, near.length)
  }
  assert.ok(calendar.filter(({ nearWords }) => nearWords > 0).length > BOARDS / 2)
})

test('the same sets and seed give the same calendar, in any order of the sets; another seed gives another', () => {
  assert.deepEqual(makeCalendar(indexOf(sample.toReversed()), 'sample', 10), calendar.slice(0, 10))
  assert.notDeepEqual(makeCalendar(index, 'other', 1), calendar.slice(0, 1))
})

test('a calendar can be continued later', () => {
  const played = new PlayedGroups(index, calendar.slice(0, 30))
  assert.deepEqual(makeBoard(index, 'sample 31', played), calendar[30])
})

test('when every set was used, sets give other groups', () => {
  const all = makeCalendar(index, 'sample', 1000)
  const played = new PlayedGroups(index, all)
  assert.equal(makeBoard(index, 'more', played), undefined)
  played.reuseSets()
  const more = makeBoard(index, 'more', played)
  assert.ok(more && hasOneSolution(index, more.words))
  for (const { terms } of more.groups) {
    for (const other of all.flatMap(({ groups }) => groups)) {
      assert.ok(terms.filter((term) => other.terms.includes(term)).length <= 2, `${terms} and ${other.terms}`)
    }
  }
})

test('both checkers find a second solution that is put in on purpose', () => {
  for (const { words, groups } of calendar.slice(0, 15)) {
    const [a, b] = groups.map(({ terms }) => terms)
    // Two more groups exchange a word between two groups of the board.
    const extra = [
      [...a!.slice(1), b![0]!],
      [...b!.slice(1), a![0]!],
    ]
    const disguised = extra.map((terms) => terms.map((term) => `The ${term.toUpperCase()}`))
    for (const others of [extra, disguised]) {
      assert.ok(solutions(words, [...termsOf(sample), ...others]).length > 1)
      assert.equal(hasOneSolution(indexOf(sample, others), words), false)
    }
    // One of them alone is a second solution only where the board has a near word that fills the gap.
    const half = extra.slice(0, 1)
    const isOnly = solutions(words, [...termsOf(sample), ...half]).length === 1
    assert.equal(hasOneSolution(indexOf(sample, half), words), isOnly)
  }
})

test('a second solution is found when it needs a circle of three groups, or four other groups', () => {
  const rows = ['abcd', 'efgh', 'ijkl', 'mnop'].map((row) => [...row].map((letter) => letter.repeat(3)))
  const words = rows.flat()
  const swapped = (from: number, to: number) => [...rows[from]!.slice(1), rows[to]![0]!]
  const cases: readonly (readonly [number, string[][]])[] = [
    [1, [swapped(0, 1), swapped(1, 2)]],
    [2, [swapped(0, 1), swapped(1, 2), swapped(2, 0)]],
    [2, rows.map((_, i) => rows.map((row) => row[i]!))],
  ]
  for (const [expected, others] of cases) {
    assert.equal(solutions(words, [...rows, ...others]).length, expected)
    assert.equal(hasOneSolution(indexOf([], [...rows, ...others]), words), expected === 1)
  }
})

test('words are equal whatever their letter case, accents, articles and plural', () => {
  const { keyOf } = playLanguage
  const same = [
    ['leaf', 'Leaves', 'the leaf'],
    ['café', 'Cafes', 'a cafe'],
    ['box', 'boxes'],
    ['horse', 'horses'],
    ['lady', 'ladies'],
    ['movie', 'movies'],
    ['glass', 'glasses'],
    ['axe', 'ax'],
    ['man', 'men'],
    ['close-up', 'Close Up'],
    ["shepherd's purse", 'shepherds purse'],
  ]
  for (const words of same) assert.equal(new Set(words.map(keyOf)).size, 1, words.join())
  const different = ['pin', 'pine', 'plan', 'plane', 'virus', 'iris', 'the', 'moss', 'Mars', 'star', 'stare', 'ring']
  assert.equal(new Set(different.map(keyOf)).size, different.length)

  const [board] = calendar
  const twice = board!.words.with(0, `the ${board!.words[1]!.toUpperCase()}`)
  assert.equal(hasOneSolution(index, twice), false)
})

test('a word of a board is a short term', () => {
  for (const term of ['ox', 'grand jeté', 'hide and seek', "d'Artagnan", 'close-up']) assert.ok(isPlayable(term), term)
  for (const term of ['', 'A', '13', 'Guess a cause.', 'Mars, the planet', 'one two three four', 'x'.repeat(21)]) {
    assert.ok(!isPlayable(term), term)
  }
})

test('there is no board of too few sets, or of sets that cannot be told apart', () => {
  assert.equal(makeBoard(indexOf(sample.slice(0, 3)), 'few'), undefined)
  const alike = Array.from({ length: 8 }, (_, i) => ({ ...sample[4]!, id: i + 1 }))
  assert.equal(makeBoard(indexOf(alike), 'alike'), undefined)
})

test('a published hash proves that a board was not changed', () => {
  const [board, other] = calendar
  const salt = 'a long random salt'
  const hash = boardHash(board!, salt)
  const { words, groups } = board!
  const plain = groups.map(({ id, mode, name, terms }) => ({ id, mode, name, terms }))
  const text = JSON.stringify({ groups: plain, salt, words })
  assert.equal(hash, createHash('sha256').update(text).digest('hex'))
  assert.ok(verifyBoard(board!, salt, hash))
  assert.ok(verifyBoard(JSON.parse(JSON.stringify(board)), salt, hash.toUpperCase()))
  const changed: Board = { ...board!, words: words.toReversed() }
  assert.ok(!verifyBoard(changed, salt, hash))
  assert.ok(!verifyBoard(board!, `${salt} `, hash))
  assert.ok(!verifyBoard(other!, salt, hash))
})
