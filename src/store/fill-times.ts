/** The times of records that are older than the columns for them: as far as the log knows. */
import { type AnyResource, TIMES } from '../declare/index.ts'
import { query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'

export function* fillTimes(dialect: Dialect, { name }: AnyResource): Work<void> {
  const table = quoted(name)
  const entries = `FROM change WHERE change.resource = '${name}' AND change.record = ${table}.id`
  const newest = (more: string) =>
    `COALESCE((SELECT ${dialect.milliseconds('change.at')} ${entries}${more} ORDER BY change.seq DESC LIMIT 1), 0)`
  const set = TIMES.map((time) => `${time} = ${newest(time === 'created' ? " AND change.action = 'create'" : '')}`)
  yield* query(`UPDATE ${table} SET ${set.join(', ')} WHERE EXISTS (SELECT 1 ${entries})`)
}
