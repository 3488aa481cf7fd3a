/** The processor time that tests take: of their process and of all that it started, such as Chromium. */
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const TICKS = 100

interface Taken {
  readonly id: number
  readonly parent: number
  /** Its own, and that of its children that have ended. */
  readonly seconds: number
}

/** Seconds until now; undefined where the system does not say. */
export function processorTime(root = process.pid): number | undefined {
  if (process.platform !== 'linux') return undefined
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? taken(Number(name)) : []))
  let seconds = 0
  let ids = new Set([root])
  seconds += all.find(({ id }) => id === root)?.seconds ?? 0
  while (ids.size > 0) {
    const children = all.filter(({ parent }) => ids.has(parent))
    for (const child of children) seconds += child.seconds
    ids = new Set(children.map(({ id }) => id))
  }
  return seconds
}

/** Nothing if it has ended meanwhile. */
function taken(id: number): readonly Taken[] {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    // The name before these is in parentheses, and may contain anything.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0)
    return [{ id, parent: fields[1] ?? 0, seconds: ticks / TICKS }]
  } catch {
    return []
  }
}
