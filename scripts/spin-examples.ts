/** Prints the table of docs/qode.md: texts of the sample catalogue told with other topics, drawn by a fixed seed. */
import { readFileSync } from 'node:fs'
import { fits, type PlacedToken, spin, type TaggedQuadranym, tokensInPlace } from '../src/language/index.ts'
import { random as seeded } from './random.ts'

const SEED = 2026
const EXAMPLES = 20

interface Text {
  readonly body: string
  readonly qode: string
}

/** From the topics whose terms have the parts of speech of the text; no text twice. */
export function spinExamples(): string {
  const random = seeded(SEED)
  const draw = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const quadranyms = read<TaggedQuadranym>('quadranym')
  const rows = new Map<string, string>()
  const texts = [...read<Text>('fortune'), ...read<Text>('quote')].filter(({ body }) => body.length < 120)
  while (rows.size < EXAMPLES) {
    const { body, qode } = draw(texts)
    const chosen = topicsOf(qode).map((topic) =>
      quadranyms.filter((each) => !body.includes(each.name) && fits(topic, each)),
    )
    if (rows.has(body) || chosen.length === 0 || chosen.some((fitting) => fitting.length < 5)) continue
    const topics = chosen.map(draw)
    const cells = [body, topics.map(({ name }) => name).join(', '), spin(qode, topics).text]
    rows.set(body, `| ${cells.map((cell) => cell.replaceAll('\n', ' / ')).join(' | ')} |`)
  }
  return ['| text | told with | becomes |', '|---|---|---|', ...rows.values()].join('\n')
}

/** The tokens of each topic, the lowest index first. */
function topicsOf(qode: string): PlacedToken[][] {
  const byIndex = Map.groupBy(tokensInPlace(qode), ({ index }) => index)
  return [...byIndex].sort(([a], [b]) => a - b).map(([, topic]) => topic)
}

function read<T>(name: string): T[] {
  const file = new URL(`../sample/${name}.ndjson`, import.meta.url)
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

if (import.meta.main) console.log(spinExamples())
