/** `node bench/speed/readme.ts`: copies the figures of bench/results.json into the README, as a table and a chart. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const README = join(ROOT, 'README.md')
export const CHART = join(ROOT, 'docs/pictures/speed.svg')
const [BEGIN, END] = ['<!-- speed -->\n', '<!-- /speed -->\n']

interface Row {
  readonly what: string
  readonly figure: number
  readonly unit?: string
  readonly goal?: string
  readonly met?: boolean
  readonly command: string
}

interface Bench {
  readonly machine: Readonly<Record<string, string | number>>
  readonly rows: readonly Row[]
  readonly tables?: readonly { readonly title: string; readonly rows: readonly (readonly (string | number)[])[] }[]
}

export function results(): Readonly<Record<string, Bench>> {
  return JSON.parse(readFileSync(join(ROOT, 'bench/results.json'), 'utf8'))
}

/** The text between the marks of the README. */
export function section(benches: Readonly<Record<string, Bench>>): string {
  const { machine } = benches['speed']!
  const rows = ['speed', 'creates', 'million'].flatMap((name) =>
    benches[name]!.rows.filter(({ goal }) => goal !== undefined),
  )
  const lines = rows.map(({ what, figure, unit, goal, met, command }) => {
    const shown = `${shortly(figure)}${unit ? ` ${unit}` : ''}`
    return `| ${what} | ${met ? shown : `**${shown}**`} | ${goal} | \`${command.replace('npm run bench -- ', '')}\` |`
  })
  return [
    `Measured on ${machine['cpu']}, ${machine['cores']} cores, ${machine['system']}, Node ${machine['node']}; ${machine['pinned']};`,
    `${machine['generator']}, rounds of ${machine['seconds']} s. The last column is the bench: \`npm run bench -- speed\`.`,
    '',
    '| | measured | goal | bench |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n')
}

const shortly = (figure: number) =>
  figure >= 100 ? figure.toFixed(0) : figure >= 10 ? figure.toFixed(1) : figure.toFixed(2)

/** A text of the README with today's figures. */
export function readmeWith(readme: string, benches: Readonly<Record<string, Bench>>): string {
  const [start, end] = [readme.indexOf(BEGIN) + BEGIN.length, readme.indexOf(END)]
  return readme.slice(0, start) + section(benches) + readme.slice(end)
}

const WIDTH = 760
const BAR = 22
const LEFT = 270
/** Readable on white and on black. */
const INK = '#777777'

/** Requests a second for a page of 100 polynyms, by server. */
export function chart(benches: Readonly<Record<string, Bench>>): string {
  const [table] = benches['speed']!.tables!
  const bars = table!.rows.flatMap(([name, rate]) => (typeof rate === 'number' ? [{ name: String(name), rate }] : []))
  // A server that sends a file from the kernel would make all others look small.
  const shown = bars.filter(({ name }) => !name.startsWith('nginx')).sort((a, b) => b.rate - a.rate)
  const most = Math.max(...shown.map(({ rate }) => rate))
  const height = shown.length * (BAR + 8) + 34
  const text = (x: number, y: number, content: string, anchor = 'start') =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${INK}">${content.replaceAll('&', '&amp;')}</text>`
  const drawn = shown.map(({ name, rate }, i) => {
    const y = 30 + i * (BAR + 8)
    const width = Math.max(2, ((WIDTH - LEFT - 90) * rate) / most)
    const fill = name.startsWith('Nymdex') ? '#2f7d6d' : '#b8b2a6'
    return [
      text(LEFT - 10, y + 16, name, 'end'),
      `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2" fill="${fill}"/>`,
      text(LEFT + width + 8, y + 16, Math.round(rate).toLocaleString('en')),
    ].join('')
  })
  const title = 'Requests a second for a page of 100 polynyms, one core'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${title}" font-family="system-ui, sans-serif" font-size="13">${text(0, 16, title)}${drawn.join('')}</svg>\n`
}

if (import.meta.main) {
  writeFileSync(README, readmeWith(readFileSync(README, 'utf8'), results()))
  writeFileSync(CHART, chart(results()))
}
