/** Figures against their goals: printed, and written to bench/results.json with the machine they were measured on. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { GENERATOR, SECONDS } from './load.ts'
import { PINNED } from './servers.ts'

const FILE = join(import.meta.dirname, '../results.json')

export interface Row {
  readonly what: string
  readonly figure: number
  readonly unit?: string
  /** Without a goal it is for information. */
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number }
  /** How it was measured. */
  readonly detail?: string
}

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly [string, ...(number | string)[]])[]
}

export class Results {
  readonly #bench: string
  readonly #rows: Row[] = []
  readonly #tables: Table[] = []

  constructor(bench: string) {
    this.#bench = bench
    console.log(`${machine().cpu}, ${machine().cores} cores; ${PINNED}; ${GENERATOR}; rounds of ${SECONDS} s`)
  }

  add(row: Row): void {
    this.#rows.push(row)
    const figure = `${shown(row.figure)}${row.unit ? ` ${row.unit}` : ''}`
    const verdict = row.goal ? `${goalOf(row)}: ${isMet(row) ? 'met' : 'MISSED'}` : ''
    console.log(`${row.what.padEnd(68)} ${figure.padStart(10)}  ${verdict.padEnd(24)} ${row.detail ?? ''}`.trimEnd())
  }

  table(table: Table): void {
    this.#tables.push(table)
    console.log(`\n${table.title}`)
    const lines = [['', ...table.columns], ...table.rows.map((row) => row.map((cell) => cellOf(cell)))]
    const widths = lines[0]!.map((_, i) => Math.max(...lines.map((line) => String(line[i] ?? '').length)))
    for (const line of lines) {
      console.log(line.map((cell, i) => (i ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  '))
    }
  }

  /** The figures of other benches stay. */
  save(): void {
    const known = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {}
    const command = `npm run bench -- ${this.#bench}`
    const rows = this.#rows.map((row) => ({
      what: row.what,
      figure: rounded(row.figure),
      ...(row.unit ? { unit: row.unit } : {}),
      ...(row.goal ? { goal: goalOf(row), met: isMet(row) } : {}),
      ...(row.detail ? { detail: row.detail } : {}),
      command,
    }))
    const tables = this.#tables.map((table) => ({ ...table, rows: table.rows.map((row) => row.map(roundedCell)) }))
    known[this.#bench] = { machine: machine(), rows, ...(tables.length > 0 ? { tables } : {}) }
    const inOrder = Object.fromEntries(Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)))
    writeFileSync(FILE, `${withRowsInLines(JSON.stringify(inOrder, null, 2))}\n`)
    const missed = this.#rows.filter((row) => row.goal && !isMet(row))
    const goals = this.#rows.filter(({ goal }) => goal)
    console.log(`\n${goals.length - missed.length} of ${goals.length} goals met; written to bench/results.json`)
    if (missed.length > 0) process.exitCode = 1
  }
}

function isMet({ figure, goal }: Row): boolean {
  if (!goal) return true
  return 'atLeast' in goal ? figure >= goal.atLeast : figure <= goal.atMost
}

function goalOf({ goal, unit }: Row): string {
  if (!goal) return ''
  const [words, limit] = 'atLeast' in goal ? ['at least', goal.atLeast] : ['at most', goal.atMost]
  return `${words} ${limit}${unit ? ` ${unit}` : ''}`
}

/** A row of a table, which is a list of plain values, takes one line. */
function withRowsInLines(json: string): string {
  return json.replaceAll(/\[\n[^[\]{}]*\]/g, (list) =>
    list.replaceAll(/\n\s*/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  )
}

const rounded = (figure: number) => Number(figure.toPrecision(4))
const roundedCell = (cell: number | string) => (typeof cell === 'number' ? rounded(cell) : cell)
const shown = (figure: number) => (Math.abs(figure) >= 100 ? figure.toFixed(0) : figure.toFixed(2))
const cellOf = (cell: number | string) =>
  typeof cell === 'number' ? cell.toLocaleString('en', { maximumFractionDigits: 2 }) : cell

export function machine() {
  return {
    cpu: cpuName(),
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    pinned: PINNED,
    generator: GENERATOR,
    seconds: SECONDS,
    date: new Date().toISOString(),
    commit: commit(),
  }
}

/** On ARM the system has only numbers; lscpu has the names. */
function cpuName(): string {
  const model = cpus()[0]?.model ?? ''
  if (model && model !== 'unknown') return model
  try {
    return /Model name:\s*(.+)/.exec(execFileSync('lscpu', { encoding: 'utf8' }))?.[1]?.trim() ?? 'unknown'
  } catch {
    return 'unknown'
  }
}

function commit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
    return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? ', changed' : ''}`
  } catch {
    return 'unknown'
  }
}
