/** nymdex verify-board: whether the board of a day is the one whose hash was published before. */
import type { Command } from 'commander'
import { isList, isObject, type Json } from '../declare/index.ts'
import { type PublishedBoard, verifyBoard } from '../engine/index.ts'
import { atDesk, Mistake, readStdin } from './desk.ts'
import { say } from './terminal.ts'

interface Revealed extends PublishedBoard {
  readonly number: number
  readonly salt: string
  readonly hash: string
}

export function addVerifyBoard(program: Command): void {
  program
    .command('verify-board [day]')
    .description(
      'Check that a board of Sets of the day has the hash that was published: of the day with this number in the database, or of the days in the JSON of /api/play/sets/calendar/ on standard input.',
    )
    .option('--hash <hash>', 'the hash of the day, as you noted it before')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action(async (day: string | undefined, { hash }: { readonly hash?: string }, command: Command) => {
      const boards = day === undefined ? revealedIn(parsed(await readStdin())) : [await storedBoard(command, day)]
      if (boards.length === 0) throw new Mistake('no day in this JSON is over: only past days have a salt')
      if (hash !== undefined && boards.length > 1) throw new Mistake('--hash needs one day')
      for (const board of boards) verify(board, hash ?? board.hash)
    })
}

function verify({ number, salt, ...board }: Revealed, published: string): void {
  if (!verifyBoard(board, salt, published))
    throw new Mistake(`the board of day ${number} does not have the hash ${published}: it was changed`)
  say(`the board of day ${number} has the hash ${published.toLowerCase()}`)
}

async function storedBoard(command: Command, day: string): Promise<Revealed> {
  if (!/^[1-9][0-9]{0,8}$/.test(day)) throw new Mistake(`"${day}" is not the number of a day`)
  let found: Revealed | undefined
  await atDesk(command, async ({ engine: { store } }) => {
    const row = await store.read(() => store.boards.ofDay(Number(day)))
    if (!row) throw new Mistake(`day ${day} has no board`)
    found = revealed({ ...row, ...JSON.parse(row.board) })
  })
  if (!found) throw new Mistake(`day ${day} has no board`)
  return found
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    throw new Mistake('standard input is not JSON')
  }
}

/** The days that are over, of a page of the calendar, a list of days, or one day. */
function revealedIn(json: Json): Revealed[] {
  const days = isObject(json) && 'results' in json ? json['results'] : json
  return (isList(days ?? null) ? listOf(days) : [days ?? null]).flatMap((day) =>
    isObject(day) && day['salt'] === undefined && day['hash'] !== undefined ? [] : [revealed(day)],
  )
}

function revealed(day: Json): Revealed {
  if (!isObject(day)) throw notADay()
  const { number, salt, hash, words, groups } = day
  if (typeof number !== 'number' || typeof salt !== 'string' || typeof hash !== 'string') throw notADay()
  const found = listOf(groups).map((group) => {
    if (!isObject(group)) throw notADay()
    const { id, name, mode, terms } = group
    if (typeof id !== 'number' || typeof name !== 'string' || typeof mode !== 'string') throw notADay()
    return { id, name, mode, terms: textsOf(terms) }
  })
  return { number, salt, hash, words: textsOf(words), groups: found }
}

function textsOf(json: Json | undefined): string[] {
  return listOf(json).map((each) => {
    if (typeof each !== 'string') throw notADay()
    return each
  })
}

function listOf(json: Json | undefined): readonly Json[] {
  if (json === undefined || !isList(json)) throw notADay()
  return json
}

const notADay = () => new Mistake('this is not a day of the calendar: it needs number, hash, salt, words and groups')
