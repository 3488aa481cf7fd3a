/**
 * The file formats: what is written is read back, and a damaged part is reported with its line and costs nothing else.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { csvRow } from '../../src/engine/index.ts'
import {
  formatOf,
  fortuneEntry,
  linesOf,
  readCsv,
  readers,
  readFortunes,
  readJson,
  readNdjson,
  writeNdjson,
} from '../../src/transfer/formats/index.ts'
import { type Item, Unreadable } from '../../src/transfer/item.ts'

const folder = mkdtempSync(join(tmpdir(), 'formats-'))
const path = join(folder, 'file')
after(() => rmSync(folder, { recursive: true }))

type Read = (path: string, chunkSize?: number) => Iterable<Item>

function itemsOf(read: Read, content: string | Buffer, chunkSize?: number): Item[] {
  writeFileSync(path, content)
  return [...read(path, chunkSize)]
}

/** Each item as its line and result, by its collection if the file names one; the same for chunks of any size. */
function found(read: Read, content: string | Buffer): unknown[] {
  const items = itemsOf(read, content)
  for (const size of [1, 2, 3, 7]) assert.deepEqual(itemsOf(read, content, size), items, `chunks of ${size}`)
  return items.map((item) => {
    const what = item.found instanceof Unreadable ? item.found.reason : item.found
    return item.collection === undefined ? [item.line, what] : [item.line, what, item.collection]
  })
}

const records = (items: readonly Item[]) => items.map((item) => item.found)

/**
 * Any text that people write: no control characters except line breaks and tabs, and often special characters of the
 * formats.
 */
const text = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...'",;%\\{}[]: \n\t_', '😀', '\u2028', '%%', '"\n"')))
  .map((parts) => parts.join('').replaceAll(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, ''))
const chunkSize = fc.integer({ min: 1, max: 7 })

test('NDJSON and JSON return what was written', () => {
  const few = { maxKeys: 3, noNullPrototype: true }
  const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.constant(null), fc.dictionary(text, text, few))
  const record = fc.dictionary(text, value, few)
  fc.assert(
    fc.property(fc.array(record, { maxLength: 3 }), fc.constantFrom(0, 2), chunkSize, (given, indent, size) => {
      assert.deepEqual(records(itemsOf(readNdjson, given.map(writeNdjson).join(''), size)), given)
      const json = (value: unknown) => records(itemsOf(readJson, JSON.stringify(value, null, indent), size))
      const page = { count: given.length, next: 'http://a/?b="', previous: null, results: given }
      assert.deepEqual(json(given), given)
      assert.deepEqual(json(page), given)
      assert.deepEqual(json([page, page]), [...given, ...given])
      assert.deepEqual(json({ none: [], a: page, b: given }), [...given, ...given])
    }),
  )
})

test('CSV returns what was written, in cells that are not empty', () => {
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width })))
  fc.assert(
    fc.property(rows, chunkSize, (given, size) => {
      const header = (given[0] ?? ['']).map((_, i) => `m${i}`)
      const content = [header, ...given].map(csvRow).join('')
      const expected = given.map((row) => Object.fromEntries(row.flatMap((cell, i) => (cell ? [[`m${i}`, cell]] : []))))
      assert.deepEqual(records(itemsOf(readCsv, content, size)), expected)
      assert.deepEqual(records(itemsOf(readCsv, `\uFEFF${content}`, size)), expected)
    }),
  )
})

test('fortunes return what was written, except for spaces at the ends of lines', () => {
  fc.assert(
    fc.property(fc.array(text), chunkSize, (given, size) => {
      const tidy = (text: string) =>
        text
          .split('\n')
          .map((line) => (/^%(%|\s*$)/.test(line) ? ` ${line}` : line).trimEnd())
          .join('\n')
          .replace(/^\n+/, '')
          .trimEnd()
      const expected = given.map(tidy).filter((text) => text !== '')
      const content = given.map(fortuneEntry).join('')
      assert.deepEqual(
        records(itemsOf(readFortunes, content, size)),
        expected.map((text) => ({ text })),
      )
    }),
  )
})

test('lines have their number and their end', () => {
  const all = (content: string | Buffer) => {
    writeFileSync(path, content)
    return [...linesOf(path, 2)].map(({ number, end, text, ending }) => [number, end, text, ending])
  }
  assert.deepEqual(all(''), [])
  assert.deepEqual(all('\uFEFFé\r\n\n😀'), [
    [1, 7, 'é', '\r\n'],
    [2, 8, '', '\n'],
    [3, 12, '😀', ''],
  ])
  assert.deepEqual(all(Buffer.from('a\n\xe9\nb\n', 'latin1')), [
    [1, 2, 'a', '\n'],
    [2, 4, new Unreadable('not UTF-8 text'), '\n'],
    [3, 6, 'b', '\n'],
  ])
})

test('in NDJSON, a line that is not an object is reported, and the rest is read', () => {
  const content = '\uFEFF{"a":1}\r\n\r\n{"a":\n[1]\nnull\n  \n{"b":2} x\n{"__proto__":3}'
  assert.deepEqual(found(readNdjson, content), [
    [1, { a: 1 }],
    [3, 'not JSON: Unexpected end of JSON input'],
    [4, 'not an object'],
    [5, 'not an object'],
    [7, 'not JSON: Unexpected non-whitespace character after JSON at position 8'],
    [8, JSON.parse('{"__proto__":3}')],
  ])
  assert.deepEqual(
    found(readNdjson, `{"a":${'['.repeat(63)}${']'.repeat(63)}}\n{"a":${'['.repeat(64)}${']'.repeat(64)}}`)[1],
    [2, 'nested deeper than 64 levels'],
  )
})

test('in JSON, every shape is read with the lines of its records', () => {
  const cases: readonly [string, unknown[]][] = [
    ['[]', []],
    [
      '\uFEFF[\r\n  {"a": 1},\r\n\r\n  {"b":\n 2}]\n',
      [
        [2, { a: 1 }],
        [4, { b: 2 }],
      ],
    ],
    ['{"a": "é", "results": 1}', [[1, { a: 'é', results: 1 }]]],
    ['{\n"voters": ["x"], "lines": [{}]}', [[1, { voters: ['x'], lines: [{}] }]]],
    ['{"results": [{"a": 1}],\n "count": 1, "more": {"x": []}}', [[1, { a: 1 }]]],
    [
      '[{"results": [{"a": 1}]},\n{"b": 1}, {"count": 0, "next": null, "results": []}]',
      [
        [1, { a: 1 }],
        [2, { b: 1 }],
      ],
    ],
    [
      '{"none": [],\n"é\\n": [{"a": 1}],\n"b": {"count": 1, "results": [\n{"c": 1}], "previous": null}, "d": {"e": 1}}',
      [
        [2, { a: 1 }, 'é\n'],
        [4, { c: 1 }, 'b'],
        [4, { e: 1 }, 'd'],
      ],
    ],
    ['{"a": [], "b": [ ]}', []],
    ['{"a": [], "b": 1}', [[1, { a: [], b: 1 }]]],
    [
      '{"a": 1}\n{"a": 2}\n',
      [
        [1, { a: 1 }],
        [2, { a: 2 }],
      ],
    ],
  ]
  for (const [content, expected] of cases) assert.deepEqual(found(readJson, content), expected, content)
})

test('in JSON, an invalid record is reported with its line, and the rest is read', () => {
  const cases: readonly [string | Buffer, unknown[]][] = [
    [
      '[1, "a, b",\n[{}], {}]',
      [
        [1, 'not an object'],
        [1, 'not an object'],
        [2, 'not an object'],
        [2, {}],
      ],
    ],
    [
      '[{"a": },\n{"a": 2}]',
      [
        [1, `not JSON: Unexpected token '}', "{"a": }" is not valid JSON`],
        [2, { a: 2 }],
      ],
    ],
    [
      Buffer.from('[{"a":"\xe9"},\n{"a":"b"}]', 'latin1'),
      [
        [1, 'not UTF-8 text'],
        [2, { a: 'b' }],
      ],
    ],
  ]
  for (const [content, expected] of cases) assert.deepEqual(found(readJson, content), expected, String(content))
})

test('in JSON, a missing or wrong bracket, comma or quote is reported with its place, and ends the reading', () => {
  const broken = (offset: number, reason: string) =>
    `not JSON at offset ${offset}: ${reason}; the rest of the file is not read`
  const early = (what: string) => `the JSON ends early: expected ${what}`
  const wrong = (bracket: string) => `found "${bracket}" where another bracket was expected`
  const cases: readonly [string, unknown[]][] = [
    ['', [[1, early('a value')]]],
    [' \n [\n', [[3, early('a value')]]],
    [
      '[{"a": 1},\n{"a": 2, "b": [{',
      [
        [1, { a: 1 }],
        [2, early('the end of a value')],
      ],
    ],
    [
      '{"x": {"results": [\n{"a": 1}]\n',
      [
        [2, { a: 1 }, 'x'],
        [3, early('"," or "}"')],
      ],
    ],
    [
      '[{"a": 1}\n{"a": 2}]',
      [
        [1, { a: 1 }],
        [2, broken(10, 'expected "," or "]"')],
      ],
    ],
    [
      '[{"a": 1},\n]',
      [
        [1, { a: 1 }],
        [2, broken(11, 'expected a value')],
      ],
    ],
    ['[{"a": 1,\n{"a": 2}]', [[2, broken(18, wrong(']'))]]],
    ['[{"a": [1, 2},\n{"a": 2}]', [[1, broken(12, wrong('}'))]]],
    [
      '[{"a": 1}},\n{"a": 2}]',
      [
        [1, { a: 1 }],
        [1, broken(9, 'expected "," or "]"')],
      ],
    ],
    ['[\n{"a": "x},\n{"a": 2}]', [[2, broken(12, 'expected the end of a quoted text')]]],
    [
      '{"x": [{"a": 1}], y: 2, "z": [{"a": 3}]}',
      [
        [1, { a: 1 }, 'x'],
        [1, broken(18, 'expected a name in quotes and ":"')],
      ],
    ],
    [`[{"a":${'['.repeat(65)}`, [[1, broken(70, 'nested deeper than 64 levels')]]],
  ]
  for (const [content, expected] of cases) assert.deepEqual(found(readJson, content), expected, content)
})

test('in JSON with one record per line, damage to any character is reported with the line, or leaves a record', () => {
  const line = '{"a": "b", "c": [1, {"d": 2}]}'
  for (let at = 1; at < line.length; at++) {
    for (const damage of ['', ...'"{}[],:x\\']) {
      const damaged = line.slice(0, at) + damage + line.slice(at + 1)
      const [first, second, ...rest] = itemsOf(readJson, `[{"n":1},\n${damaged},\n{"n":2}]`)
      assert.deepEqual(first!.found, { n: 1 })
      assert.ok(second!.line === 2 || second!.line === 3, damaged)
      const isTold = [second, ...rest].some((item) => item!.found instanceof Unreadable)
      assert.ok(isTold || rest.length === 1, damaged)
    }
  }
})

test('in CSV, separators, quotes and line ends of every kind are read', () => {
  const cases: readonly [string, unknown[]][] = [
    ['', []],
    [
      'a,b\r\n1,\r\n\r\n,"2\r\n\r\n""3"""\r\n',
      [
        [2, { a: '1' }],
        [4, { b: '2\r\n\r\n"3"' }],
      ],
    ],
    ['a;b\n1,5;2', [[2, { a: '1,5', b: '2' }]]],
    ['a\tb\n1;5\t2\n', [[2, { a: '1;5', b: '2' }]]],
    ['"a", b,"c;d"\n1,2,3\n', [[2, { a: '1', b: '2', 'c;d': '3' }]]],
    ['a\n""\n', [[2, {}]]],
    ['__proto__\n1\n', [[2, JSON.parse('{"__proto__":"1"}')]]],
  ]
  for (const [content, expected] of cases) assert.deepEqual(found(readCsv, content), expected, content)
})

test('in CSV, a wrong row is reported with its line, and no quote swallows the rest', () => {
  const unclosed = 'a quote is never closed'
  const cases: readonly [string, unknown[]][] = [
    [
      'a,b\n1\n1,2,3\n"x\ny",2\n',
      [
        [2, '1 cell, but the header names 2 members'],
        [3, '3 cells, but the header names 2 members'],
        [4, { a: 'x\ny', b: '2' }],
      ],
    ],
    ['a\n1,2\n', [[2, '2 cells, but the header names 1 member']]],
    [
      'a,b\n1,"2\n3,4\n5,6\n',
      [
        [2, unclosed],
        [3, { a: '3', b: '4' }],
        [4, { a: '5', b: '6' }],
      ],
    ],
    [
      'a,b\n1,"2\n3,"4"\n',
      [
        [2, 'text after a closing quote'],
        [3, { a: '3', b: '4' }],
      ],
    ],
    [
      'a,b\n1,2"\n3,4',
      [
        [2, 'a quote in a cell that does not begin with one'],
        [3, { a: '3', b: '4' }],
      ],
    ],
    ['a,b\n1,"2', [[2, unclosed]]],
    ['a,,b\n1,2,3\n', [[1, 'the header has a cell without a name']]],
    ['a,b, a\n1,2,3\n', [[1, 'the header names "a" twice']]],
    ['a,"b\n1,2\n', [[1, unclosed]]],
  ]
  for (const [content, expected] of cases) assert.deepEqual(found(readCsv, content), expected, content)
  const latin1 = Buffer.from('a,b\n1,\xe9\n2,3\n', 'latin1')
  assert.deepEqual(found(readCsv, latin1), [
    [2, 'not UTF-8 text'],
    [3, { a: '2', b: '3' }],
  ])
})

test('in fortune files, separators, comments and overstrikes of old files are read', () => {
  const content =
    '%% by hand\n%\n\n  One,\t \n\n\ttwo\r\n\n% \n%%\nTh_\bre_\be b\bb\bbo\b_ld\x07\n%%\n\n%\n100%\n%s\n %'
  assert.deepEqual(found(readFortunes, content), [
    [4, { text: '  One,\n\n\ttwo' }],
    [10, { text: 'Three bold' }],
    [14, { text: '100%\n%s\n %' }],
  ])
  assert.deepEqual(found(readFortunes, Buffer.from('a\n%\n\nb\n\xe9\nc\n%\nd', 'latin1')), [
    [1, { text: 'a' }],
    [4, 'not UTF-8 text'],
    [8, { text: 'd' }],
  ])
  assert.equal(fortuneEntry('a\n%\n%% b\n%c'), 'a\n %\n %% b\n%c\n%\n')
})

test('every item says how much of the file has been read', () => {
  const ends = (read: Read, content: string) => itemsOf(read, content, 3).map((item) => item.end)
  assert.deepEqual(ends(readNdjson, '{}\r\n\n{"é":1}'), [4, 13])
  assert.deepEqual(ends(readJson, '\uFEFF[ {}, {"é":1},\n2]'), [7, 17, 20])
  assert.deepEqual(ends(readCsv, 'é\n"1\n2"\n"3\n4'), [9, 12, 13])
  assert.deepEqual(ends(readFortunes, 'é\n%\n\nb\nc'), [3, 9])
})

test('an item longer than 2 MiB is reported, and the rest is read', () => {
  const long = 'x'.repeat(2 ** 21)
  assert.deepEqual(itemsOf(readNdjson, `{}\n{"a":"${long}"}\n{"a":1}`), [
    { line: 1, end: 3, found: {} },
    { line: 2, end: 2 ** 21 + 12, found: new Unreadable('the line is longer than 2 MiB') },
    { line: 3, end: 2 ** 21 + 19, found: { a: 1 } },
  ])
  const told = (read: Read, content: string) =>
    itemsOf(read, content).map(({ line, found }) => [line, found instanceof Unreadable ? found.reason : found])
  assert.deepEqual(told(readJson, `[{"a":"${long}"},\n{"a":[\n {"b":"${long}"}]},\n{"a":1}]`), [
    [1, 'longer than 2 MiB'],
    [2, 'longer than 2 MiB'],
    [4, { a: 1 }],
  ])
  assert.deepEqual(told(readFortunes, `${`${'x'.repeat(1023)}\n`.repeat(2 ** 11)}\n%\na`), [
    [1, 'the text is longer than 2 MiB'],
    [2 ** 11 + 3, { text: 'a' }],
  ])
  const wide = '3'.repeat(1000)
  const rows = told(readCsv, `a,b\n1,"2\n${`${wide},4\n`.repeat(2200)}5,6`)
  assert.equal(rows.length, 2202)
  assert.deepEqual(rows.slice(0, 2), [
    [2, 'the row is longer than 2 MiB'],
    [3, { a: wide, b: '4' }],
  ])
  assert.deepEqual(rows.at(-1), [2203, { a: '5', b: '6' }])
  assert.deepEqual(told(readCsv, `a\n"${'\n'.repeat(10_000)}1`), [
    [2, 'the row has more than 10000 lines'],
    [10_002, { a: '1' }],
  ])
})

test('a file is closed when its reading is stopped', () => {
  for (const read of [...Object.values(readers), linesOf]) {
    writeFileSync(path, '{"a":1}\n{"a":2}\n%\n{"a":3}\n%\n')
    const free = openSync(path, 'r')
    closeSync(free)
    for (const _ of read(path, 2)) break
    // The system returns the lowest free number.
    const again = openSync(path, 'r')
    closeSync(again)
    assert.equal(again, free)
  }
})

test('a format is known by its extension, or by the start of the file', () => {
  const extensions = { ndjson: 'ndjson', JSONL: 'ndjson', json: 'json', csv: 'csv', tsv: 'csv', fortune: 'fortune' }
  for (const [extension, format] of Object.entries(extensions)) assert.equal(formatOf(`a.b.${extension}`), format)
  for (const extension of ['txt', 'dat', 'gz', 'constructor']) assert.equal(formatOf(`a.${extension}`), undefined)
  const starts: readonly [string, string | undefined][] = [
    ['\uFEFF \n{"a":1}\r\n{"a":2}', 'ndjson'],
    ['{"a":[1]}', 'ndjson'],
    ['{"count":1,"results":[{"a":1}]}', 'json'],
    ['{"a":[{"b":1}]}', 'json'],
    ['{\n"a":1}', 'json'],
    [' [1]', 'json'],
    ['A text.\r\n%\r\n', 'fortune'],
    ['100 %\n%s', undefined],
    [`${'a\n'.repeat(2 ** 15)}%\n`, undefined],
    ['', undefined],
  ]
  for (const [start, format] of starts) {
    writeFileSync(path, start)
    assert.equal(formatOf(path), format, start.slice(0, 40))
  }
})

test('a file of 60 MB is not held in memory, whole or damaged', () => {
  const body = 'All roads lead to Rome. '.repeat(400)
  const files: readonly [keyof typeof readers, start: string, each: string, items: number][] = [
    ['json', '{"a":{"results":[{}', `,\n${JSON.stringify({ body })}`, 6302],
    ['csv', 'a,b\n', csvRow([body, '"']), 6300],
    // Damage that seems to need memory: a line, a string, a quote and a text without end, and brackets that only open.
    ['ndjson', '{"a":"', body, 1],
    ['json', '[{"a":"', body, 1],
    ['csv', 'a,b\n"', `${body}\n`, 6300],
    ['fortune', '', `${body}\n`, 1],
    ['json', '', '['.repeat(body.length), 1],
  ]
  const formats = new URL('../../src/transfer/formats/index.ts', import.meta.url)
  for (const [format, start, each, items] of files) {
    const file = openSync(path, 'w')
    writeSync(file, start)
    for (let i = 0; i < 63; i++) writeSync(file, each.repeat(100))
    closeSync(file)
    const script = `
      import { readers } from ${JSON.stringify(formats)}
      const before = process.resourceUsage().maxRSS
      let items = 0
      for (const _ of readers[${JSON.stringify(format)}](${JSON.stringify(path)})) items++
      console.log(JSON.stringify({ items, grown: process.resourceUsage().maxRSS - before }))`
    // A small heap, so that garbage is collected soon.
    const room = ['--max-old-space-size=32', '--max-semi-space-size=1']
    const child = [...room, '--input-type=module', '--eval', script]
    const told = JSON.parse(execFileSync(process.execPath, child, { encoding: 'utf8' }))
    assert.equal(told.items, items, `${format} ${start}`)
    assert.ok(told.grown < 50_000, `${format} ${start}: ${told.grown} KB`)
  }
})
