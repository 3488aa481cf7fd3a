/** The prose of the project is plain English: these words and phrases are marks of a style that native readers find odd. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const PROSE = ['*.md', 'docs/*.md', 'bench/*.md', 'src/**/*.md']
const CODE = ['bin/*.js', 'src/**/*.{ts,js,css}', 'bench/**/*.ts', 'scripts/**/*.ts', 'test/**/*.ts']
/** This file names what it refuses. */
const HERE = 'test/plain-english.test.ts'

/** What to look for, and what to write instead. */
const ODD: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/gi, 'again'],
  [/\bwhoever\b/gi, 'name the person: the user, the client, the caller'],
  [/\bwould else\b/gi, 'otherwise ... would'],
  [/\bas ever\b/gi, 'as usual'],
  [/\bOf what\b/g, 'begin with the subject'],
  [/\b(?:is|are) (?:a )?[45]\d\d\b/g, 'returns 400'],
]

test('documents and comments avoid the marks of odd English', () => {
  const found = globSync([...PROSE, ...CODE])
    .filter((file) => file !== HERE)
    .sort()
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      return ODD.flatMap(([pattern, instead]) =>
        Array.from(text.matchAll(pattern), ({ 0: words, index }) => {
          const line = text.slice(0, index).split('\n').length
          return `${file}:${line}: "${words}"; write: ${instead}`
        }),
      )
    })
  assert.deepEqual(found, [])
})
