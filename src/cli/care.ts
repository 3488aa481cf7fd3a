/** nymdex report and nymdex hidden: what people report, and what staff have hidden. */
import type { Command } from 'commander'
import { hiddenName } from '../engine/index.ts'
import { atDesk, Mistake } from './desk.ts'
import { say } from './terminal.ts'

const DATABASE = ['--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]'] as const
/** Read at once. */
const SOME = 200

export function addCare(program: Command): void {
  const report = program.command('report').description('List and settle what people report.')
  report.option(...DATABASE)
  report
    .command('list')
    .description('List the reports that wait, oldest first.')
    .option('--done', 'those that are settled, newest first')
    .action((options: { done?: true }, command: Command) =>
      atDesk(command, async ({ engine: { store } }) => {
        const isDone = options.done === true
        await eachRow(
          (limit, offset) => store.read(() => store.reports.page(isDone, limit, offset)),
          ({ id, at, resource, record, reason, user, note }) =>
            say([id, at, `${resource} ${record}`, reason, user ?? '', inLine(note)].join('\t')),
        )
      }),
    )
  for (const [name, description, isDone] of [
    ['done', 'Settle a report by its id in the list.', true],
    ['open', 'Open a settled report again.', false],
  ] as const) {
    report
      .command(`${name} <id>`)
      .description(description)
      .action((id: string, _: object, command: Command) =>
        atDesk(command, async ({ engine: { store } }) => {
          const number = /^[1-9][0-9]{0,14}$/.test(id) ? Number(id) : 0
          if (!(await store.read(() => store.reports.byId(number)))) throw new Mistake(`there is no report ${id}`)
          const done = isDone ? { at: new Date().toISOString(), by: undefined } : undefined
          await store.write(() => store.reports.setDone(number, done))
          say(isDone ? `settled report ${id}` : `opened report ${id} again`)
        }),
      )
  }
  program
    .command('hidden')
    .description('List the records that staff have hidden, newest first.')
    .option(...DATABASE)
    .action((_: object, command: Command) =>
      atDesk(command, async ({ engine }) => {
        const { store } = engine
        await eachRow(
          (limit, offset) => store.read(() => store.hidden.page(limit, offset)),
          ({ resource, id, at, user, old }) =>
            say([`${resource} ${id}`, at, user ?? '', inLine(hiddenName(engine, resource, old) ?? '')].join('\t')),
        )
      }),
    )
}

/** Tabs and line breaks separate what is printed. */
function inLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

/** Reads a list in parts: it may be long. */
async function eachRow<Row>(
  read: (limit: number, offset: number) => Promise<readonly Row[]>,
  tell: (row: Row) => void,
): Promise<void> {
  for (let offset = 0; ; offset += SOME) {
    const rows = await read(SOME, offset)
    rows.forEach(tell)
    if (rows.length < SOME) return
  }
}
