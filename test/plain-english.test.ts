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
  [/\bstands? (?:in|there|at|on|here|nowhere|before|after|behind|between|twice|upon)\b/gi, 'is, occurs'],
  [/\bas (?:it|they) stands?\b/gi, 'unchanged'],
  [/\bbeside (?:it|its|them|the|each|a|other|others)\b/gi, 'next to'],
  [/\bwho asks?\b/gi, 'the client, the visitor'],
  [/\bof which there may be\b/gi, 'name the number'],
  [/\b(?:so many|in vain|that is none)\b/gi, 'this many; without success; invalid'],
  [/\bwork(?:s|ed|ing)? (?:it |them )?out\b/gi, 'compute'],
  [/\b(?:is|are) said (?:in|with|at|as|to)\b/gi, 'is reported'],
  [/\bbut for\b(?! neither)/gi, 'except for'],
  [/\b(?:not|no [a-z]+|nothing|nobody)(?: [a-z]+){1,4} any more\b/gi, 'no longer'],
  [/\bwithout regard to\b/gi, 'ignoring'],
  [/\bcan be had\b|\bto be had\b/gi, 'is available'],
  [/\bas one (?:types|reads|sees|likes)\b|\bone.s own\b/gi, 'name the person: the user'],
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
