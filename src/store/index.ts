/** The entry point of the store: opens a URL and returns a store whose tables fit the catalogue. */
import type { AnyResource } from '../declare/index.ts'
import { Accounts } from './accounts.ts'
import { CopyApplier } from './apply-copies.ts'
import { Boards } from './boards.ts'
import { BulkInserter } from './bulk-inserter.ts'
import { ChangeLog } from './change-log.ts'
import { ChangeSets } from './change-sets.ts'
import { checkTouches } from './check-touches.ts'
import { Contributions } from './contributions.ts'
import { Copies } from './copy.ts'
import { type Database, Unusable } from './database.ts'
import { FacetReader } from './facet-reading.ts'
import { FoundValues } from './found-values.ts'
import { FrequentTerms } from './frequent-terms.ts'
import { HiddenRecords } from './hidden-records.ts'
import { Hooks } from './hooks.ts'
import { Answers } from './idempotent-responses.ts'
import { sqliteFile } from './inspect.ts'
import { Judgements } from './judgements.ts'
import { Lists } from './lists.ts'
import { ListsAsOf } from './lists-as-of.ts'
import { LogKeeping } from './log-keeping.ts'
import { LoggedChanges } from './logged-changes.ts'
import { migrate } from './migrate.ts'
import { Names } from './names.ts'
import { type Past, PastReader } from './past.ts'
import { openPostgres } from './postgres-on-demand.ts'
import { Rank } from './rank.ts'
import { Records } from './records.ts'
import { RecordsAsOf } from './records-as-of.ts'
import { Recovery } from './recovery.ts'
import { redactUrl } from './redact.ts'
import { RelatedWords } from './related-words.ts'
import { Reports } from './reports.ts'
import { Rounds } from './rounds.ts'
import { Samples } from './samples.ts'
import { NO_LANGUAGE, type SearchLanguage } from './search.ts'
import { type DatabaseSettings, databaseSettings, type GivenSettings } from './settings.ts'
import { refuseEncoding, setupFault } from './setup.ts'
import { openSqlite } from './sqlite.ts'
import { Standings } from './standings.ts'
import { Terms } from './terms.ts'
import { Votes } from './votes.ts'

export interface Store
  extends Pick<
    Database,
    | 'generations'
    | 'traces'
    | 'refresh'
    | 'read'
    | 'readAt'
    | 'readNow'
    | 'snapshot'
    | 'write'
    | 'close'
    | 'isReadOnly'
    | 'load'
    | 'health'
    | 'outdated'
  > {
  /** Whether each question to the database takes a round trip. */
  readonly isRemote: boolean
  readonly records: Records
  readonly lists: Lists
  readonly names: Names
  readonly accounts: Accounts
  readonly recovery: Recovery
  readonly answers: Answers
  readonly bulk: BulkInserter
  readonly copies: Copies
  readonly applier: CopyApplier
  readonly terms: Terms
  readonly frequentTerms: FrequentTerms
  readonly foundValues: FoundValues
  readonly facets: FacetReader
  readonly samples: Samples
  readonly votes: Votes
  readonly changes: ChangeLog
  readonly logKeeping: LogKeeping
  readonly logged: LoggedChanges
  readonly changeSets: ChangeSets
  readonly past: PastReader
  /** Reads records and lists as they were. */
  asOf(past: Past, catalogue: readonly AnyResource[]): Pick<Store, 'records' | 'lists'>
  readonly hooks: Hooks
  readonly reports: Reports
  readonly hidden: HiddenRecords
  readonly judgements: Judgements
  readonly relatedWords: RelatedWords
  readonly rounds: Rounds
  readonly boards: Boards
  readonly contributions: Contributions
  readonly standings: Standings
}

export interface OpenOptions {
  /** Called with the changes of the tables; by default it is the `report` of the settings. */
  readonly report?: ((line: string) => void) | undefined
  readonly language?: SearchLanguage
}

export async function openStore(
  settings: string | GivenSettings,
  catalogue: readonly AnyResource[],
  { report = databaseSettings(settings).report, language }: OpenOptions = {},
): Promise<Store> {
  const database = await openDatabase(settings)
  const file = sqliteFile(databaseSettings(settings).url)
  try {
    if (file === undefined) await database.read(refuseEncoding)
    await migrate(database, catalogue, { report })
  } catch (error) {
    await database.close()
    const fault = setupFault(error, file)
    throw fault === undefined ? error : new Unusable(fault)
  }
  return storeOn(database, language ? { language } : {})
}

export interface StoreOptions {
  /** How many records a block of the rank index holds. */
  readonly mostInBlock?: number
  /** In which people search. */
  readonly language?: SearchLanguage
}

export function storeOn(database: Database, { mostInBlock, language = NO_LANGUAGE }: StoreOptions = {}): Store {
  const { dialect, generations, traces, refresh, read, readAt, readNow, snapshot, write, close } = database
  const { isReadOnly, load, health, outdated } = database
  const rank = new Rank(dialect, mostInBlock)
  const records = new Records(dialect, rank)
  const copies = new Copies(dialect, rank)
  const votes = new Votes(dialect)
  const names = new Names(dialect, generations)
  const recovery = new Recovery()
  const facets = new FacetReader(dialect)
  const reader = new PastReader(dialect, records, names)
  const { isRemote } = dialect
  return {
    isRemote,
    generations,
    traces,
    refresh,
    read,
    readAt,
    ...(readNow ? { readNow } : {}),
    snapshot,
    write,
    close,
    isReadOnly,
    load,
    health,
    outdated,
    records,
    lists: new Lists(dialect, records, language, facets),
    names,
    accounts: new Accounts(dialect, recovery),
    recovery,
    answers: new Answers(),
    bulk: new BulkInserter(dialect, rank),
    copies,
    applier: new CopyApplier({ dialect, records, copies, votes }),
    terms: new Terms(dialect),
    frequentTerms: new FrequentTerms(dialect),
    foundValues: new FoundValues(dialect, language),
    facets,
    samples: new Samples(dialect),
    votes,
    changes: new ChangeLog(),
    logKeeping: new LogKeeping(dialect),
    logged: new LoggedChanges(dialect),
    changeSets: new ChangeSets(),
    past: reader,
    asOf(past, catalogue) {
      const then = new RecordsAsOf(dialect, rank, { past, reader, names })
      return { records: then, lists: new ListsAsOf(dialect, then, { past, reader, catalogue, language }) }
    },
    hooks: new Hooks(dialect),
    reports: new Reports(),
    hidden: new HiddenRecords(dialect),
    judgements: new Judgements(dialect),
    relatedWords: new RelatedWords(dialect),
    rounds: new Rounds(dialect),
    boards: new Boards(dialect),
    contributions: new Contributions(dialect),
    standings: new Standings(),
  }
}

export async function openDatabase(given: string | GivenSettings): Promise<Database> {
  const database = await openAt(databaseSettings(given))
  return process.env['NYMDEX_CHECK_TOUCHES'] === 'on' ? checkTouches(database) : database
}

async function openAt(settings: DatabaseSettings): Promise<Database> {
  const { url } = settings
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length), settings)
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(settings)
  throw new Unusable(`"${redactUrl(url)}" is neither sqlite:PATH nor postgres://...`)
}

export { type AccountRow, NAMES_CHANGED, PEOPLE_CHANGED, type SessionRow, type TokenRow } from './accounts.ts'
export type { ChangedCopies } from './apply-copies.ts'
export type { Block, Piece } from './blocks.ts'
export type { BoardRow, Tally, TallyKind } from './boards.ts'
export type { BulkRecord } from './bulk-inserter.ts'
export { ACTIONS, type Action, type LogBounds, type LoggedChange, type LogRange, renewLogId } from './change-log.ts'
export type { ActionCount, ChangeFilter, FoundSet } from './change-sets.ts'
export { type Contribution, countWrongContributions, type Ranked } from './contributions.ts'
export {
  COPIED_SERVICE_TABLES,
  type Copied,
  type CopiedTable,
  type Copies,
  copiedTables,
  copyFingerprint,
  type Holdings,
} from './copy.ts'
export {
  type Database,
  type Footprint,
  type Health,
  LOG_ADDED,
  logAs,
  MOST_SNAPSHOTS,
  note,
  OK,
  Outdated,
  Overloaded,
  ReadOnly,
  type Snapshot,
  Taken,
  TooSlow,
  Unavailable,
  Unusable,
  undoable,
  type Work,
  writtenBy,
} from './database.ts'
export { type Drift, driftOf } from './drift.ts'
export { codeOf, messageOf } from './error-code.ts'
export { countWrongCounts } from './facet-counts.ts'
export { isOpenToOthers } from './files.ts'
export { countWrongFit, type FitAbout } from './fit-counts.ts'
export {
  beginFollowing,
  Continued,
  continueFollowing,
  endFollowing,
  type FollowState,
  isWholeCopy,
  readFollowState,
} from './follow-state.ts'
export type { FoundValue } from './found-values.ts'
export { type Generation, type Generations, generationOf, type Moment } from './generations.ts'
export type { HiddenRecord } from './hidden-records.ts'
export { type DeliveryRow, HOOKS_CHANGED, type HookRow, type NewDelivery } from './hooks.ts'
export { inTime } from './in-time.ts'
export {
  type CopyFacts,
  copyFacts,
  damageOf,
  Foreign,
  hasStaff,
  inspectDatabase,
  journalMode,
  type PostgresFacts,
  postgresFacts,
  sqliteFile,
  versionOf,
} from './inspect.ts'
export type { FitCell, FitTally, Judgement } from './judgements.ts'
export { LOG_CHANGED, type LogHead } from './log-keeping.ts'
export { makeFolder } from './make-folder.ts'
export { migrate, NEWEST_VERSION } from './migrate.ts'
export { type MigrationPlan, planMigration } from './migration-plan.ts'
export type { Condition, Narrowing, Ordering } from './narrow.ts'
export { HIDDEN, ownerMember } from './old-members.ts'
export { Past } from './past.ts'
export { copiesAfterEntry } from './past-copies.ts'
export { Forgotten } from './past-rows.ts'
export type { Exclusion } from './postgres-lock.ts'
export { loadPostgres, tryExclusion } from './postgres-on-demand.ts'
export { type RecordState, readStates } from './record-state.ts'
export type { MailPurpose } from './recovery.ts'
export { redactUrl } from './redact.ts'
export {
  backOf,
  RELATIONS,
  type Related,
  type RelatedRow,
  type RelatedTable,
  type RelatedWord,
  type RelatedWordsFound,
  type Relation,
  relatedRow,
  relationNames,
  replaceRelatedWords,
} from './related-words.ts'
export { renameAccount } from './rename.ts'
export type { ReportRow } from './reports.ts'
export {
  currentRequest,
  inRequest,
  outsideRequest,
  type RequestContext,
  whileClientWaits,
  whilePaused,
  withinSeconds,
} from './request.ts'
export { ResourcesRead } from './resources-read.ts'
export {
  type MovedRounds,
  type PlayedDays,
  type RoundResult,
  type RoundRow,
  sourcesIn,
} from './rounds.ts'
export type { Sample } from './samples.ts'
export { hasTerms, inDependencyOrder, uniqueRule } from './schema.ts'
export { Scratch } from './scratch.ts'
export type { SearchLanguage } from './search.ts'
export type { Selection } from './select-records.ts'
export type { DatabaseSettings, GivenSettings } from './settings.ts'
export { refuseReadOnlyFile, setupFault } from './setup.ts'
export { isStoredShown, NO_VOTES, shownText } from './shown.ts'
export { loadSqlite } from './sqlite-load.ts'
export { countWrongStandings, STANDINGS_CHANGED, type Standing } from './standings.ts'
export type { SlowQuery } from './statement-watch.ts'
export type { Step } from './steps.ts'
export type { Span } from './stretch.ts'
export { removeLeftover, standAlone, swapIn, sync } from './swap.ts'
export { replaceSynonyms, type SynonymPair } from './synonyms.ts'
export { timesNow } from './times.ts'
export type { ShownRecord, Touch } from './touched.ts'
export type { Attributes, SpanOptions, Trace, TraceHeaders, TraceSpan } from './trace.ts'
export { dropUnused, nameOfUnused, type Unused } from './unused.ts'
export { countWrongFinding, countWrongVotes } from './verify.ts'
export type { Mark } from './walk.ts'
export { isTerm, phraseOf, storedTerm, termOf } from './words.ts'
