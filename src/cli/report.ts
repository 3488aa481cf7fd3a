/** What an import came to, as a table for people. */
import { counted } from '../language/index.ts'
import type { Counts, Report } from '../transfer/index.ts'

const COLUMNS = ['read', 'made', 'changed', 'same', 'doubled', 'bad', 'embedded'] as const

export function showReport(report: Report, { dryRun = false }: { readonly dryRun?: boolean }): string {
  const shown = [...report.collections].filter(([, counts]) => COLUMNS.some((column) => counts[column] > 0))
  if (shown.length === 0) return 'there is nothing to import'
  // A column without values says nothing.
  const columns = COLUMNS.filter((column) => column === 'read' || shown.some(([, counts]) => counts[column] > 0))
  const rows = [
    ['', ...columns],
    ...shown.map(([name, counts]) => [name, ...columns.map((each) => show(counts, each))]),
  ]
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  const table = rows.map((row) => {
    return row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd()
  })
  const repairs = Array.from(report.repairs.values(), ({ collection, name, member, does, count }) => {
    const what = member === undefined ? name : `${name} ${JSON.stringify(member)}`
    return `${collection}, ${what} (${count.toLocaleString('en')}): ${does}`
  })
  return [
    ...(dryRun ? ['Dry run: nothing was changed. The result would be:'] : []),
    ...table,
    ...(repairs.length > 0 ? ['', 'Repaired:', ...repairs] : []),
    ...(report.faults > 0
      ? [
          '',
          `${counted(report.faults, 'record was', 'records were')} not imported: see above for the lines and reasons.`,
        ]
      : []),
    ...(report.renumbered > 0
      ? [
          '',
          `${counted(report.renumbered, 'record was', 'records were')} given a new id; --keep-ids would have kept the id of the source.`,
        ]
      : []),
  ].join('\n')
}

function show(counts: Counts, column: (typeof COLUMNS)[number]): string {
  return counts[column].toLocaleString('en')
}
