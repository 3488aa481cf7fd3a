/** Aligning and checking: whether a qode is a tokenised form of a body. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { align, check, parse } from '../../src/language/index.ts'

const wordsOf = (body: string, qode: string) => {
  const alignment = align(body, parse(qode))
  return 'aligned' in alignment ? alignment.aligned.map(({ word }) => word) : alignment
}

test('each token matches one word, ignoring spacing', () => {
  assert.deepEqual(wordsOf("Don't open the door.", "Do n't q1e_VB the q1n_NN ."), ['open', 'door'])
  assert.deepEqual(wordsOf("Don't go", "q1e_VBP n't go"), ['Do'])
  assert.deepEqual(wordsOf("It's late", "q1n_PRP 's late"), ['It'])
  assert.deepEqual(wordsOf('I cannot go', 'I q1e_MD not go'), ['can'])
  assert.deepEqual(wordsOf('mother-in-law is', 'q1n_NN is'), ['mother-in-law'])
  assert.deepEqual(wordsOf('mother-in-law is', 'q1n_NN-in-law is'), ['mother'])
  assert.deepEqual(wordsOf('one\ntwo', 'q1n_CD   q1e_CD'), ['one', 'two'])
  assert.deepEqual(wordsOf('', ''), [])
})

test('the error says where it goes wrong', () => {
  assert.deepEqual(wordsOf('a b', 'a x'), { offset: 2, why: 'the qode has "x", but the body has "b"' })
  assert.deepEqual(wordsOf('a b', 'a'), { offset: 1, why: 'the body continues with "b"' })
  assert.deepEqual(wordsOf('a', 'a b'), { offset: 2, why: 'the qode has "b", but the body ends' })
  assert.deepEqual(wordsOf('unhappy', 'un q1e_JJ'), {
    offset: 3,
    why: 'no word of the body begins here: it has "happy"',
  })
  assert.deepEqual(wordsOf('two words', 'q1e_NN'), { offset: 6, why: 'the body continues with "words"' })
})

test('words with many possible ends take no more than linear work', () => {
  // Without memoization, this would take longer than the age of the universe.
  const body = `${'a-a-a-a-a-a '.repeat(300)}z`
  const qode = `${'q1n_NN '.repeat(300)}y`
  assert.ok('why' in align(body, parse(qode)))
})

test('a check says what no longer matches', () => {
  const door = { name: 'door', e: 'open', r: 'close', o: 'barrier', s: 'passage' }
  assert.deepEqual(check('Open doors.', 'q1e_JJ q1n_NNS.', [door]), [])
  assert.deepEqual(check('Open doors.', 'q1e_JJ q1n_NNS.', [{ ...door, name: 'gate' }]), [
    { offset: 7, why: '"doors" would become "gates"', token: 'q1n_NNS', word: 'doors', becomes: 'gates' },
  ])
  assert.deepEqual(check('Open doors.', 'q1e_JJ q2n_NNS.', [door]), [
    { offset: 7, why: 'no quadranym is given for index 2', token: 'q2n_NNS', word: 'doors' },
  ])
  assert.deepEqual(check('Open doors.', 'Shut q1n_NNS.', [door]), [
    { offset: 0, why: 'the qode has "Shut ", but the body has "Open doors."' },
  ])
})
