/** Sends the statements of writes to PostgreSQL: those that need not wait for each other as one batch. */
import type pg from 'pg'
import type { Row } from '../declare/index.ts'
import type { Statement } from './database.ts'
import type { Send } from './lockstep.ts'
import { type AskClient, askTogether } from './postgres-client.ts'
import { copyIn, isForCopy } from './postgres-copy.ts'
import type { Statements } from './postgres-statements.ts'
import { millisecondsLeft } from './request.ts'

interface Parts {
  readonly ask: AskClient
  /** Then each is asked by itself, so that it has a time of its own. */
  readonly isWatched: boolean
  readonly statements: Statements
}

type Result = readonly Row[]

export function sendOn(client: pg.PoolClient, { ask, isWatched, statements }: Parts): Send {
  const askOne = async (statement: Statement): Promise<Result> => {
    const { inserts } = statement
    // Requests have a time limit for each statement, and few rows.
    if (inserts && isForCopy(statement) && millisecondsLeft() === undefined) {
      await copyIn(client, inserts)
      return []
    }
    return (await ask(client, statements.of(statement))).rows
  }
  return async (list) => {
    const mayCopy = millisecondsLeft() === undefined && list.some(isForCopy)
    if (isWatched || mayCopy || list.length === 1) return await inOrder(list.map(askOne))
    const results = await askTogether(
      client,
      Array.from(list, (each) => statements.of(each)),
    )
    return results.map(({ rows }) => rows)
  }
}

/** The results of statements that were sent one after another. The first error is the reason for those after it. */
async function inOrder<T>(asked: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(asked)
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}
