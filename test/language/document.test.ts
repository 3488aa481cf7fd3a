/** Runs every example in the tables of docs/qode.md. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { spinExamples } from '../../scripts/spin-examples.ts'
import {
  annotate,
  depth,
  fits,
  type Quadranym,
  spin,
  subs,
  tokensInPlace,
  width,
  wordFor,
} from '../../src/language/index.ts'

const text = readFileSync('docs/qode.md', 'utf8')

/** The rows of the table with this head, without code marks. */
function rowsOf(head: string): string[][] {
  const [, table = ''] = text.split(`${head}\n`)
  const rows = table.split('\n\n')[0]!.split('\n').slice(1)
  assert.ok(rows.length > 3, head)
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/s, '$1')),
  )
}

function quadranymOf(cell: string): Quadranym {
  const [name = '', e = '', r = '', o = '', s = ''] = cell.split(',').map((term) => term.trim())
  return { name, e, r, o, s }
}

test('subs, depth and width are as the document says', () => {
  for (const [qode, slots, highest, count] of rowsOf('| qode | subs | depth | width |')) {
    assert.deepEqual([subs(qode!), depth(qode!), width(qode!)], [slots, Number(highest), Number(count)], qode)
  }
})

test('bodies are annotated as the document says, and come back', () => {
  for (const [body, given, qode] of rowsOf('| body | quadranym | qode |')) {
    const quadranym = quadranymOf(given!)
    assert.equal(annotate(body!, [quadranym]).qode, qode)
    if (qode !== '') assert.equal(spin(qode!, [quadranym]).text, body)
  }
})

test('qode is spun as the document says', () => {
  for (const [qode, given, wanted] of rowsOf('| qode | quadranym | text |')) {
    assert.equal(spin(qode!, [quadranymOf(given!)]).text, wanted)
  }
})

test('what is filled in agrees with what stays, as the document says', () => {
  for (const [rule, qode, given, wanted] of rowsOf('| rule | qode | quadranym | text |')) {
    const { text, repairs } = spin(qode!, [quadranymOf(given!)])
    assert.equal(text, wanted)
    assert.deepEqual([...new Set(repairs.map((each) => each.rule))].join(' '), rule, qode)
  }
})

test('places need what the document says, and quadranyms fit or not', () => {
  for (const [need, qode, fitting, other] of rowsOf('| need | qode | fits | does not |')) {
    const [token, ...others] = tokensInPlace(qode!)
    assert.deepEqual([token?.need ?? '', others.length], [need, 0], qode)
    assert.ok(fits([token!], quadranymOf(fitting!)), `${fitting} fits ${qode}`)
    if (other) assert.ok(!fits([token!], quadranymOf(other)), `${other} does not fit ${qode}`)
  }
})

test('terms become the words that the document says', () => {
  const rows = rowsOf('| term | tag | word | |')
  assert.deepEqual(
    rows.map(([term, tag]) => [term, tag, wordFor(term!, tag!)]),
    rows.map((row) => row.slice(0, 3)),
  )
})

test('the twenty examples are those of the seed', () => {
  assert.ok(text.includes(spinExamples()), 'run scripts/spin-examples.ts and put its table into docs/qode.md')
})
