/** Catalogues in and out: import, export, backup. */

export { type BackupKey, readBackupKey } from './backup/age.ts'
export { type BackedUp, backUp } from './backup/backup.ts'
export type { BackupRecord } from './backup/backup-record.ts'
export { type BackupState, backupState } from './backup/backup-state.ts'
export { BadBackup, type Contents, type Named, type Notable, type Skipped } from './backup/format.ts'
export { type BackupKeeper, keepBackups } from './backup/keep-backups.ts'
export { unlockFor } from './backup/lock.ts'
export {
  type Keep,
  type KeepRule,
  keptTimes,
  latestBackup,
  nextStep,
  type Past,
  type Step,
} from './backup/plan.ts'
export { checkBackup, listSkipped, type ReadOptions } from './backup/reader.ts'
export { type Restored, type RestoreOrder, restore } from './backup/restore.ts'
export { removeScratchOf } from './backup/scratch.ts'
export {
  backUpInto,
  checkFolder,
  FolderInUse,
  type FolderOrder,
  LONGEST_BACKUP_MS,
  type Outcome,
  type Tended,
} from './backup/verified.ts'
export { Unreachable } from './client.ts'
export { canExport, exportEach, exportOrder, exportTogether, type Sink, type Written } from './export.ts'
export { Follower, type FollowProgress, type FollowStatus } from './follow/follower.ts'
export type { Format } from './formats/index.ts'
export { NamesExistingUsers } from './import/existing-users.ts'
export { GENERAL_REPAIRS } from './import/general-repairs.ts'
export { Intake } from './import/intake.ts'
export { SignedUpMeanwhile } from './import/people.ts'
export { type Counts, type Fault, Report } from './import/report.ts'
export { type ImportOptions, type Progress, runImport, type Source, StoppedAtFault, takeAll } from './import/run.ts'
export { NotImportable, sourcesAt } from './import/sources.ts'
export { type Item, Unreadable } from './item.ts'
export { walkCatalogue } from './walk.ts'
