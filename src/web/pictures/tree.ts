/** A polynym of types: its name branches into its terms. */
import { html } from '../html.ts'
import { block, type Drawing, type LinkOf, linked, near } from './drawing.ts'
import { fit } from './measure.ts'
import { inWords, type Polynym } from './shape.ts'

const WIDTH = 360
const BRANCH = 48
const GAP = 12

export function drawTree(record: Polynym, linkOf?: LinkOf): Drawing {
  const root = fit(record.name, { width: 104, lines: 6, sizes: [20, 18, 16, 14, 13], bold: true })
  const room = WIDTH - root.width - BRANCH - 30
  const texts = record.terms.map((term) => fit(term, { width: room, lines: 6, sizes: [17, 16, 15, 14] }))
  const height = Math.max(
    root.height + GAP,
    texts.reduce((sum, text) => sum + text.height + GAP, 0),
  )
  const widest = Math.max(...texts.map((text) => text.width))
  // In the middle of the picture, however short the words are.
  const start = (WIDTH - root.width - BRANCH - 22 - widest) / 2
  const fork = start + root.width + 12
  const leaf = fork + BRANCH
  let y = (height - texts.reduce((sum, text) => sum + text.height + GAP, 0)) / 2
  const rows = texts.map((text) => {
    y += text.height + GAP
    return { text, y: y - (text.height + GAP) / 2 }
  })
  const middle = height / 2
  const half = BRANCH / 2
  return {
    width: WIDTH,
    height: near(height),
    label: inWords(record, 'its kinds are'),
    hasLinks: linkOf !== undefined,
    content: html`<path class="thread" d=${rows.map((row) => `M${near(fork)} ${near(middle)}C${near(fork + half)} ${near(middle)} ${near(fork + half)} ${near(row.y)} ${near(leaf)} ${near(row.y)}`).join('')} />
      <circle class="dot" cx=${near(fork)} cy=${near(middle)} r="5" />
      ${linked(record.name, block(root, { x: start + root.width, y: middle, anchor: 'end', class: 'strong' }), linkOf)}
      ${rows.map(({ text, y }, i) => html`<circle class="dot" cx=${near(leaf)} cy=${near(y)} r="2.5" />${linked(record.terms[i] ?? '', block(text, { x: leaf + 10, y, anchor: 'start' }), linkOf)}`)}`,
  }
}
