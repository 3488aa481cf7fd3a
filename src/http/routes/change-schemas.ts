/** Schemas that the feed, histories and undo share. */

import type { Schema } from '../../declare/index.ts'
import { ACTIONS } from '../../store/index.ts'
import { exactly, listOf, means, schemaRef, TEXT } from '../openapi/operation.ts'

export const ACTION: Schema = { type: 'string', enum: ACTIONS }
/** With lookups, a record may leave the list. */
export const ACTION_OR_LEAVE: Schema = { type: 'string', enum: [...ACTIONS, 'leave'] }

export const FORGOTTEN: Schema = { const: true, description: 'The operator has blanked old values.' }

/** Any JSON value. */
const VALUE: Schema = {}

export const MEMBER_CHANGES: Schema = {
  type: 'object',
  description: 'What happened to each member.',
  additionalProperties: exactly({
    was: means(VALUE, 'What it was before; null if it was not there.'),
    'became?': means(VALUE, 'What it was afterwards; left out if the log does not say it.'),
    'now?': means(VALUE, 'In a conflict: what it is now.'),
    'diff?': means(
      listOf({ type: 'array', items: TEXT, minItems: 2, maxItems: 2 }),
      'In a history, for texts: pieces after `=` (in both), `-` (only before) or `+` (only afterwards).',
    ),
  }),
}

/** For the `schemas` of a route. */
export const CHANGE_SCHEMAS = { 'member-changes': MEMBER_CHANGES }
export const CHANGED_MEMBERS = schemaRef('member-changes')
