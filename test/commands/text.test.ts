/** nymdex annotate, nymdex spin and nymdex verify-board at a terminal. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { accountNamed, boardHash, engineOn, insertRecord } from '../../src/engine/index.ts'
import { openStore } from '../../src/store/index.ts'
import { BIN, type Ended, ended, runCommand } from '../support/command.ts'

const DOOR = 'door, open, close, barrier, passage'
let folder = ''
let url = ''
let hash = ''

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nymdex-text-'))
  url = `sqlite:${join(folder, 'n.db')}`
  const store = await openStore(url, catalogue)
  const engine = engineOn(store, catalogue)
  const quadranym = catalogue.find(({ name }) => name === 'quadranym')!
  await store.write(function* () {
    const ada = yield* accountNamed(engine, 'ada')
    yield* insertRecord(engine, quadranym, { name: 'light', e: 'lift', r: 'weigh', o: 'feather', s: 'ease' }, ada)
  })
  const board = { words: ['ox', 'ant'], groups: [{ id: 1, name: 'Animals', mode: 'type', terms: ['ant', 'ox'] }] }
  hash = boardHash(board, 'salt')
  const row = { number: 5, made: 1, board: JSON.stringify({ of: 'polynym', ...board }), salt: 'salt', hash }
  await store.write(() => store.boards.insert(row))
  await store.close()
})
after(() => rmSync(folder, { recursive: true, force: true }))

function run(args: readonly string[], input = ''): Promise<Ended> {
  return runCommand(args, { PATH: process.env['PATH'], DATABASE_URL: url }, input)
}

test('a text from the arguments or from standard input is annotated', async () => {
  const marked = { code: 0, out: 'q1e_VB the q1n_NN.\n', err: '' }
  assert.deepEqual(await run(['annotate', '-q', DOOR, 'Open', 'the', 'door.']), marked)
  assert.deepEqual(await run(['annotate', '-q', DOOR], 'Open the door.\n'), marked)
  assert.equal((await run(['annotate', '-q', DOOR, 'Nothing here.'])).out, 'Nothing here.\n')
})

test('a template is spun with quadranyms that are written out, or given by number', async () => {
  const qode = 'q1e_VB an q1n_NN; q2e_VB it.'
  assert.equal((await run(['spin', '-q', DOOR, '-q', '1', qode])).out, 'Open a door; lift it.\n')
  assert.equal((await run(['spin', '-q', '1', '-q', DOOR], qode)).out, 'Lift a light; open it.\n')
})

test('--json prints everything that is known', async () => {
  const { out } = await run(['annotate', '--json', '-q', DOOR, '-q', '1', 'A door.'])
  const { tokens, ...found } = JSON.parse(out)
  const [{ margin, ...token }] = tokens
  assert.ok(margin > 3)
  assert.deepEqual([...tokens.slice(1), token], [{ word: 'door', offset: 2, index: 1, slot: 'n', tag: 'NN' }])
  assert.deepEqual(found, {
    qode: 'A q1n_NN.',
    q1: ['door'],
    q2: [],
    unmatched: ['light'],
  })
})

test('a board of the database is verified by the number of its day', async () => {
  assert.deepEqual(await run(['verify-board', '5']), {
    code: 0,
    out: `the board of day 5 has the hash ${hash}\n`,
    err: '',
  })
  for (const [args, says] of [
    [['5', '--hash', 'abc'], 'the board of day 5 does not have the hash abc: it was changed'],
    [['6'], 'day 6 has no board'],
    [['today'], '"today" is not the number of a day'],
  ] as const) {
    assert.deepEqual(await run(['verify-board', ...args]), { code: 1, out: '', err: `nymdex: ${says}\n` })
  }
})

test('errors are one line', async () => {
  const refused = async (args: readonly string[]) => {
    const { code, out, err } = await run(args)
    assert.deepEqual([code, out], [1, ''])
    return err
  }
  assert.equal(await refused(['annotate', 'A door.']), 'nymdex: give at least one --quadranym\n')
  assert.equal(await refused(['spin', '-q', '99', 'q1n_NN']), 'nymdex: there is no quadranym 99\n')
  assert.equal(
    await refused(['spin', '-q', 'a,b,c,d,e,f', 'q1n_NN']),
    'nymdex: "a,b,c,d,e,f" is not "name, e, r, o, s"\n',
  )
  const nowhere = `sqlite:${join(folder, 'typo.db')}`
  assert.match(
    await refused(['spin', '--database-url', nowhere, '-q', '1', 'q1n_NN']),
    /^nymdex: there is no database .*typo\.db\n$/,
  )
})

// util-linux's script gives the command a terminal of its own.
if (spawnSync('script', ['--version']).stdout?.includes('util-linux')) {
  test('a terminal gets no control characters from texts, and a pipe gets the text unchanged', async () => {
    const hostile = 'door\u001b[2J\u009b1m\u202e'
    const args = ['spin', '-q', `${hostile}, open, close, barrier, passage`, 'A q1n_NN.']
    assert.equal((await run(args)).out, `A ${hostile}.\n`)
    const command = [process.execPath, BIN, ...args].map((each) => `'${each}'`).join(' ')
    const env = { PATH: process.env['PATH'], DATABASE_URL: url, SHELL: '/bin/sh' }
    const { out } = await ended(spawn('script', ['-qec', command, '/dev/null'], { env }))
    assert.equal(out, 'A door[2J1m.\r\n')
  })
}
