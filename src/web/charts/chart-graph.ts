/** The network of sets that share words. Ties lead to a word that both have, and nodes to their sets. */
import { counted } from '../../language/index.ts'
import { wordAddress } from '../addresses.ts'
import { type Content, html, renderInTurns } from '../html.ts'
import { cut } from './fluid.ts'
import type { ChartJson, ChartNode } from './shown-chart.ts'

const [WIDTH, HEIGHT, MARGIN] = [1000, 820, 34]
const LONGEST_NAME = 26
/** How wide a letter is about, and how high a line. */
const [LETTER, LINE] = [7.2, 17]

interface Place {
  readonly x: number
  readonly y: number
}

export async function drawGraph({ nodes = [], edges = [], title }: ChartJson, kind: string): Promise<Content> {
  const places = new Map(nodes.map((node) => [node.id, placeOf(node)]))
  const named = withRoom(nodes)
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  const ties = await renderInTurns(edges, ({ sets: [a, b], shared }) => {
    const [from, to] = [places.get(a), places.get(b)]
    if (!from || !to) return undefined
    const says = `${names.get(a)} and ${names.get(b)} share ${shared.join(', ')}`
    const width = shared.length > 1 ? Math.min(shared.length, 5) : undefined
    return html`<a href=${wordAddress(shared[0] ?? '')} tabindex="-1"><title>${says}</title><path d=${`M${from.x} ${from.y}L${to.x} ${to.y}`} stroke-width=${width} /></a>`
  })
  const drawn = await renderInTurns(nodes, (node) => drawNode(node, kind, named.has(node)))
  return html`<svg class="graph" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label=${`${title}, as a network`}>
    <g class="ties" dangerouslySetInnerHTML=${ties}></g>
    <g class="nodes" dangerouslySetInnerHTML=${drawn}></g>
  </svg>`
}

/** The sets whose names do not cover others, the strongest first; the others show theirs when they are pointed at. */
function withRoom(nodes: readonly ChartNode[]): ReadonlySet<ChartNode> {
  const taken: (Place & { readonly half: number })[] = []
  const places = nodes.map(placeOf)
  return new Set(
    nodes.filter((node, i) => {
      const { x, y } = places[i]!
      const half = (Math.min([...node.name].length, LONGEST_NAME) * LETTER) / 2
      if (x < half || x > WIDTH - half) return false
      const isCovered = (at: Place, j: number) =>
        j !== i && Math.abs(at.x - x) < half + 8 && Math.abs(at.y - y + LINE) < LINE * 0.7
      if (places.some(isCovered)) return false
      if (taken.some((other) => Math.abs(other.y - y) < LINE && Math.abs(other.x - x) < other.half + half)) return false
      taken.push({ x, y, half })
      return true
    }),
  )
}

function drawNode(node: ChartNode, kind: string, isNamed: boolean): Content {
  const { x, y } = placeOf(node)
  const radius = Math.min(4 + Math.sqrt(node.count) * 1.6, 14)
  const says = `${node.name}: shares words with ${counted(node.count, 'set')}`
  return html`<a class=${isNamed ? 'named' : undefined} href=${`/${kind}/${node.id}/`} aria-label=${says}>
    <circle cx=${x} cy=${y} r=${Math.round(radius)} />
    <text x=${x} y=${Math.round(y - radius - 4)}>${cut(node.name, LONGEST_NAME)}</text>
  </a>`
}

function placeOf({ x, y }: ChartNode): Place {
  return {
    x: Math.round(MARGIN + (x * (WIDTH - 2 * MARGIN)) / 1000),
    y: Math.round(MARGIN + (y * (HEIGHT - 2 * MARGIN)) / 1000),
  }
}
