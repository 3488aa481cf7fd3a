/** How much one request may ask for, or send. The OpenAPI document and the settings of the program state the same numbers. */
export const LIMITS = {
  /** Records on a page: by default, and at most. */
  pageSize: 20,
  largestPage: 1000,
  /** Entries of a history on a page, at most. */
  historyPage: 100,
  /** Entries that one request takes back: a story whose lines were all replaced has two thousand. */
  undone: 2500,
  /** The same of one user. */
  undoneOfUser: 1000,
  /** How far back the changes of a user are looked for, in entries of the log. */
  undoneSpan: 100_000,
  /** Records of one collection in one request, and faults of them that the response names. */
  batch: 200,
  batchFaults: 100,
  /** Lines of a story or a tale. */
  lines: 1000,
  /** The highest id that a record may bring along. Addresses and parameters have ids of up to fifteen digits. */
  highestId: 999_999_999_999_999,
  /** Filters of a list, values of one filter, and members to order by. */
  filters: 50,
  values: 100,
  orders: 4,
  /** Words and characters of a search. */
  words: 16,
  searchLength: 400,
  /** Members to count by, and values of each that are counted. */
  facets: 10,
  facetValues: 1000,
  /** How many changes ago a moment may be that `as_of` names, and how much memory it may take. */
  changesSince: 10_000,
  pastBytes: 64 * 1024 * 1024,
  /** Characters of a term. */
  termLength: 200,
} as const
