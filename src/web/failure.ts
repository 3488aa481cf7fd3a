/** What the API refuses, as a page. */
import type { PageAnswer } from '../http/index.ts'
import { hereOf } from './addresses.ts'
import { renderError } from './error.ts'
import type { ExplorerVisit } from './kinds/index.ts'

export function failure(visit: ExplorerVisit, status: number, json: unknown): PageAnswer {
  return { status, page: renderError({ status, json, here: hereOf(visit), user: visit.visitor?.name }, visit.kinds) }
}

/** For a form that is shown again because its CSRF token is no longer valid. */
export function signedInAgain({ visitor }: ExplorerVisit): string {
  const who = visitor ? ` You are ${visitor.name} now.` : ''
  return `You have signed in again since you opened this page.${who} Nothing is saved yet: press the button once more.`
}

/** The messages of all members. */
export function faultsOf(json: Readonly<Record<string, string | readonly string[]>>): string[] {
  return Object.values(json).flat()
}
