/** Authors and works in sources as people write them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authorKey, creditOf, originIn } from '../../src/language/index.ts'

const read = (src: string) => {
  const { author, work, note, isAfter } = creditOf(src) ?? {}
  return [author, work, note, isAfter]
}

test('the author comes before the first comma, the work after it', () => {
  assert.deepEqual(read('Oscar Wilde, The Picture of Dorian Gray'), [
    'Oscar Wilde',
    'The Picture of Dorian Gray',
    '',
    false,
  ])
  assert.deepEqual(read('Emily Dickinson'), ['Emily Dickinson', '', '', false])
  assert.deepEqual(read('Richard Lovelace, To Althea, from Prison'), [
    'Richard Lovelace',
    'To Althea, from Prison',
    '',
    false,
  ])
  assert.deepEqual(read(' --  Shakespeare ,\n"Hamlet"'), ['Shakespeare', 'Hamlet', '', false])
  assert.deepEqual(read('Walt Whitman — Song of Myself'), ['Walt Whitman', 'Song of Myself', '', false])
})

test('titles and suffixes belong to the name', () => {
  assert.deepEqual(read('Alfred, Lord Tennyson, Ulysses'), ['Alfred, Lord Tennyson', 'Ulysses', '', false])
  assert.deepEqual(read('Oscar Wilde, Lady Windermere’s Fan').slice(0, 2), ['Oscar Wilde', 'Lady Windermere’s Fan'])
  assert.deepEqual(read('Joseph Conrad, Lord Jim').slice(0, 2), ['Joseph Conrad', 'Lord Jim'])
  assert.deepEqual(read('Martin Luther King, Jr.'), ['Martin Luther King, Jr.', '', '', false])
  assert.deepEqual(read('Pliny, the Elder, Natural History'), ['Pliny, the Elder', 'Natural History', '', false])
})

test('remarks and "after" are kept apart', () => {
  assert.deepEqual(read('Omar Khayyam, Rubaiyat (translated by Edward FitzGerald)'), [
    'Omar Khayyam',
    'Rubaiyat',
    'translated by Edward FitzGerald',
    false,
  ])
  assert.deepEqual(read('after Homer'), ['Homer', '', '', true])
  assert.deepEqual(read('After'), ['After', '', '', false])
})

test('a source without a letter has no author', () => {
  for (const src of ['', ' ', ',', '--', '("']) assert.equal(creditOf(src), undefined)
})

test('a saying may name its origin after a dash', () => {
  assert.equal(originIn('Know thyself. -- inscription at Delphi')?.source, 'inscription at Delphi')
  assert.equal(originIn('To err is human; to forgive, divine.\n\t\t-- Alexander Pope')?.source, 'Alexander Pope')
  assert.equal(originIn('I have a dream. — Martin Luther King, Jr.')?.source, 'Martin Luther King, Jr.')
  assert.equal(originIn('He waited -- and nothing came.'), undefined)
  assert.equal(originIn('Well-known things stay.'), undefined)
  assert.equal(originIn('--'), undefined)
})

test('letter case, accents and punctuation do not make another author', () => {
  assert.equal(authorKey('Baltasar Gracián'), authorKey('BALTASAR  GRACIAN'))
  assert.equal(authorKey('C. S. Lewis'), authorKey('C.S. Lewis'))
  assert.equal(authorKey("Fabre d'Églantine"), authorKey('Fabre d’Eglantine'))
  assert.equal(authorKey('Alfred, Lord Tennyson'), authorKey('Alfred Tennyson'))
  assert.equal(authorKey('Sir'), 'sir')
  assert.notEqual(authorKey('Robert Browning'), authorKey('Elizabeth Barrett Browning'))
})
