/** Answers made from the log of changes. */
import type { Engine } from '../../engine/index.ts'
import { LOG_ADDED, LOG_CHANGED, NAMES_CHANGED } from '../../store/index.ts'
import type { Keep } from '../exchange/message.ts'

/** Every write adds to the log, and the log shows the names of those who wrote. */
export function ofTheLog({ catalogue }: Engine): Keep {
  return { of: [...catalogue, LOG_CHANGED, LOG_ADDED, NAMES_CHANGED].map(nameOf) }
}

function nameOf(each: { readonly name: string } | { readonly resource: string }): string {
  return 'name' in each ? each.name : each.resource
}
