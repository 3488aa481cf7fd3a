/** The numbers of a chart as a table, next to its picture. */
import { counted } from '../../language/index.ts'
import { wordAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import type { ChartJson, Mark, ShownChart } from './shown-chart.ts'

/** Of a network. Its picture has the other sets too. */
const MOST_NODES = 150
const MOST_WORDS = 5

/** A row for each line, and a column for each of its numbers. */
export function chartTable({ counts, lines, columns }: ShownChart, title: string, first: string): Content {
  return framed(
    title,
    html`<thead><tr><th scope="col">${first}</th><th scope="col" class="number">${capital(counts)}</th>${columns.map((head) => html`<th scope="col" class="number">${initial(head)}</th>`)}</tr></thead>
    <tbody>
      ${lines.map((line) => html`<tr><th scope="row">${linked(line, line.label)}</th><td class="number">${number(line.count)}</td>${line.marks.map(cell)}</tr>`)}
    </tbody>`,
  )
}

/** Of many columns, what they amount to: the smallest, the average and the largest that occurs. */
export function rangeTable(
  { counts, lines }: ShownChart,
  title: string,
  first: string,
  values: readonly number[],
): Content {
  return framed(
    title,
    html`<thead><tr><th scope="col">${first}</th>${[capital(counts), 'From', 'Average', 'To'].map((head) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
    <tbody>
      ${lines.map((line) => {
        const found = values
          .flatMap((value, i) => ({ value, mark: line.marks[i] }))
          .filter(({ mark }) => mark && mark.count > 0)
        const sum = found.reduce((total, { value, mark }) => total + value * (mark?.count ?? 0), 0)
        const end = (at: 0 | -1) => found.at(at)?.value
        return html`<tr>
          <th scope="row">${linked(line, line.label)}</th>
          <td class="number">${number(line.count)}</td>
          <td class="number">${end(0)}</td>
          <td class="number">${(sum / Math.max(line.count, 1)).toFixed(1)}</td>
          <td class="number">${end(-1)}</td>
        </tr>`
      })}
    </tbody>`,
  )
}

/** Times go down, the newest first, and lines go across. */
export function timeTable({ lines, columns }: ShownChart, title: string): Content {
  const times = columns.map((time, i) => ({ time, marks: lines.flatMap(({ marks }) => marks[i] ?? []) }))
  const some = times.filter(({ marks }) => marks.some(({ count }) => count > 0)).toReversed()
  return framed(
    title,
    html`<thead><tr><th scope="col">Time</th>${lines.map((line) => html`<th scope="col" class="number">${linked(line, capital(line.label))}</th>`)}</tr></thead>
    <tbody>
      ${some.map(({ time, marks }) => html`<tr><th scope="row">${time}</th>${marks.map(cell)}</tr>`)}
      <tr class="sum"><th scope="row">All</th>${lines.map(({ count }) => html`<td class="number">${number(count)}</td>`)}</tr>
    </tbody>`,
  )
}

/** Each set of a network, and the words that it shares with those it is tied to. */
export function nodeTable({ nodes = [], edges = [], title }: ChartJson, kind: string): Content {
  const words = new Map<number, Set<string>>()
  for (const { sets, shared } of edges) {
    for (const id of sets) words.set(id, new Set([...(words.get(id) ?? []), ...shared]))
  }
  return framed(
    title,
    html`<thead><tr><th scope="col">Set</th><th scope="col" class="number">Shares with</th><th scope="col">Words</th></tr></thead>
    <tbody>
      ${nodes.slice(0, MOST_NODES).map(({ id, name, count }) => {
        const own = [...(words.get(id) ?? [])]
        const more = own.length - MOST_WORDS
        return html`<tr>
          <th scope="row"><a href=${`/${kind}/${id}/`}>${name}</a></th>
          <td class="number">${count}</td>
          <td>${own.slice(0, MOST_WORDS).map((word, i) => html`${i > 0 && ', '}<a href=${wordAddress(word)}>${word}</a>`)}${more > 0 && ` and ${counted(more, 'other')}`}</td>
        </tr>`
      })}
      ${nodes.length > MOST_NODES && html`<tr><td colspan="3" class="soft">and ${counted(nodes.length - MOST_NODES, 'set')} more, which the picture has</td></tr>`}
    </tbody>`,
  )
}

/** It has room for a few columns; those who use a keyboard can scroll to the others. */
function framed(title: string, content: Content): Content {
  return html`<div class="chart-table" id="table" tabindex="0" role="region" aria-label=${`${title}, as a table`}>
    <table><caption class="unseen">${title}</caption>${content}</table>
  </div>`
}

function cell(mark: Mark): Content {
  return html`<td class="number">${mark.count === 0 ? html`<span class="soft">0</span>` : linked(mark, number(mark.count))}</td>`
}

function linked({ href, count }: Mark, text: string): Content {
  return href === undefined || count === 0 ? text : html`<a href=${href}>${text}</a>`
}

function number(count: number): string {
  return count.toLocaleString('en')
}

/** A table next to a picture has no room for long names, whose colours the legend tells. */
function initial(head: string): Content {
  return html`<span aria-hidden="true" title=${head}>${head.charAt(0).toUpperCase()}</span><span class="unseen">${head}</span>`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
