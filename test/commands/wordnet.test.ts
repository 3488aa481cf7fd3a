/** Records made from WordNet: from the real dictionary, and from a small one with every rare case. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Mistake } from '../../src/cli/desk.ts'
import {
  relatedWordsOf,
  synonymsOf,
  type WordnetRecord,
  wordnetFolder,
  wordnetRecords,
} from '../../src/cli/wordnet/index.ts'
import { relatedRow } from '../../src/store/index.ts'

const slots = Array.from({ length: 12 }, (_, i) => `p${i + 1}`)
const termsOf = ({ body }: WordnetRecord) => slots.flatMap((slot) => (slot in body ? [String(body[slot])] : []))

describe('the real dictionary', () => {
  let records: readonly WordnetRecord[] = []
  let polynyms: readonly WordnetRecord[] = []
  let quadranyms: readonly WordnetRecord[] = []
  before(() => {
    records = [...wordnetRecords(wordnetFolder())]
    polynyms = records.filter(({ collection }) => collection === 'polynym')
    quadranyms = records.filter(({ collection }) => collection === 'quadranym')
  })

  test('it makes more than ten thousand polynyms and three hundred quadranyms, always the same in the same order', () => {
    const count = (mode: string) => polynyms.filter(({ body }) => body['mode'] === mode).length
    assert.deepEqual([count('type'), count('part'), quadranyms.length], [10952, 3229, 337])
    assert.deepEqual([...wordnetRecords(wordnetFolder())], records)
  })

  test('parts and types of well-known things are found, with the place they come from', () => {
    const find = (name: string, area: string, mode: string) =>
      polynyms.filter(({ body }) => body['name'] === name && body['area'] === area && body['mode'] === mode)
    assert.deepEqual(find('hand', 'artifact', 'type'), [
      {
        collection: 'polynym',
        file: 'data.noun',
        line: 19092,
        body: {
          name: 'hand',
          user: 'wordnet',
          src: 'WordNet 3.1',
          area: 'artifact',
          mode: 'type',
          p1: 'hour hand',
          p2: 'minute hand',
          p3: 'second hand',
        },
      },
    ])
    const [hand] = find('hand', 'body', 'part')
    assert.deepEqual(termsOf(hand!).slice(-4), ['palm', 'finger', 'ball', 'metacarpus'])
    const [car] = find('car', 'artifact', 'part')
    const parts = termsOf(car!)
    assert.equal(parts.length, 12)
    for (const part of ['accelerator', 'car door', 'hood', 'window']) assert.ok(parts.includes(part), part)
    // What it is made of is another polynym than its parts.
    assert.deepEqual(find('tree', 'plant', 'part').map(termsOf), [
      ['stump', 'crown', 'limb', 'trunk', 'burl'],
      ['sapwood', 'heartwood'],
    ])
  })

  test('attributes and their opposites are found, the pole with more words first', () => {
    const terms = (name: string) =>
      quadranyms
        .filter(({ body }) => body['name'] === name)
        .map(({ body: { e, r, o = '', s = '', opos = '' } }) => [e, r, o, s, opos].join(' '))
    assert.deepEqual(terms('temperature'), ['hot cold warm cool ADJ'])
    assert.deepEqual(terms('size'), ['large small big little ADJ'])
    assert.deepEqual(terms('distance'), ['distant close far near ADJ'])
    assert.deepEqual(terms('length'), ['long short longness shortness NN'])
    assert.deepEqual(terms('power'), ['powerful powerless powerfulness powerlessness NN'])
    assert.deepEqual(terms('courage'), ['brave cowardly braveness coward NN'])
    assert.deepEqual(terms('cowardice'), ['cowardly brave coward braveness NN'])
    assert.deepEqual(terms('kindness'), ['kind unkind   '])
    assert.deepEqual(terms('East'), ['eastern western   '])
  })

  test('every record obeys the rules of its collection', () => {
    const keys = new Set<string>()
    const isText = (text: unknown, longest: number) =>
      typeof text === 'string' && text !== '' && text === text.trim() && !/[_()]/.test(text) && text.length <= longest
    for (const { collection, file, line, body } of records) {
      const seen = JSON.stringify(body)
      assert.deepEqual([body['user'], body['src']], ['wordnet', 'WordNet 3.1'], seen)
      assert.ok(line > 29 && isText(body['name'], 200) && isText(body['area'], 64), seen)
      if (collection === 'polynym') {
        const { name, user, src, area, mode, ...rest } = body
        const terms = Object.values(rest)
        assert.equal(file, 'data.noun')
        assert.ok(mode === 'part' || mode === 'type', seen)
        assert.deepEqual(Object.keys(rest), slots.slice(0, Math.max(2, terms.length)), seen)
        assert.ok(
          terms.every((term) => isText(term, 500)),
          seen,
        )
        assert.equal(new Set([name, ...terms]).size, terms.length + 1, seen)
        keys.add(JSON.stringify([collection, name, src, area, terms]))
      } else {
        const { name, e, r, o, s, pos, epos, rpos, opos, spos } = body
        const filled = [e, r, ...(o === undefined ? [] : [o, s])]
        assert.equal(file, 'data.adj')
        assert.ok(
          filled.every((term) => isText(term, 200)),
          seen,
        )
        assert.equal(new Set(filled).size, filled.length, seen)
        assert.deepEqual([pos, epos, rpos, spos], ['NN', 'ADJ', 'ADJ', opos], seen)
        assert.equal(opos === undefined, o === undefined, seen)
        keys.add(JSON.stringify([collection, name, e, r, o ?? '', s ?? '', pos]))
      }
    }
    assert.equal(keys.size, records.length)
  })
})

describe('a small dictionary', () => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'nymdex-wordnet-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** A line of a data file: pointers are written "~ 2", or "! 2 a 0102" between words. */
  function synset(offset: number, lexfile: string, words: string, pointers: readonly string[] = [], gloss = 'x') {
    const type = lexfile === '00' ? 'a' : 'n'
    const listed = words.split(' ')
    const written = pointers.map((pointer) => {
      const [symbol, to, pos = 'n', ends = '0000'] = pointer.split(' ')
      return `${symbol} ${to!.padStart(8, '0')} ${pos} ${ends}`
    })
    return [
      `${offset}`.padStart(8, '0'),
      lexfile,
      type,
      listed.length.toString(16).padStart(2, '0'),
      ...listed.flatMap((word) => [word, '0']),
      `${written.length}`.padStart(3, '0'),
      ...written,
      `| ${gloss}  `,
    ].join(' ')
  }

  interface Files {
    readonly nouns?: readonly string[]
    readonly adjectives?: readonly string[]
    readonly senses?: readonly string[]
    readonly licence?: string
    readonly newline?: string
  }
  let made = 0

  function makeDictionary({ nouns = [], adjectives = [], senses = [], licence, newline = '\n' }: Files): string {
    const dictionary = join(folder, `${++made}`)
    mkdirSync(dictionary)
    const head = licence === undefined ? [] : [`  1 ${licence}  `]
    writeFileSync(join(dictionary, 'data.noun'), [...head, ...nouns, ''].join(newline))
    writeFileSync(join(dictionary, 'data.adj'), [...head, ...adjectives, ''].join(newline))
    // There is no line end after the last line, which counts too.
    writeFileSync(join(dictionary, 'index.sense'), senses.join(newline))
    return dictionary
  }
  const read = (files: Files) => [...wordnetRecords(wordnetFolder(makeDictionary(files)))]

  test('of more than twelve types the most used are taken, in the order of the dictionary', () => {
    const letters = [...'abcdefghijklmn']
    const records = read({
      licence: 'WordNet 2.1 Copyright 2005 by Princeton University.  All rights reserved.',
      nouns: [
        synset(1, '03', 'letter', ['@ 99', ...letters.map((_, i) => `${i % 2 ? '~' : '~i'} ${i + 10}`)]),
        ...letters.map((letter, i) => synset(i + 10, '10', `type_${letter} ${letter}`)),
      ],
      // The uses of a synset are the sum of those of its words; those of a verb with the same offset do not count.
      senses: letters.flatMap((letter, i) => {
        const [place, times] = [`${i + 10}`.padStart(8, '0'), letter === 'c' ? 1 : letter === 'k' ? 0 : 2]
        return [`type_${letter}%1:10:00:: ${place} 1 ${times}`, `${letter}%1:10:00:: ${place} 1 ${times && 1}`].concat(
          `${letter}%2:10:00:: ${place} 1 9`,
        )
      }),
    })
    const [{ body, ...place }] = records as [WordnetRecord]
    assert.equal(records.length, 1)
    assert.deepEqual(place, { collection: 'polynym', file: 'data.noun', line: 2 })
    assert.deepEqual([body['src'], body['area'], body['mode']], ['WordNet 2.1', 'Tops', 'type'])
    assert.deepEqual(
      termsOf(records[0]!),
      [...'abdefghijlmn'].map((letter) => `type ${letter}`),
    )
  })

  test('parts, members, substances and types are separate polynyms, if there are two of them', () => {
    const long = 'l'.repeat(501)
    const records = read({
      newline: '\r\n',
      nouns: [
        synset(1, '20', 'wood', ['%p 2', '%m 3', '%s 5', '%p 3', '~ 2', '%m 4', '~ 3', '~ 6', '%s 77', '%s 6']),
        synset(2, '20', 'wood crown_of_wood'),
        synset(3, '20', 'bough limb'),
        synset(4, '20', 'bough'),
        synset(5, '20', long),
        synset(6, '20', 'forêt'),
        // A name that is too long for a record, and an unknown lexicographer file.
        synset(7, '20', 'n'.repeat(201), ['~ 3', '~ 6']),
        synset(8, '77', 'grove', ['~ 3', '~ 6']),
        // The same name, area and terms again; then the same terms as parts.
        synset(9, '20', 'wood', ['~ 2', '~ 3', '~ 6', '%p 2', '%p 3', '%p 6']),
      ],
    })
    assert.deepEqual(
      records.map(({ line, body }) => [line, body]),
      [
        [
          1,
          {
            name: 'wood',
            user: 'wordnet',
            src: 'WordNet',
            area: 'plant',
            mode: 'part',
            p1: 'crown of wood',
            p2: 'bough',
          },
        ],
        [
          1,
          {
            name: 'wood',
            user: 'wordnet',
            src: 'WordNet',
            area: 'plant',
            mode: 'type',
            p1: 'crown of wood',
            p2: 'bough',
            p3: 'forêt',
          },
        ],
        [8, { name: 'grove', user: 'wordnet', src: 'WordNet', mode: 'type', p1: 'bough', p2: 'forêt' }],
      ],
    )
  })

  test('opposites of one attribute make a quadranym, without the markers of adjectives', () => {
    const records = read({
      nouns: [
        synset(1, '07', 'mood state_of_mind'),
        synset(2, '26', 'gladness joy'),
        synset(3, '26', 'woe sadness'),
        synset(4, '07', 'rank'),
      ],
      adjectives: [
        synset(1, '00', 'content(p) glad(ip)', ['= 1', '! 2 a 0201', '+ 2 n 0201', '+ 4 n 0101']),
        synset(2, '00', 'sad(a)', ['= 1', '! 1 a 0102', '+ 3 n 0102']),
        synset(3, '00', 'low', ['= 4', '! 4 a 0101'], 'not high'),
        synset(4, '00', 'high', ['= 4', '! 3 a 0101'], 'more than most'),
        synset(5, '00', 'dominant', ['= 4', '! 6 a 0101']),
        synset(6, '00', 'well_kept', ['= 4', '! 5 a 0101']),
        // Opposites without a known attribute, and an attribute that does not exist.
        synset(7, '00', 'left', ['= 4', '! 99 a 0101']),
        synset(8, '00', 'right', ['= 88', '! 3 a 0101']),
      ],
      senses: ['well_kept%3:00:00:: 00000006 1 5', 'dominant%3:00:00:: 00000005 1 4', 'high%3:00:00:: 00000004 1 1'],
    })
    const common = { user: 'wordnet', src: 'WordNet', area: 'attribute', pos: 'NN', epos: 'ADJ', rpos: 'ADJ' }
    const [nouns, adjectives] = [
      { opos: 'NN', spos: 'NN' },
      { opos: 'ADJ', spos: 'ADJ' },
    ]
    assert.deepEqual(records, [
      {
        collection: 'quadranym',
        file: 'data.adj',
        line: 1,
        body: { ...common, name: 'mood', e: 'glad', r: 'sad', o: 'gladness', s: 'sadness', ...nouns },
      },
      {
        collection: 'quadranym',
        file: 'data.adj',
        line: 5,
        body: { ...common, name: 'rank', e: 'well kept', r: 'dominant', o: 'high', s: 'low', ...adjectives },
      },
    ])
  })

  test('words of one meaning are synonyms, those of the meanings that texts use first', () => {
    const folder = makeDictionary({
      nouns: [
        synset(1, '06', 'car auto motor_car Wagen'),
        synset(2, '06', 'car cabin'),
        synset(3, '06', 'car railcar'),
        synset(4, '03', 'égalité parity'),
        synset(5, '03', 'ox bo'),
      ],
      adjectives: [synset(1, '00', 'glad(p) happy', [])],
      senses: ['car%1:06:00:: 00000001 1 3', 'car%1:06:01:: 00000003 2 7', 'auto%1:06:00:: 00000001 1 1'],
    })
    assert.deepEqual(synonymsOf(folder), [
      ['auto', 'car'],
      ['auto', 'wagen'],
      ['cabin', 'car'],
      ['car', 'railcar'],
      ['car', 'auto'],
      ['car', 'wagen'],
      ['egalite', 'parity'],
      ['glad', 'happy'],
      ['happy', 'glad'],
      ['parity', 'egalite'],
      ['railcar', 'car'],
      ['wagen', 'auto'],
      ['wagen', 'car'],
    ])
  })

  test('words have to do with each other by meaning, kind, part, family and definition, in the meanings that texts use', () => {
    const folder = makeDictionary({
      nouns: [
        synset(1, '17', 'ocean', ['@ 2', '#p 3'], 'a large body of water; "the deep ocean"'),
        synset(2, '17', 'body_of_water water'),
        synset(3, '17', 'hydrosphere'),
        synset(4, '12', 'joy', ['+ 1 a 0101', '! 5 n 0101'], 'the emotion of great happiness'),
        synset(5, '12', 'sorrow'),
        synset(6, '12', 'happiness'),
        synset(7, '06', 'joy glee', [], 'a rare meaning'),
      ],
      adjectives: [synset(1, '00', 'joyous glad', ['+ 4 n 0101'], 'full of joy')],
      senses: ['joy%1:12:00:: 00000004 1 30', 'joy%1:06:00:: 00000007 2 1', 'ocean%1:17:00:: 00000001 1 2'],
    })
    const found = new Map(Array.from(relatedWordsOf(folder), (each) => [each.word, relatedRow(each).others]))
    const relations = (word: string) => found.get(word)?.replace(/^\d /, '').replaceAll(/\d/g, '')
    assert.equal(relations('ocean'), 'water:k hydrosphere:p')
    assert.equal(relations('water'), 'ocean:e')
    assert.equal(relations('joy'), 'joyous:f happiness:t glad:d glee:s')
    assert.equal(relations('joyous'), 'glad:s joy:f')
    assert.equal(relations('happiness'), 'joy:d')
    assert.equal(found.has('sorrow'), false)
    assert.deepEqual([...relatedWordsOf(folder)], [...relatedWordsOf(folder)])
  })

  test('a folder that is not a dictionary is refused in one line', () => {
    const advice = 'give the folder that holds data.noun: nymdex import wordnet PATH'
    const refused = (given: string, message: string) => assert.throws(() => wordnetFolder(given), new Mistake(message))
    const nowhere = join(folder, 'typo')
    refused(nowhere, `there is no folder ${nowhere}; ${advice}`)
    for (const file of ['data.noun', 'data.adj', 'index.sense']) {
      const dictionary = makeDictionary({})
      assert.equal(wordnetFolder(dictionary), dictionary)
      rmSync(join(dictionary, file))
      refused(dictionary, `${dictionary} holds no ${file}; ${advice}`)
    }
    const broken = makeDictionary({ nouns: [synset(1, '03', 'thing'), '00000002 03 n 02 half_a_li'] })
    const message = `${join(broken, 'data.noun')}, line 2: not a line of WordNet`
    assert.throws(() => [...wordnetRecords(broken)], new Mistake(message))
  })
})
