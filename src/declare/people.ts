/** The two kinds that hold people: the record's creator, and its voters. */
import {
  type At,
  type Described,
  describeReadOnly,
  type Field,
  type Filter,
  foldForOrder,
  integerFilter,
  type Members,
  readOnlySchema,
  showMember,
  standsAlone,
} from './field.ts'
import { readWord } from './text.ts'

const decidedByServer = {
  ...standsAlone,
  writable: false,
  initial: undefined,
  parse: () => ({ value: undefined as never }),
  pack: () => ({}),
}

export const ownerFilter: Filter = {
  lookups: ['exact', 'in'],
  on: 'owner',
  schema: { type: 'string' },
  parse: (given) => readWord(given),
}

/** The signed-in user at creation; it does not change later. */
export function owner({
  does = 'The user name of the person who created the record.',
}: Described = {}): Field<string, never, At<string>> {
  return {
    ...decidedByServer,
    storage: () => ({ in: 'owner' }),
    members: (key) => [key],
    describe: (key) => describeReadOnly(key, 'string'),
    schema: (key) => readOnlySchema(key, { type: 'string', maxLength: 150 }, does),
    filters: (key) => ({ [key]: ownerFilter }),
    unpack: (row, key) => String(row[key]),
    show: (value, key) => showMember(key, value),
    identity: (value) => value,
    sortKey: foldForOrder,
  }
}

/** Voters, newest first. likes is their number; both are left out if there are no votes. */
export function votes(): Field<readonly string[], never, Members<{ likes?: number; voters?: string[] }>> {
  return {
    ...decidedByServer,
    storage: () => ({ in: 'votes' }),
    members: () => ['likes', 'voters'],
    describe: () => ({
      ...describeReadOnly('likes', 'integer'),
      voters: {
        type: 'list',
        required: false,
        read_only: true,
        label: 'Voters',
        child: { type: 'string', required: true, read_only: true },
      },
    }),
    schema: () => ({
      likes: {
        does: 'The number of votes; left out without votes.',
        shown: { type: 'integer', minimum: 1 },
        always: false,
      },
      voters: {
        does: 'The user names of the voters, newest vote first; left out without votes.',
        shown: { type: 'array', items: { type: 'string' }, minItems: 1 },
        always: false,
      },
    }),
    filters: () => ({
      likes: integerFilter('votes', ['exact', 'gte', 'lte', 'in']),
      voters: { lookups: ['exact', 'in'], on: 'voters', schema: { type: 'string' }, parse: readWord },
    }),
    // Most records have no votes.
    unpack: (row, key) => (row[key] === '[]' ? [] : JSON.parse(String(row[key] ?? '[]'))),
    show: (voters) =>
      voters.length > 0 ? `${showMember('likes', voters.length)},${showMember('voters', voters)}` : '',
    identity: (voters) => voters,
    sortKey: (voters) => voters.length,
  }
}
