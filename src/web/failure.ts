/** What the API refuses, as a page. */
import type { PageAnswer } from '../http/index.ts'
import { hereOf } from './addresses.ts'
import { renderError } from './error.ts'
import type { ExplorerVisit } from './kinds/index.ts'

export function failure(visit: ExplorerVisit, status: number, json: unknown): PageAnswer {
  return { status, page: renderError({ status, json, here: hereOf(visit), user: visit.visitor?.name }, visit.kinds) }
}

/** The messages of all members. */
export function faultsOf(json: Readonly<Record<string, string | readonly string[]>>): string[] {
  return Object.values(json).flat()
}
