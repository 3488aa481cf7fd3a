/** Makes a folder, and those above it. */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Where the system lets nobody make a folder, in /proc, `mkdirSync` with `recursive` tries for ever. `mode` is that of the
 * last folder.
 */
export function makeFolder(path: string, mode?: number): void {
  if (isFolder(path)) return
  const parent = dirname(resolve(path))
  if (!existsSync(parent)) makeFolder(parent)
  try {
    mkdirSync(path, mode === undefined ? {} : { mode })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
