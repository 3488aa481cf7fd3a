/**
 * New folders for the databases of tests: in memory if the system has a folder there with enough space. Files on a disk
 * would cost PostgreSQL a quarter more processor time. Only what must survive a loss of power needs a disk.
 */
import { accessSync, chmodSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IN_MEMORY = '/dev/shm'
/** A whole run takes about 150 MB at a time. */
const ENOUGH_BYTES = 2 ** 31

export function newDatabaseFolder(name: string, { onDisk = false } = {}): string {
  const parent = !onDisk && hasMemoryFolder() ? IN_MEMORY : tmpdir()
  const folder = mkdtempSync(join(parent, `nymdex-${name}-`))
  // PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755)
  return folder
}

function hasMemoryFolder(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ENOUGH_BYTES
  } catch {
    return false
  }
}
