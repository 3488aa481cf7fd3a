/** Repairs for records of any collection; declarations have their own repairs. */
export const GENERAL_REPAIRS = {
  'votes left out': 'Votes for a collection that takes no votes are dropped.',
  'likes without voters': 'Likes without a named voter are dropped: a vote belongs to a user.',
  'user renamed':
    'Characters that a user name may not contain become "-"; names that differ only in letter case are one user.',
  'unknown member': 'A member that the collection does not have is dropped.',
  'initial value':
    'A required member that the record lacks gets its initial value, unless records are told apart or ordered by it; an existing record keeps its own.',
  'kept as stored':
    'A value that no longer fits the records it refers to, but did when it was stored, is kept unchanged.',
} as const
