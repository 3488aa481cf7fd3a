/** How long each kind of question takes, and how long others have to wait meanwhile. */
import { Chance } from '../../test/robust/chance.ts'
import { ask } from '../speed/answer.ts'
import { bytesIn, SIZES } from '../speed/data.ts'
import { runClient } from '../speed/load.ts'
import { using } from '../speed/reads.ts'
import type { Results, Row } from '../speed/results.ts'
import { startNymdex } from '../speed/servers.ts'
import { Words } from '../speed/words.ts'
import { questionsFor } from './questions.ts'

/** What the files of the database take for each record, with everything that is stored to find it. */
export function measureSize(results: Results, engine: string, path: string): void {
  const { polynyms } = SIZES.million
  results.add({ what: `${engine}: bytes on disk for a polynym`, figure: bytesIn(path) / polynyms, unit: 'bytes' })
}

/** Of each kind, each a different one, as long as they take less than this together. */
const QUESTIONS = 100
const MOST_SECONDS = 4
/** In milliseconds. */
const GOAL = 100
const GOAL_OTHERS = 20
/** BENCH_QUESTIONS=facets,search measures only kinds whose name contains one of the words, and nothing else. */
const ONLY = process.env['BENCH_QUESTIONS']?.split(',')
export const isNarrowed = ONLY !== undefined

export async function measureQuestions(results: Results, engine: string, database: string): Promise<void> {
  const rows: [string, ...(number | string)[]][] = []
  // A question that takes long uses another core: a reading thread, or PostgreSQL.
  await using(startNymdex({ database, cache: 'records', isPinned: false }), async ({ base }) => {
    // The server has run for a while: it has a thread for slow questions.
    await ask(base, '/api/polynym/?name__icontains=zz')
    const kinds = questionsFor(SIZES.million, new Words(8), new Chance(11))
    for (const [kind, make] of Object.entries(kinds)) {
      if (ONLY?.every((word) => !kind.includes(word))) continue
      // The first is not measured: what runs for the first time is slower.
      const [first = '', ...paths] = new Set(Array.from({ length: QUESTIONS + 3 }, make))
      await ask(base, first)
      const found = await runClient('questions', { base, paths, seconds: MOST_SECONDS })
      const verdict = [
        ...(found.failed > 0 ? [`${found.failed} of ${found.count} FAILED`] : []),
        ...(found.p99 > GOAL ? ['MISSED'] : []),
        ...(found.others.p99 > GOAL_OTHERS ? ['STOPS OTHERS'] : []),
      ]
      rows.push([kind, found.count, found.p50, found.p99, found.others.p99, verdict.join(', ') || 'met'])
      console.log(
        [engine, ...rows.at(-1)!.map((cell) => (typeof cell === 'number' ? cell.toFixed(1) : cell))].join('  '),
      )
    }
  })
  const met = rows.filter((row) => row.at(-1) === 'met').length
  results.table({
    title: `${engine}: all questions, in ms; goals: p99 at most ${GOAL}, others wait at most ${GOAL_OTHERS} (p99)`,
    columns: ['asked', 'p50', 'p99', 'others', 'goals'],
    rows,
  })
  const row: Row = {
    what: `${engine}: kinds of questions that meet their goals, of ${rows.length}`,
    figure: met / rows.length,
    goal: { atLeast: 1 },
    detail: rows
      .filter((each) => each.at(-1) !== 'met')
      .map(([kind]) => kind)
      .join('; '),
  }
  results.add(row)
}
