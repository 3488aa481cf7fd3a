/** Players of games, as clients of the API: with an account, with a token, or new. */
import assert from 'node:assert/strict'
import type { Reply, Sent, Site } from '../support/site.ts'
import { make } from '../writing/fixtures.ts'

export const GAMES = ['polypuzzle', 'quadrazone', 'quizzection', 'thegist', 'unquote'] as const

/** Each polynym, quadranym and quote can be asked about, and no other records are there. */
export async function addQuestions(site: Site): Promise<void> {
  await make(site, 'polynym', { name: 'Ways', mode: 'step', area: 'travel', p1: 'walk', p2: 'sail', p3: 'ride' })
  await make(site, 'polynym', { name: 'Boats', mode: 'type', p1: 'row', p2: 'sail', p3: 'tow', p4: 'drift' })
  const words = { e: 'open', r: 'close', o: 'barrier', s: 'passage' }
  const door = await make(site, 'quadranym', { name: 'door', ...words, realm: 'Spatial' })
  for (const [name, e, r, o, s] of [
    ['song', 'sing', 'hush', 'note', 'delight'],
    ['fire', 'burn', 'quench', 'flame', 'warmth'],
    ['tale', 'tell', 'hide', 'event', 'wonder'],
  ]) {
    await make(site, 'quadranym', { name, e, r, o, s })
  }
  const qode = 'We q1e_VB what others q1r_VB.'
  await make(site, 'quote', {
    body: 'We open what others close.',
    qode,
    quadranym: door.quadranym_id,
    src: 'Nobody',
  })
}

const SETS = [
  ['Fish', 'cod', 'hammerhead', 'herring', 'salmon'],
  ['Hats', 'beret', 'fez', 'mortarboard', 'turban'],
  ['Rivers', 'Nile', 'Rhine', 'Connecticut', 'Saskatchewan'],
]

/** Three sets that make one board with the boats, and share no term with other records. */
export async function addSets(site: Site): Promise<void> {
  for (const [name, p1, p2, p3, p4] of SETS) await make(site, 'polynym', { name, mode: 'type', p1, p2, p3, p4 })
}

export class PlayerClient {
  readonly #site: Site
  #sent: Pick<Sent, 'as' | 'headers'>

  /** With the name of an account, or without one. */
  constructor(site: Site, as?: string) {
    this.#site = site
    this.#sent = as ? { as } : {}
  }

  /** What it sends to say who it is. */
  get sent(): Pick<Sent, 'as' | 'headers'> {
    return this.#sent
  }

  useToken(token: string): void {
    this.#sent = { headers: { authorization: `Player ${token}` } }
  }

  async begin(game: string, json: object = {}): Promise<any> {
    const sent = { method: 'POST', json, ...this.#sent }
    const { status, json: round, text } = await this.#site.ask(`/api/play/${game}/`, sent)
    assert.ok([200, 201].includes(status), text)
    if (round.token) this.useToken(round.token)
    return round
  }

  async find({ game, round }: { game: string; round: string }): Promise<Reply> {
    return await this.#site.ask(`/api/play/${game}/rounds/${round}/`, this.#sent)
  }

  async guess({ game, round }: { game: string; round: string }, guess: unknown, more: object = {}): Promise<Reply> {
    const json = { guess, ...more }
    return await this.#site.ask(`/api/play/${game}/rounds/${round}/`, { method: 'POST', json, ...this.#sent })
  }

  /** Begins a round and answers it. */
  async play(game: string, isRight: boolean): Promise<any> {
    const round = await this.begin(game)
    const { status, json, text } = await this.guess(round, isRight ? await answerOf(this.#site, round.round) : '')
    assert.equal(status, 200, text)
    return json
  }
}

/** What only the server knows. */
export async function answerOf({ engine: { store } }: Site, round: string): Promise<string> {
  const row = await store.read(() => store.rounds.byId(round))
  assert.ok(row)
  return row.answer
}

/** The groups of the board of a day, which only the server knows. */
export async function solutionOf({ engine: { store } }: Site, day: number): Promise<string[][]> {
  const row = await store.read(() => store.boards.ofDay(day))
  assert.ok(row)
  const { groups }: { groups: { terms: string[] }[] } = JSON.parse(row.board)
  return groups.map(({ terms }) => terms)
}
