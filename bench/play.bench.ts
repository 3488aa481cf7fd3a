/**
 * Games, on the sample catalogue with WordNet imported: more than 10,000 records. Measures the processor time to make a
 * board of Sets of the day, to draw a question and to judge a guess, against their goals. Exits with 1 when one is missed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { basesOf, catalogue, formsOf, games, playLanguage, searchLanguage } from '../src/catalogue/index.ts'
import { loadSample } from '../src/cli/sample.ts'
import {
  accountNamed,
  BoardIndex,
  BoardKeeper,
  DailyDesk,
  type Engine,
  engineOn,
  makeBoard,
  PlayedGroups,
  RoundDesk,
  type WordSet,
} from '../src/engine/index.ts'
import { openStore } from '../src/store/index.ts'
import { startOptions } from './speed/servers.ts'

/** In milliseconds of processor time. */
const GOALS = { board: 50, guess: 5 }
/** Ten years. */
const BOARDS = 3652
/** More tries would find boards that are harder to find. */
const MOST_TRIES = 2 * BOARDS
const PLAYERS = 250
/** They give the compiler time to do its work, as in a server that has run for a while. */
const WARM_GUESSES = 400
const GUESSES = 500
const READ_AT_ONCE = 1000
/** Some are near to something, most are not. */
const WRONG = ['water', 'walking', 'a house', 'animal', 'music', 'colour', 'nothing like it', 'mother', 'run', 'zebra']

/** As operators start the server. */
const options = startOptions()
let failed = false
if (options.every((option) => process.execArgv.includes(option))) await measure()
else failed = spawnSync(process.execPath, [...options, import.meta.filename], { stdio: 'inherit' }).status !== 0
if (failed) process.exitCode = 1

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'nymdex-play-'))
  const url = `sqlite:${join(folder, 'n.db')}`
  try {
    const store = await openStore(url, catalogue, { language: searchLanguage })
    const engine = engineOn(store, catalogue, { games, formsOf, basesOf })
    await loadSample(engine)
    execFileSync(process.execPath, ['bin/nymdex.js', 'import', 'wordnet', '--database-url', url], { stdio: 'ignore' })
    await measureBoards(engine)
    await measureDaily(engine)
    for (const { name } of games.list) await measureGame(engine, name)
    await store.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measureBoards({ store }: Engine): Promise<void> {
  const reading = spent()
  const sets: WordSet[] = []
  const polynym = catalogue.find(({ name }) => name === 'polynym') ?? catalogue[0]
  for (let after = 0; ; after = sets.at(-1)?.id ?? after) {
    const rows = await store.read(() => store.records.after({ resource: polynym }, after, READ_AT_ONCE))
    for (const row of rows) {
      const terms = Array.from({ length: 12 }, (_, i) => String(row[`p${i + 1}`] ?? '')).filter((term) => term !== '')
      sets.push({ id: Number(row['id']), name: String(row['name']), mode: String(row['mode']), terms })
    }
    if (rows.length < READ_AT_ONCE) break
  }
  const index = new BoardIndex(sets, playLanguage)
  const indexed = spent() - reading
  console.log(
    `${sets.length} sets, ${index.playable.length} of them for boards; read and indexed in ${indexed.toFixed(0)} ms`,
  )
  const played = new PlayedGroups(index)
  const times: number[] = []
  let made = 0
  while (made < BOARDS && times.length < MOST_TRIES) {
    const begun = spent()
    const board = makeBoard(index, `bench ${times.length}`, played)
    times.push(spent() - begun)
    if (board) {
      played.add(board)
      made++
    } else if (!played.reusesSets) {
      console.log(`${made} boards without a repeated set`)
      played.reuseSets()
    }
  }
  console.log(`${made} boards without a repeated group, of ${BOARDS} in ten years`)
  failed ||= made < BOARDS
  print('a board is made', times, GOALS.board)
}

async function measureDaily(engine: Engine): Promise<void> {
  const { store } = engine
  await new BoardKeeper(engine, games.daily).fill()
  const desk = new DailyDesk(engine, games)
  const guesses: number[] = []
  for (let i = 0; i < PLAYERS; i++) {
    const { round, token } = await desk.begin({ actor: undefined, token: undefined }, {})
    const row = await store.read(() => store.boards.ofDay(round.number))
    for (const { terms } of JSON.parse(row?.board ?? '').groups) {
      const guessing = spent()
      await desk.guess({ actor: undefined, token }, round.id, terms)
      guesses.push(spent() - guessing)
    }
  }
  print(`${games.daily.name}: a guess`, guesses.slice(WARM_GUESSES), GOALS.guess)
}

async function measureGame(engine: Engine, game: string): Promise<void> {
  const { store } = engine
  const desk = new RoundDesk(engine, games)
  const { id, name } = await store.write(() => accountNamed(engine, `player of ${game}`))
  const player = { actor: { id, name, staff: false }, token: undefined }
  const [begins, guesses]: [number[], number[]] = [[], []]
  let byAll = 0
  for (let i = 0; i < WARM_GUESSES + GUESSES; i++) {
    const beginning = spent()
    const { round } = await desk.begin(player, game)
    const begun = spent()
    const guess = await guessAt(engine, round.id, i)
    const [guessing, all] = [spent(), spentByAll()]
    await desk.guess(player, game, round.id, guess)
    if (i < WARM_GUESSES) continue
    guesses.push(spent() - guessing)
    byAll += spentByAll() - all
    begins.push(begun - beginning)
  }
  print(`${game}: a round begins`, begins)
  print(`${game}: a guess`, guesses, GOALS.guess)
  console.log(`${' '.repeat(33)}mean of all threads ${(byAll / GUESSES).toFixed(2)} ms`)
}

/** Every third one is right. */
async function guessAt({ store }: Engine, round: string, i: number): Promise<string> {
  const row = await store.read(() => store.rounds.byId(round))
  return (i % 3 === 0 ? row?.answer : undefined) ?? WRONG[i % WRONG.length] ?? ''
}

/**
 * The processor time so far, in milliseconds, of the thread that answers. The threads that collect garbage work for
 * hundreds of guesses at a time: what they add is in the mean of all threads.
 */
function spent(): number {
  return sumOf(process.threadCpuUsage())
}

function spentByAll(): number {
  return sumOf(process.cpuUsage())
}

function sumOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

function print(title: string, times: readonly number[], goal?: number): void {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
  const isMissed = goal !== undefined && at(0.99) > goal
  failed ||= isMissed
  const said = goal === undefined ? '' : `  goal ${goal} ms: ${isMissed ? 'MISSED' : 'met'}`
  console.log(`${title.padEnd(32)} median ${at(0.5).toFixed(2)}  p99 ${at(0.99).toFixed(2)} ms${said}`)
}
