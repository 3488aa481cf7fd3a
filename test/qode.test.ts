/** The grammar of qode: what is a token, what is text, and that parsing loses nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { depth, parse, subs, tokens, width, write } from '../src/language/index.ts'

const shape = (qode: string, untagged = false) =>
  tokens(qode, { untagged }).map(({ offset, length, index, slot, tag, capital }) => [
    offset,
    length,
    index,
    slot,
    tag,
    capital,
  ])

test('a token is q, an index, a slot, a separator and a tag', () => {
  assert.deepEqual(shape('A q1e_NN and q12s_VBZ.'), [
    [2, 6, 1, 'e', 'NN', false],
    [13, 8, 12, 's', 'VBZ', false],
  ])
  for (const slot of 'neros') assert.equal(subs(`q1${slot}_NN`), slot)
})

test('a caret, or the capital Q of older data, means a capital', () => {
  assert.deepEqual(shape('q1e^NN Q2r_VB'), [
    [0, 6, 1, 'e', 'NN', true],
    [7, 6, 2, 'r', 'VB', true],
  ])
  assert.equal(write(parse('q1e^NN Q2r_VB')), 'q1e^NN q2r^VB')
})

test('what only looks like a token is text', () => {
  const lookalikes = ['q0e_NN', 'q01e_NN', 'q1x_NN', 'q1e_nn', 'q1e-NN', 'q1e_NNs', 'q1e_NN2', 'xq1e_NN', '_q1e_NN']
  for (const text of [...lookalikes, 'q1e_', 'qe_NN', 'q1E_NN', 'q1e_NNé', 'éq1e_NN', 'q1234567890e_NN', 'q1e']) {
    assert.deepEqual(shape(text), [], text)
  }
})

test('punctuation ends a token, and clitics stay text', () => {
  for (const text of ["q1n_NN's", 'q1n_NN,', '(q1n_NN)', 'half-q1n_NN', '"q1n_NN"', 'q1n_NN\n']) {
    assert.equal(width(text), 1, text)
  }
})

test('without a tag it is a token only where the grammar says so', () => {
  assert.deepEqual(shape('from q1e to q1r.', true), [
    [5, 3, 1, 'e', undefined, false],
    [12, 3, 1, 'r', undefined, false],
  ])
  assert.deepEqual(shape('q1e^ q1e_ q1ex', true), [])
})

test('subs are the slots in order, depth the highest index, width the number of tokens', () => {
  const qode = 'q2e_NN q10r_NN q1e_NNS q2n_VB'
  assert.deepEqual([subs(qode), depth(qode), width(qode)], ['eren', 10, 4])
  assert.deepEqual([subs('no tokens'), depth('no tokens'), width('')], ['', 0, 0])
})

const token = fc
  .tuple(
    fc.integer({ min: 1, max: 999_999_999 }),
    fc.constantFrom(...'neros'),
    fc.constantFrom('_', '^'),
    fc.stringMatching(/^[A-Z]{1,4}$/),
  )
  .map(([index, slot, separator, tag]) => `q${index}${slot}${separator}${tag}`)

test('pieces cover the text without gap or overlap, and write returns it', () => {
  const texts = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), token, fc.constantFrom(' ', ', ', '.', 'q1', '_', '^')),
  )
  fc.assert(
    fc.property(texts, fc.boolean(), (parts, untagged) => {
      const qode = parts.join('')
      const pieces = parse(qode, { untagged })
      let at = 0
      for (const piece of pieces) {
        assert.equal(piece.offset, at)
        at += piece.length
      }
      assert.equal(at, qode.length)
      const written = write(pieces)
      if (!/Q/.test(qode)) assert.equal(written, qode)
      assert.equal(write(parse(written, { untagged })), written)
    }),
  )
})
