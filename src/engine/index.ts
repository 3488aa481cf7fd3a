/** What a resource does, whatever asks for it. */
export { type Actor, demand, type Owner } from './access.ts'
export { AccountDesk, accountNamed, type NamedAccount } from './account-desk.ts'
export { faultOfName, keyOfName, tidyName } from './account-names.ts'
export { latestChange, matchingIds } from './as-of.ts'
export { answerQuestion, answerService } from './ask.ts'
export { Broadcast } from './broadcast.ts'
export { faultsOfSize } from './budget.ts'
export { dependenciesOf } from './cache/dependencies.ts'
export { Part, partsOf } from './cache/page-parts.ts'
export { RecordCache } from './cache/record-cache.ts'
export { CareDesk, LONGEST_NOTE, REASONS } from './care-desk.ts'
export { chartedResource, chartsOf, readChart, resourcesOf } from './charts/index.ts'
export { type Collection, collectionsOf, hasText, rootIndex, titleOf } from './collection.ts'
export { type CopiesAsked, type RecordCopies, readCopies } from './copy-records.ts'
export { csvColumns, csvRecord, csvRow } from './csv.ts'
export { BoardKeeper, DAYS_AHEAD } from './daily/board-keeper.ts'
export type { DayView, WrongFour } from './daily/calendar.ts'
export { DailyDesk, type DailyRound } from './daily/daily-desk.ts'
export { keepBoardsAhead } from './daily/keep-ahead.ts'
export { describe } from './describe.ts'
export { type Engine, engineOn } from './engine.ts'
export * from './explore/index.ts'
export { type Facets, facetable, readFacets } from './facets.ts'
export { awaitFeed, entriesUpTo, type FeedAsked, type FeedEntry, type FeedFilter } from './feed.ts'
export { FIT_BY, type FitBy, FitDesk, type FitResult, judgedPair, MOST_IN_GRID } from './fit-desk.ts'
export { footprintOfChange, footprintOfNew, footprintOfVote } from './footprint.ts'
export { type Forgettable, findForgettable, forget, type ToForget } from './forget.ts'
export { HidingDesk, hiddenName, missingRecord } from './hiding-desk.ts'
export { mayUndo, readHistory } from './history.ts'
export {
  HookDesk,
  type HookPage,
  type HookSettings,
  MOST_HOOKS,
  type OwnedHook,
} from './hooks/hook-desk.ts'
export { LONGEST_LOOKUPS, LONGEST_URL } from './hooks/hook-members.ts'
export { type HookLoad, HookWorker } from './hooks/hook-worker.ts'
export { once } from './idempotency.ts'
export type { JobWatch } from './job-watch.ts'
export { LIMITS } from './limits.ts'
export { lineBody, resourceOfLines } from './lines.ts'
export {
  checkLookups,
  filtersOf,
  ID_ALIAS,
  isLookup,
  listOf,
  type NamedFilter,
  narrowingOf,
  orderable,
  takesSearch,
  takesTerm,
} from './list-parameters.ts'
export { loadRecords } from './load.ts'
export { type Kept, keepLog, keepLogDaily, type Retention } from './log-retention.ts'
export { parameterOf } from './lookups.ts'
export { Mailer, type MailSettings } from './mailer.ts'
export { http } from './node-http.ts'
export { MOST_PEOPLE, type Person, type Profile, readPeople, readProfile } from './people.ts'
export { dayIn, type Picked, pickDaily, pickRandom } from './pick.ts'
export * from './play/index.ts'
export { prepareMany, type Values } from './prepare.ts'
export { printable } from './printable.ts'
export { Problem, problemOf, problems } from './problem.ts'
export { type Projection, projectionOf, withIds } from './project.ts'
export { type Page, readPage, readPageNow, readRecord, readRecordNow, readWithLines, type Wanted } from './read.ts'
export { type RecentAsked, readRecent } from './recent.ts'
export { CODE_COUNT, prepareReset, RecoveryDesk } from './recovery-desk.ts'
export { InUse, type Place, type Removal, removeRecord } from './remove.ts'
export { type Player, TOKEN_DAYS } from './rounds/player-key.ts'
export {
  type Begun,
  LONGEST_GUESS,
  ROUNDS_OF_GAME,
  RoundDesk,
  type ShownRound,
} from './rounds/round-desk.ts'
export { SESSION_SECONDS, type ShownSession } from './session-desk.ts'
export { STAFF_ACTIONS, type StaffAction, StaffDesk, type StaffView } from './staff-desk.ts'
export { streamRecords } from './stream.ts'
export type { FeedReader } from './subscription.ts'
export { transact } from './transact.ts'
export {
  rehearseUndo,
  type UndoAsked,
  UndoConflict,
  type UndoReport,
  undoChanges,
  undoneBefore,
} from './undo.ts'
export { isPossibleId, type Outcome, putRecord } from './upsert.ts'
export { takesVotes, vote } from './vote.ts'
export { WordDiff } from './word-diff.ts'
export {
  changeRecord,
  createdBefore,
  createRecord,
  insertRecord,
  type Precondition,
  replaceRecord,
  type Written,
} from './write.ts'
export { isNewRecord, rehearseBatch, writeBatch } from './write-batch.ts'
