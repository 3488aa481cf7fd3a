/** The sample catalogue is spelled right: each word is in the English dictionary or in fixtures/spelling-allowed.txt. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import dictionary from 'dictionary-en'
import { type Grammar, parse } from '../src/language/index.ts'

/** nspell has no types. */
const nspell: (given: typeof dictionary) => { correct(word: string): boolean } = createRequire(import.meta.url)(
  'nspell',
)

interface Found {
  readonly place: string
  readonly word: string
}

const ALLOWED = 'test/fixtures/spelling-allowed.txt'
/** The members that a person reads; references, accounts and codes are left out. */
const READ = /^(name|body|qode|src|area|wiki|realm|app|[eros]|p\d+|r\d+)$/
const WORD = /\p{L}+(?:'\p{L}+)*/gu
const ADDRESS = /^(www\.|\S+:\/\/)/
const UNTAGGED: Grammar = { untagged: true }

const groups = readFileSync(ALLOWED, 'utf8')
  .trimEnd()
  .split(/^#.*\n/m)
  .slice(1)
  .map((group) => group.trimEnd().split('\n'))
const words = wordsOfSample()

function wordsOfSample(): Found[] {
  return globSync('sample/*.ndjson').flatMap((file) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .flatMap((line, i) =>
        Object.entries(JSON.parse(line) as Record<string, unknown>)
          .filter((member): member is [string, string] => READ.test(member[0]) && typeof member[1] === 'string')
          .flatMap(([member, text]) =>
            wordsOf(member, text).map((word) => ({ place: `${file}:${i + 1} ${member}`, word })),
          ),
      ),
  )
}

function wordsOf(member: string, text: string): string[] {
  if (member === 'wiki' && ADDRESS.test(text)) return []
  return textsOf(member, text).flatMap((part) => part.match(WORD) ?? [])
}

/** A token replaces a word that is checked elsewhere; the middle of a relation is the name of its kind. */
function textsOf(member: string, text: string): string[] {
  if (member === 'qode') return parse(text, UNTAGGED).flatMap((piece) => ('text' in piece ? [piece.text] : []))
  return /^r\d+$/.test(member) ? text.split(',').toSpliced(1, 1) : [text]
}

test('every word of the sample catalogue is spelled right, and every word that is allowed is needed', () => {
  const english = nspell(dictionary)
  const allowed = new Set(groups.flat())
  const needed = new Set<string>()
  const known = new Map<string, boolean>()
  const wrong = words.filter(({ word }) => {
    if (!known.has(word)) known.set(word, isKnown(word))
    return !known.get(word)
  })
  assert.deepEqual(
    wrong.map(({ place, word }) => `${place}: ${word}`),
    [],
  )
  assert.deepEqual([...allowed.difference(needed)], [], `${ALLOWED} has words that nothing needs`)

  function isKnown(word: string): boolean {
    const bare = word.replace(/'s$/, '')
    if (english.correct(word) || english.correct(bare)) return true
    // A word that begins a sentence may be in the list without its capital.
    const form = [bare, bare.toLowerCase()].find((each) => allowed.has(each))
    if (form !== undefined) needed.add(form)
    return form !== undefined
  }
})

test('the allowed words are sorted in their groups, each once', () => {
  const all = groups.flat()
  assert.deepEqual(
    all.filter((word, i) => all.indexOf(word) !== i),
    [],
  )
  for (const group of groups)
    assert.deepEqual(
      group,
      group.toSorted((a, b) => a.localeCompare(b, 'en')),
    )
})
