/** nymdex import from files and standard input: what is imported, repeated imports, and failures. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { after, describe, mock, test } from 'node:test'
import SQLite from 'better-sqlite3'
import { catalogue } from '../../src/catalogue/index.ts'
import { ProgressLine } from '../../src/cli/progress.ts'
import { engineOn } from '../../src/engine/index.ts'
import { openStore } from '../../src/store/index.ts'
import { runImport, type Source } from '../../src/transfer/index.ts'
import { BIN, ended } from '../support/command.ts'
import { contents, ENGINES, ndjson, polynym, records, table, Workshop } from './commands.ts'

const shop = new Workshop()
after(() => shop.close())

const DOOR = { name: 'door', user: 'ada', e: 'open', r: 'close', o: 'barrier', s: 'passage' }
const COLOURS = { name: 'colour', user: 'ada', mode: 'type', p1: 'red', p2: 'green', p3: 'blue' }
const MEALS = { name: 'meal', user: 'bob', mode: 'step', p1: 'breakfast', p2: 'lunch', p3: 'supper' }

async function userNames(database: string): Promise<string[]> {
  const store = await openStore(database, catalogue)
  const accounts = await store.read(() => store.accounts.all())
  await store.close()
  return accounts.map(({ name }) => name).sort()
}

for (const engine of ENGINES) {
  describe(`Import (${engine})`, () => {
    test('records go to users who can sign in only if the operator says so', async () => {
      const database = await shop.database(engine)
      for (const name of ['Ada', 'bob', 'import']) {
        await shop.works(database, ['user', 'add', name, '--password-stdin'], 'a good password')
      }
      const refused = (names: string) =>
        `records of the source would belong to ${names}, who can sign in here: ` +
        'add --to-existing-users if they are the same people; nothing was changed'
      const set = { name: 'words', user: 'cleo', polynyms: [{ ...MEALS, polynym_id: 71 }], polyset_id: 1 }
      const line = { phrase: { name: 'p', qode: 'An q1n_NN.', user: ' bob', phrase_id: 4 }, quadranym: 1 }
      const cases: readonly [file: string, names: string][] = [
        [shop.file('polynym.ndjson', [{ ...COLOURS, name: 'hue', user: 'cleo' }, COLOURS]), 'Ada'],
        [shop.file('polyset.ndjson', [set]), 'bob'],
        [
          shop.file(
            'polyset.csv',
            `name,user,polynyms\nwords,ada,"${JSON.stringify(set.polynyms).replaceAll('"', '""')}"\n`,
          ),
          'Ada, bob',
        ],
        [shop.file('story.ndjson', [{ name: 'tale', user: 'cleo', lines: [line], story_id: 1 }]), 'bob'],
        [shop.file('queue.ndjson', [{ name: 'umbrella' }]), 'import'],
      ]
      for (const [file, names] of cases) {
        assert.equal(await shop.refuses(database, ['import', file]), refused(names))
      }
      assert.equal(await shop.refuses(database, ['import', cases[0]![0], '--dry-run']), refused('Ada'))
      assert.deepEqual(await userNames(database), ['Ada', 'bob', 'import'])
      assert.equal(await contents(database), '')
      const [colours, words] = cases.map(([file]) => file) as [string, string]
      await shop.works(database, ['import', colours, '--to-existing-users'])
      assert.deepEqual(
        (await records(database, 'polynym')).map(({ user }) => user),
        ['cleo', 'Ada'],
      )
      // Votes cannot harm a user, and --owner is the operator's decision.
      const liked = { ...MEALS, user: 'dora', likes: 1, voters: ['bob'] }
      await shop.works(database, ['import', shop.file('polynym.ndjson', [liked])])
      await shop.works(database, ['import', shop.file('queue.ndjson', [{ name: 'umbrella' }]), '--owner', 'ada'])
      const unnamed = shop.file('polynym.ndjson', [{ ...polynym(8), user: '***' }])
      await shop.works(database, ['import', unnamed, '--owner', 'ada'])
      assert.equal(await shop.refuses(database, ['import', words]), refused('bob'))
    })

    test('a folder with a file for each collection is imported completely, in any format; a second import changes nothing', async () => {
      const database = await shop.database(engine)
      const folder = shop.files({
        // As clients save the responses of collections: a page, and a list of pages.
        'polynym.json': JSON.stringify({
          count: 1,
          next: null,
          previous: null,
          results: [{ ...COLOURS, polynym_id: 70 }],
        }),
        'quadranym.json': JSON.stringify([
          { count: 2, next: 'http://x/?page=2', previous: null, results: [{ ...DOOR, quadranym_id: 50 }] },
          { count: 2, next: null, previous: 'http://x/', results: [{ ...DOOR, name: 'gate', quadranym_id: 51 }] },
        ]),
        'quadranym-id.json': '{"count":1,"next":null,"previous":null,"results":[{"name":"door","quadranym_id":50}]}',
        // The embedded polynym 70 is matched; 71 is created, with its voters.
        'polyset.ndjson': [
          {
            name: 'words',
            user: 'cleo',
            likes: 2,
            voters: ['dora', 'ada'],
            polynyms: [
              { ...COLOURS, polynym_id: 70 },
              { ...MEALS, likes: 1, voters: ['emil'], polynym_id: 71 },
            ],
            length: 2,
            polyset_id: 3,
          },
        ],
        'fortune.json': JSON.stringify([
          {
            body: 'Open the door.',
            qode: 'q1e_VB the q1n_NN.',
            q1: [],
            q2: [{ ...DOOR, quadranym_id: 50 }],
            fortune_id: 9,
          },
        ]),
        'phrase.ndjson': [{ name: 'p', qode: 'An q1n_NN.', user: 'ada', phrase_id: 4 }],
        // Lines are given with their story, by name and by the ids of the source.
        'story.ndjson': [{ name: 'tale', user: 'ada', lines: [{ phrase: 4, quadranym: 'gate' }], story_id: 1 }],
        'winner.csv': 'app,user,score,round\nchess,fay,-5,1\n',
        'notes.txt': 'not a catalogue',
      })
      const first = await shop.run(database, ['import', folder])
      assert.equal(first.code, 0)
      assert.equal(
        first.err,
        'passed over: notes.txt is neither NDJSON, JSON, CSV nor a fortune file\n' +
          'passed over: quadranym-id.json shows only a part of quadranym\n',
      )
      assert.equal(
        first.out,
        `           read  made  embedded
quadranym     2     2         0
fortune       1     1         0
phrase        1     1         0
polynym       1     1         1
polyset       1     1         0
story         1     1         0
storyline     0     0         1
winner        1     1         0

6 records were given a new id; --keep-ids would have kept the id of the source.
`,
      )
      const held = await contents(database)
      const door = '{"name":"door","user":"ada","e":"open","r":"close","o":"barrier","s":"passage","quadranym_id":1}'
      const gate = door.replace('"door"', '"gate"').replace(':1}', ':2}')
      const colour =
        '{"name":"colour","user":"ada","mode":"type","depth":3,"p1":"red","p2":"green","p3":"blue","polynym_id":1}'
      const meal =
        '{"name":"meal","user":"bob","likes":1,"voters":["emil"],"mode":"step","depth":3,' +
        '"p1":"breakfast","p2":"lunch","p3":"supper","polynym_id":2}'
      const phrase = '{"name":"p","user":"ada","qode":"An q1n_NN.","subs":"n","width":1,"phrase_id":1}'
      const story = '{"name":"tale","user":"ada","length":1,"story_id":1}'
      assert.deepEqual(held.split('\n'), [
        door,
        gate,
        `{"body":"Open the door.","qode":"q1e_VB the q1n_NN.","q1":[],"q2":[${door}],"subs":"en","depth":1,"user":"import","fortune_id":1}`,
        phrase,
        colour,
        meal,
        `{"name":"words","user":"cleo","likes":2,"voters":["dora","ada"],"polynyms":[${colour},${meal}],"length":2,"width":6,"depth":3,"polyset_id":1}`,
        story,
        `{"rank":0,"story":${story},"phrase":${phrase},"quadranym":${gate},"storyline_id":1}`,
        '{"by":"","user":"fay","app":"chess","score":-5,"round":1,"winner_id":1}',
        '',
      ])
      assert.deepEqual(await userNames(database), ['ada', 'bob', 'cleo', 'dora', 'emil', 'fay', 'import'])
      const { code, out } = await shop.run(database, ['import', folder])
      assert.equal(code, 0)
      assert.deepEqual(
        Object.values(table(out)),
        [2, 1, 1, 1, 1, 1, 1].map((count) => ({ read: count, same: count })),
      )
      assert.equal(await contents(database), held)
    })

    test('records of all kinds are read from standard input, as NDJSON, and as JSON by collection', async () => {
      const mixed = [
        { ...COLOURS, polynym_id: 1 },
        { ...MEALS, polynym_id: 2 },
        { name: 'both', user: 'ada', v1: 2, v2: 1, vectornym_id: 1 },
      ]
      const byCollection = {
        polynym: [COLOURS, MEALS],
        vectornym: { count: 1, next: null, results: [{ name: 'both', user: 'ada', v1: 'meal', v2: 'colour' }] },
      }
      const both = await Promise.all(
        [ndjson(mixed), JSON.stringify(byCollection, null, 2)].map(async (input) => {
          const database = await shop.database(engine)
          const report = table(await shop.works(database, ['import', '-'], input))
          assert.deepEqual(report, { polynym: { read: 2, made: 2 }, vectornym: { read: 1, made: 1 } })
          return await contents(database)
        }),
      )
      assert.equal(both[0], both[1])
      assert.match(both[0]!, /"v1":\{"name":"meal".*"v2":\{"name":"colour".*"vectornym_id":1\}\n$/)
      assert.deepEqual(
        readdirSync(shop.folder).filter((name) => name.startsWith('nymdex-import-')),
        [],
      )
    })

    test('--keep-ids keeps ids and the next one follows them; an id of another record is a fault', async () => {
      const database = await shop.database(engine)
      const file = shop.file('polynym.ndjson', [
        { ...COLOURS, polynym_id: 700 },
        { ...MEALS, polynym_id: 20 },
      ])
      await shop.works(database, ['import', file, '--keep-ids'])
      const other = { ...polynym(1), polynym_id: 700 }
      const odd = [0, 1_000_000_000_000_000].map((id) => ({ ...polynym(3), polynym_id: id }))
      const next = [other, polynym(2), { ...COLOURS, polynym_id: 3 }, ...odd]
      const { code, out, err } = await shop.run(database, ['import', shop.file('polynym.ndjson', next), '--keep-ids'])
      assert.equal(code, 1)
      assert.equal(
        err,
        'polynym.ndjson:1: polynym_id: Another polynym has the id 700.\n' +
          'polynym.ndjson:4: polynym_id: A valid integer is required.\n' +
          'polynym.ndjson:5: polynym_id: A valid integer is required.\n',
      )
      assert.deepEqual(table(out), { polynym: { read: 5, made: 1, same: 1, bad: 3 } })
      const ids = (await records(database, 'polynym')).map(({ name, polynym_id }) => [polynym_id, name])
      assert.deepEqual(ids, [
        [20, 'meal'],
        [700, 'colour'],
        [701, 'set 2'],
      ])
      // The id of a deleted record stays its own.
      const store = await openStore(database, catalogue)
      const resource = catalogue.find(({ name }) => name === 'polynym')!
      await store.write(() => store.records.delete(resource, 20))
      await store.close()
      const another = shop.file('polynym.ndjson', [{ ...polynym(9), polynym_id: 20 }])
      const { err: kept } = await shop.run(database, ['import', another, '--keep-ids'])
      assert.equal(kept, 'polynym.ndjson:1: polynym_id: Another polynym had the id 20 and was deleted.\n')
      await shop.works(database, ['import', file, '--keep-ids'])
      assert.equal((await records(database, 'polynym'))[0].polynym_id, 20)
    })

    test('--dry-run reports what the import would, and --strict stops at a fault: both change nothing', async () => {
      const database = await shop.database(engine, { sample: true })
      const before = await contents(database)
      const folder = shop.files({
        'polynym.ndjson': [polynym(1), { ...polynym(2), user: 'someone new' }, { ...polynym(3), p2: '' }, polynym(4)],
        'polyset.ndjson': [{ name: 'new', user: 'gus', polynyms: ['set 1', 'set 4'] }],
      })
      const fault = 'polynym.ndjson:3: p2: This field may not be blank.'
      const dry = await shop.run(database, ['import', folder, '--dry-run', '--keep-ids'])
      assert.deepEqual([dry.code, dry.err], [1, `${fault}\n`])
      assert.equal(await contents(database), before)
      const strict = await shop.run(database, ['import', folder, '--strict'])
      assert.deepEqual(strict, {
        code: 1,
        out: '',
        err: `nymdex: ${fault}\nnymdex: stopped there; nothing was changed\n`,
      })
      assert.equal(await contents(database), before)
      assert.ok(!(await userNames(database)).includes('gus'))

      const real = await shop.run(database, ['import', folder])
      assert.deepEqual([real.code, real.err], [1, `${fault}\n`])
      assert.equal(dry.out, `Dry run: nothing was changed. The result would be:\n${real.out}`)
      assert.equal(
        real.out,
        `         read  made  bad
polynym     4     3    1
polyset     1     1    0

Repaired:
polynym, user renamed (1): Characters that a user name may not contain become "-"; names that differ only in letter case are one user.

1 record was not imported: see above for the lines and reasons.
`,
      )
      assert.notEqual(await contents(database), before)
      assert.match(
        await shop.works(database, ['import', shop.file('queue.ndjson', [{ name: 'q' }]), '--strict']),
        /queue +1 +1/,
      )
    })

    test('a bad record leaves nothing behind: no account, no embedded record, no line', async () => {
      const database = await shop.database(engine)
      const { code, err } = await shop.run(
        database,
        ['import', '-'],
        ndjson([
          { name: 'x', user: 'stray', polynym_id: 1 },
          { name: 'set', user: 'stray', polynyms: [{ ...COLOURS, polynym_id: 2 }, 'nothing'], polyset_id: 1 },
          { name: 'p', qode: 'q1n', user: 'ada', phrase_id: 1 },
          { name: 's', user: 'stray', lines: [{ phrase: 1, quadranym: 'none' }], story_id: 1 },
        ]),
      )
      assert.equal(code, 1)
      assert.equal(
        err,
        'standard-input:1: p1: This field is required.; p2: This field is required.\n' +
          'standard-input:2: polynyms: No polynym is {"name":"nothing"}.\n' +
          'standard-input:4: lines: Line 0, quadranym: No quadranym is {"name":"none"}.\n',
      )
      assert.equal((await contents(database)).split('\n').length, 2)
      assert.deepEqual(await userNames(database), ['ada'])
    })
  })
}

describe('References', () => {
  const TWINS = [
    { ...DOOR, area: 'house', quadranym_id: 1 },
    { ...DOOR, pos: 'NN', area: 'ship', quadranym_id: 2 },
    { ...DOOR, name: '1984', quadranym_id: 3 },
  ]
  const cases: readonly [given: unknown, meant: number | string][] = [
    [2, 2],
    ['2', 2],
    [{ quadranym_id: 2 }, 2],
    [{ quadranym_id: '2' }, 2],
    [TWINS[1], 2],
    [{ ...TWINS[0], quadranym_id: 77 }, 1],
    [{ ...DOOR, name: 'new', quadranym_id: 78 }, 4],
    [78, 4],
    ['new', 4],
    [{ name: 'door', area: 'ship' }, 2],
    [{ name: '1984' }, 3],
    ['door', 'quadranym: More than one quadranym is {"name":"door"}.'],
    [{ name: 'door', e: 'open' }, 'quadranym: More than one quadranym is {"name":"door","e":"open"}.'],
    [{ name: 'door', area: 'tent' }, 'quadranym: No quadranym is {"name":"door","area":"tent"}.'],
    ['Door', 'quadranym: No quadranym is {"name":"Door"}.'],
    [1984, 'quadranym: No quadranym of the id 1984 came before.'],
    [{ e: 'open' }, 'quadranym: No quadranym is {"e":"open"}.'],
  ]

  test('are ids of the source, whole records, names, or members that identify one; what is ambiguous is a fault', async () => {
    const database = await shop.database('SQLite')
    const quotes = cases.map(([quadranym], i) => ({ body: `Open ${i}.`, src: 'S', quadranym, quote_id: i }))
    const { out, err } = await shop.run(database, ['import', '-'], ndjson([...TWINS, ...quotes]))
    const faults = new Map(
      err
        .trimEnd()
        .split('\n')
        .map((line) => [Number(line.split(':')[1]) - TWINS.length - 1, line]),
    )
    const found = new Map(
      (await records(database, 'quote')).map(({ body, quadranym }) => [body, quadranym.quadranym_id]),
    )
    for (const [i, [given, meant]] of cases.entries()) {
      const fault = faults.get(i)?.replace(/^standard-input:\d+: /, '')
      assert.equal(found.get(`Open ${i}.`) ?? fault, meant, JSON.stringify(given))
    }
    assert.deepEqual(table(out), {
      quadranym: { read: 3, made: 3, embedded: 1 },
      quote: { read: cases.length, made: 11, bad: 6 },
    })
  })

  test('by name mean a record of the source before any other: new records do not make them ambiguous', async () => {
    const database = await shop.database('SQLite')
    const folder = shop.files({
      'quadranym.ndjson': [{ ...DOOR, area: 'mine' }],
      'quadraset.ndjson': [{ name: 'set', user: 'ada', quadranyms: ['door'] }],
    })
    await shop.works(database, ['import', folder])
    const held = await contents(database)
    const { e, r, o, s, ...rest } = DOOR
    const other = shop.file('quadranym.ndjson', [{ ...rest, e: 'push', r: 'pull' }])
    await shop.works(database, ['import', other])
    const again = await shop.works(database, ['import', folder])
    assert.deepEqual(table(again), { quadranym: { read: 1, same: 1 }, quadraset: { read: 1, same: 1 } })
    assert.equal((await contents(database)).replace(/.*"push".*\n/, ''), held)
    const alone = shop.file('quadraset.ndjson', [{ name: 'other', user: 'ada', quadranyms: ['door'] }])
    const { code, err } = await shop.run(database, ['import', alone])
    assert.deepEqual([code, err], [1, 'quadraset.ndjson:1: quadranyms: More than one quadranym is {"name":"door"}.\n'])
  })

  test('in a CSV file are ids or names, several in one cell', async () => {
    const database = await shop.database('SQLite')
    const folder = shop.files({
      'polynym.csv':
        'polynym_id,name,user,mode,p1,p2,p3\n31,colour,ada,type,red,"green, dark",\n32,meal,ada,part,"a ""big"" one",two,three\n',
      'polyset.csv': 'name;user;polynyms\none;ada;32 31\ntwo;ada;meal,colour\nthree;ada;"[""meal""]"\nfour;ada;9\n',
    })
    const { code, err } = await shop.run(database, ['import', folder])
    assert.deepEqual([code, err], [1, 'polyset.csv:5: polynyms: No polynym of the id 9 came before.\n'])
    const sets = await records(database, 'polyset')
    assert.deepEqual(
      sets.map(({ name, polynyms }) => [name, polynyms.map((each: { name: string }) => each.name)]),
      [
        ['one', ['meal', 'colour']],
        ['two', ['meal', 'colour']],
        ['three', ['meal']],
      ],
    )
    assert.deepEqual([sets[0].polynyms[1].p2, sets[0].polynyms[0].p1], ['green, dark', 'a "big" one'])
  })
})

describe('Repeating', () => {
  test('changes in the source are applied, voters are added and never removed, the first of twins counts', async () => {
    const database = await shop.database('SQLite')
    const first = [
      { ...COLOURS, voters: ['b', 'a'] },
      { name: 'p', user: 'ada', qode: 'q1n' },
      { name: 'q', user: 'ada', qode: 'q1e' },
    ]
    const story = (...lines: string[]) => ({
      name: 's',
      user: 'ada',
      lines: lines.map((phrase) => ({ phrase, quadranym: 'door' })),
    })
    const folder = (polynyms: readonly object[], ...stories: object[]) =>
      shop.files({
        'polynym.ndjson': polynyms,
        'phrase.ndjson': first.slice(1),
        'quadranym.ndjson': [DOOR],
        'story.ndjson': stories,
      })
    await shop.works(database, ['import', folder(first.slice(0, 1), story('p', 'q'))])
    const again = folder(
      [
        { ...COLOURS, mode: 'part', voters: ['c', 'a'] },
        { ...COLOURS, mode: 'step' },
      ],
      story('q'),
      story('p', 'p', 'p'),
    )
    const report = table(await shop.works(database, ['import', again]))
    assert.deepEqual(report['polynym'], { read: 2, changed: 1, doubled: 1 })
    assert.deepEqual(report['story'], { read: 2, changed: 1, doubled: 1 })
    const [colour] = await records(database, 'polynym')
    assert.deepEqual([colour.mode, colour.voters], ['part', ['c', 'b', 'a']])
    assert.deepEqual(
      (await records(database, 'storyline')).map(({ phrase }) => phrase.name),
      ['q'],
    )
    const held = await contents(database)
    await shop.works(database, ['import', again])
    assert.equal(await contents(database), held)
  })
})

describe('Fortune files', () => {
  const FILE = `Open the door, and the cold comes in.
		-- Gus, on houses
%
%
\tIndented, over
\ttwo lines -- and without a match.
%
It was _\bv_\be_\br_\by late.
%
Open the door, and the cold comes in.
		-- Gus, on houses
%
The barrier is shut.
`
  test('are imported text by text, marked with fitting quadranyms; marked texts stay unchanged', async () => {
    const database = await shop.database('SQLite')
    await shop.works(database, [
      'import',
      shop.file('quadranym.ndjson', [DOOR, { ...DOOR, name: 'cold', e: '', r: '', o: '', s: '' }]),
    ])
    const file = shop.file('fortunes', FILE)
    assert.deepEqual(table(await shop.works(database, ['import', file, '--no-annotate'])), {
      fortune: { read: 5, made: 4, doubled: 1 },
    })
    const plain = await records(database, 'fortune')
    assert.deepEqual(
      plain.map(({ body, qode }) => [body, qode]),
      [
        ['Open the door, and the cold comes in.\n\t\t-- Gus, on houses', ''],
        ['Indented, over\n\ttwo lines -- and without a match.', ''],
        ['It was very late.', ''],
        ['The barrier is shut.', ''],
      ],
    )
    assert.deepEqual(table(await shop.works(database, ['import', file])), {
      fortune: { read: 5, changed: 2, same: 2, doubled: 1 },
    })
    const marked = await records(database, 'fortune')
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)
    assert.deepEqual(
      marked.map(({ qode, q1, q2 }) => [qode, names(q1), names(q2)]),
      [
        ['q1e_VB the q1n_NN, and the q2n_NN comes in.\n\t\t-- Gus, on houses', ['cold'], ['door']],
        ['', [], []],
        ['', [], []],
        ['The q1o_NN is shut.', ['door'], []],
      ],
    )
    // A user marks one by hand; importing the file again, in either way, does not change it.
    const byHand = { body: 'The barrier is shut.', qode: 'The barrier is q1r_VBN.', q1: ['door'], q2: [] }
    await shop.works(database, ['import', shop.file('fortune.ndjson', [byHand])])
    const held = await contents(database)
    assert.match(held, /"The barrier is q1r_VBN\."/)
    for (const more of [[], ['--no-annotate']]) await shop.works(database, ['import', file, ...more])
    assert.equal(await contents(database), held)
  })
})

test('what cannot be imported is reported in one line', async () => {
  const database = await shop.database('SQLite')
  const nowhere = shop.path('nowhere')
  const empty = shop.files({ '.hidden': '' })
  const cases: readonly [args: readonly string[], says: RegExp][] = [
    [[nowhere], /^there is no file or folder .*nowhere$/],
    [[shop.file('x.doc', 'x')], /^x\.doc is neither NDJSON, JSON, CSV nor a fortune file$/],
    [[shop.file('x.csv', 'name\na\n')], /^x\.csv is not named after a collection$/],
    [[empty], /files holds nothing that can be imported$/],
    [[nowhere, nowhere], /^give one source; only "wordnet" takes a path$/],
    [
      ['wordnet', nowhere],
      /^there is no folder .*; give the folder that holds data\.noun: nymdex import wordnet PATH$/,
    ],
    [[nowhere, '--owner', 'a b'], /argument 'a b' is invalid\. Enter a valid username\./],
    [[nowhere, '--collection', 'quadranym-id'], /Allowed choices are fable, /],
  ]
  await Promise.all(
    cases.map(async ([args, says]) => assert.match(await shop.refuses(database, ['import', ...args]), says)),
  )
})

test('a user who signs up while an import runs gets none of its records', async () => {
  const database = await shop.database('SQLite')
  const store = await openStore(database, catalogue)
  const signUp = (name: string) => {
    const other = new SQLite(database.replace('sqlite:', ''))
    other.exec(
      `INSERT INTO account (name, name_key, password, staff, removed, joined) VALUES ('${name}', '${name}', 'x', 0, 0, '')`,
    )
    other.close()
  }
  signUp('somebody')
  let readings = 0
  const source: Source = {
    name: 'queue',
    resource: catalogue.find(({ name }) => name === 'queue'),
    size: 0,
    *items() {
      // The first reading collects the names in the records; the second one is the import.
      const isImport = ++readings === 2
      for (let line = 1; line <= 900; line++) {
        yield { line, end: line, found: { name: `topic ${line}`, user: line > 850 ? 'late' : 'early' } }
        if (isImport && line === 800) signUp('late')
      }
    },
  }
  await assert.rejects(runImport(engineOn(store, catalogue), [source]), {
    message:
      'late has signed up while the import ran, and records of the source name that user: see --to-existing-users',
  })
  await store.close()
  const users = (await records(database, 'queue')).map(({ user }) => user)
  assert.deepEqual([users.length, ...new Set(users)], [800, 'early'])
})

test('--collection, --format and --owner say what a file does not', async () => {
  const database = await shop.database('SQLite')
  const file = shop.file('data', 'name,p1,p2,mode\nx,a,b,part\n')
  const options = ['--collection', 'polynym', '--format', 'csv', '--owner', 'olga']
  assert.deepEqual(table(await shop.works(database, ['import', file, ...options])), { polynym: { read: 1, made: 1 } })
  const [{ user, mode }] = await records(database, 'polynym')
  assert.deepEqual([user, mode], ['olga', 'part'])
  const { code, err } = await shop.run(database, ['import', '-'], '{"name":"x"}\n')
  assert.equal(code, 1)
  assert.equal(err, 'standard-input:1: its collection is unknown: name the file after it, or use --collection\n')
  assert.equal(await shop.works(database, ['import', '-', '--format', 'ndjson']), 'there is nothing to import\n')
})

describe('Progress', () => {
  test('is a plain line from time to time if there is no terminal', () => {
    mock.timers.enable({ apis: ['Date'], now: 0 })
    let said = ''
    const line = new ProgressLine({ write: (text: string) => (said += text) } as unknown as NodeJS.WriteStream)
    for (let second = 0; second <= 25; second++) {
      mock.timers.setTime(second * 1000)
      line.show({ title: 'a.ndjson', records: second * 1000, part: second / 50 })
    }
    line.say('a.ndjson:7: name: This field may not be blank.')
    line.show({ title: 'b.ndjson', records: 3, part: undefined })
    mock.timers.setTime(36_000)
    line.show({ title: 'b.ndjson', records: 113, part: undefined })
    line.clear()
    mock.timers.reset()
    assert.equal(
      said,
      `a.ndjson  [#####...................] 20 %  10,000 records, 1,000/s, 40 s left
a.ndjson  [##########..............] 40 %  20,000 records, 1,000/s, 30 s left
a.ndjson:7: name: This field may not be blank.
b.ndjson  113 records, 10/s
`,
    )
  })

  // util-linux's script gives the command a terminal of its own.
  if (spawnSync('script', ['--version']).stdout?.includes('util-linux')) {
    test('is one updated line at a terminal, and disappears at the end', async () => {
      const database = await shop.database('SQLite')
      const file = shop.file(
        'polynym.ndjson',
        Array.from({ length: 3000 }, (_, i) => (i === 1000 ? {} : polynym(i))),
      )
      const env = { PATH: process.env['PATH'], DATABASE_URL: database, SHELL: '/bin/sh' }
      const command = `'${process.execPath}' '${BIN}' import '${file}'`
      const { out } = await ended(spawn('script', ['-qec', command, '/dev/null'], { env }))
      assert.match(out, /\r\x1b\[Kpolynym\.ndjson {2}\[#+\.*\] \d+ % {2}[\d,]+ records/)
      // The final state: text before a return and an erasure is gone.
      const seen = out
        .replaceAll('\r\n', '\n')
        .split('\n')
        .map((line) => line.slice(line.lastIndexOf('\x1b[K') + 1).replace(/^\[K/, ''))
      assert.deepEqual(seen.slice(0, 3), [
        'polynym.ndjson:1001: name: This field is required.; p1: This field is required.; p2: This field is required.',
        '          read   made  bad',
        'polynym  3,000  2,999    1',
      ])
    })
  }
})
