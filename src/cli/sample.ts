/** The sample catalogue: sample/*.ndjson, imported into an empty database in one transaction. */
import { fileURLToPath } from 'node:url'
import type { Engine } from '../engine/index.ts'
import { Scratch, Unusable } from '../store/index.ts'
import { Intake, Report, sourcesAt, takeAll } from '../transfer/index.ts'

const FOLDER = fileURLToPath(new URL('../../sample/', import.meta.url))

/** How many records were put in: none if the database holds any. */
export async function loadSample(engine: Engine, folder: string = FOLDER): Promise<number> {
  const { store, catalogue } = engine
  const scratch = new Scratch()
  try {
    return await store.write(function* () {
      for (const resource of catalogue) if ((yield* store.records.count({ resource })) > 0) return 0
      const intake = new Intake(engine, scratch, { keepIds: false, owner: 'nymdex', mayOwn: () => true })
      const report = new Report()
      for (const source of sourcesAt(folder, { catalogue })) {
        const found = Array.from(source.items(), (item) => ({ source, item }))
        yield* takeAll(engine, intake, found, report, {}, ({ file, line, reason }) => {
          throw new Unusable(`sample/${file}, line ${line}: ${reason}`)
        })
        intake.settle()
      }
      return [...report.collections.values()].reduce((sum, { made }) => sum + made, 0)
    })
  } finally {
    scratch.close()
  }
}
