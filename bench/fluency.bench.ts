/**
 * How fluent spun texts are: 250 texts of the sample catalogue and 250 of Debian's fortunes, told with any quadranyms by a
 * fixed seed, judged by rules (fluency/judge.ts). The judge is measured against texts that were read.
 *
 *   npm run bench -- fluency                     shares, by class of fault
 *   FLUENCY_LIST=20 npm run bench -- fluency     and twenty texts with what the judge finds in them
 *   FLUENCY_UNREAD=on npm run bench -- fluency   and the texts of the draws below that the engine makes now and nobody has read
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fits, indexes, parse, type SpinOptions, spin, type TaggedQuadranym, tokens } from '../src/language/index.ts'
import { type Draw, drawFortunes, drawSample, drawTurned } from './fluency/draw.ts'
import { type Finding, Judge, type PutIn } from './fluency/judge.ts'
import {
  changed,
  heldOut,
  type Judgement,
  judgements,
  secondReader,
  turned,
  turnedLater,
} from './fluency/judgements.ts'
import { Lexicon } from './fluency/lexicon.ts'

const SEED = 2026
const TEXTS = 250
const READ = 300
/** The draws of fluency-held-out.tsv are the first hundred of these that were not among the others. */
const HELD_SEED = 2027
const HELD_DRAWN = 130
/** One of these draws gave the same text as another. */
const TURNED = 201
const TURNED_HELD = 100
/** Draws that only the second reader read; the last are from after the newest rule. */
const SECOND_DRAWS = [
  { seed: 2028, count: 150 },
  { seed: 2029, count: 120 },
]
const root = join(import.meta.dirname, '..')

interface Filled {
  readonly text: string
  readonly put: readonly PutIn[]
}

const draws = drawSample(SEED, TEXTS)
const fortunes = drawFortunes(SEED, TEXTS)
const judge = new Judge(new Lexicon(), [...goodTexts(), ...(fortunes ?? []).flatMap(({ body }) => body ?? [])])
const read = judgements()
measureJudge()
byHand()
bySecondReader()
share('sample', draws)
share('as the site chooses topics', drawTurned(SEED, TURNED))
if (fortunes) share("Debian's fortunes", fortunes)
else print("Debian's fortunes", 'not installed (apt-get install fortunes fortunes-min)')

/** Only the texts that were read after the rules were written show how well the rules work on others. */
function measureJudge(): void {
  for (const [title, part] of [
    ['judge, on the readings that its rules come from', read],
    ['judge, on readings made after its rules', heldOut()],
    ['judge, on texts of later versions of the engine', changed()],
  ] as const) {
    const found = part.filter(({ text, put }) => judge.findings(text, put).length > 0)
    const right = found.filter(isBad).length
    const bad = part.filter(isBad).length
    const figure = `precision ${percent(right, found.length)} (${right} of ${found.length}), recall ${percent(right, bad)} (${right} of ${bad})`
    print(title, figure)
  }
}

function isBad({ verdict }: Judgement): boolean {
  return verdict !== 'good'
}

/** The readings themselves, and how many of their texts the engine still makes. */
function byHand(): void {
  const good = read.filter((each) => !isBad(each)).length
  const differ = read.filter(({ isDoubtful }) => isDoubtful).length
  print('read by hand', `${percent(good, read.length)} of ${read.length} fluent; the two readings differ in ${differ}`)
  print('', classes(read.filter(isBad).map(({ verdict }) => verdict)))
  readNow('the same draws as the engine makes them now', drawSample(SEED, READ))
  const others = new Set(heldOut().map(({ text }) => text))
  const held = drawSample(HELD_SEED, HELD_DRAWN).filter((draw) => others.has(strict(draw).text))
  readNow('the draws read after the rules of the judge', held)
  const offered = turned()
  const fluent = offered.filter((each) => !isBad(each)).length
  print('topics as the site chose them', `${percent(fluent, offered.length)} of ${offered.length} fluent`)
  print('', classes(offered.filter(isBad).map(({ verdict }) => verdict)))
  readNow('the same draws with the topics it chooses now', drawTurned(SEED, TURNED))
  readNow('draws read after the rules of fit', drawTurned(HELD_SEED, TURNED_HELD))
}

/** How often two readers differ, and what the second one says of the texts that the engine makes now. */
function bySecondReader(): void {
  const verdicts = secondReader()
  const first = firstReader()
  const both = [...verdicts].flatMap(([text, verdict]) => {
    const other = first.get(text)
    return other === undefined ? [] : [{ first: other === 'good', second: verdict === 'good' }]
  })
  const differ = both.filter((each) => each.first !== each.second).length
  print('two readers', `differ in ${differ} of ${both.length}, kappa ${kappa(both).toFixed(2)}`)
  readNow('second reader: topics that the site chooses', drawTurned(SEED, TURNED), verdicts)
  readNow('other draws', drawTurned(HELD_SEED, TURNED_HELD), verdicts)
  for (const { seed, count } of SECOND_DRAWS) readNow(`draws of seed ${seed}`, drawTurned(seed, count), verdicts)
  readNow('any quadranym', drawSample(SEED, READ), verdicts)
}

/** Cohen's kappa: 1 if they always agree, 0 if they agree as often as by chance. */
function kappa(both: readonly { readonly first: boolean; readonly second: boolean }[]): number {
  const share = (isCounted: (each: (typeof both)[number]) => boolean) => both.filter(isCounted).length / both.length
  const [first, second] = [share((each) => each.first), share((each) => each.second)]
  const byChance = first * second + (1 - first) * (1 - second)
  return (share((each) => each.first === each.second) - byChance) / (1 - byChance)
}

function firstReader(): ReadonlyMap<string, string> {
  const all = [...read, ...heldOut(), ...changed(), ...turned(), ...turnedLater()]
  return new Map(all.map((each) => [each.text, each.verdict]))
}

/** What the readings say of the texts that the engine makes now. */
function readNow(title: string, drawn: readonly Draw[], verdicts = firstReader()): void {
  const now = drawn.map(spun)
  const unread = now.filter(({ text }) => !verdicts.has(text))
  const faults = now.flatMap(({ text }) => verdicts.get(text) ?? []).filter((verdict) => verdict !== 'good')
  const all = now.length - unread.length
  print(title, `${percent(all - faults.length, all)} of ${all} fluent; ${unread.length} were not read`)
  print('', classes(faults))
  if (process.env['FLUENCY_UNREAD']) for (const { text } of unread) console.log(`  ${text.replaceAll('\n', '\\n')}`)
}

/** The share of fluent texts, as the judge sees them: with the terms as they are, inflected alone, and as the engine spins them. */
function share(title: string, draws: readonly Draw[]): void {
  for (const [way, fill] of [
    ['terms as they are', plain],
    ['inflected alone', strict],
    ['spun', spun],
  ] as const) {
    const judged = draws.map(fill).map(({ text, put }) => ({ text, findings: judge.findings(text, put) }))
    const bad = judged.filter(({ findings }) => findings.length > 0)
    print(`${title}, ${way}`, `${percent(draws.length - bad.length, draws.length)} of ${draws.length} fluent`)
    print('', classes(bad.map(({ findings }) => findings[0]?.class ?? '')))
    if (way === 'spun') list(bad)
  }
}

function list(bad: readonly { readonly text: string; readonly findings: readonly Finding[] }[]): void {
  for (const { text, findings } of bad.slice(0, Number(process.env['FLUENCY_LIST'] ?? 0))) {
    console.log(
      `  ${text.replaceAll('\n', ' / ')}  <- ${findings.map((each) => `${each.class}: ${each.words}`).join('; ')}`,
    )
  }
}

function spun(draw: Draw): Filled {
  return filled(draw, {})
}

function strict(draw: Draw): Filled {
  return filled(draw, { strict: true })
}

function filled({ qode, quadranyms, untagged }: Draw, options: SpinOptions): Filled {
  const { text, spans } = spin(qode, quadranyms, { untagged, ...options })
  const put = spans.map(({ offset, length, token }) => {
    return { word: text.slice(offset, offset + length), tag: /[_^]([A-Z]+)$/.exec(token)?.[1] ?? '' }
  })
  return { text, put }
}

/** Each token replaced by its term, as it is written. */
function plain({ qode, quadranyms, untagged }: Draw): Filled {
  const places = indexes(qode, { untagged })
  const put: PutIn[] = []
  const pieces = parse(qode, { untagged }).map((piece) => {
    if (piece.kind === 'text') return piece.text
    const quadranym = quadranyms[places.indexOf(piece.index)]
    const word = (piece.slot === 'n' ? quadranym?.name : quadranym?.[piece.slot]) ?? ''
    put.push({ word, tag: piece.tag ?? '' })
    return word
  })
  return { text: pieces.join(''), put }
}

/** Texts of the sample as people wrote them, and its phrases and fables with topics that fit them. */
function goodTexts(): string[] {
  const bodies = ['fortune', 'quote'].flatMap((name) => sample<{ readonly body: string }>(name).map(({ body }) => body))
  const quadranyms = sample<TaggedQuadranym>('quadranym')
  const templates = ['phrase', 'fable'].flatMap((name) =>
    sample<{ readonly qode: string }>(name).map(({ qode }) => qode),
  )
  const told = templates.flatMap((qode) => {
    const fitting = indexes(qode, { untagged: true }).map((index) => {
      const topic = tokens(qode).filter((token) => token.index === index)
      return quadranyms.filter((quadranym) => fits(topic, quadranym))
    })
    const shortest = Math.min(...fitting.map((each) => each.length))
    return Array.from({ length: Math.min(3, shortest) }, (_, i) => {
      const topics = fitting.flatMap((each, k) => each[(7 * i + k) % each.length] ?? [])
      return spin(qode, topics, { untagged: true }).text
    })
  })
  return [...bodies, ...told]
}

function sample<T>(name: string): T[] {
  return readFileSync(join(root, `sample/${name}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** "pos 30, countability 12": the commonest first. */
function classes(list: readonly string[]): string {
  const counts = Map.groupBy(list, (each) => each)
  const order = Array.from(counts, ([each, { length }]) => [each, length] as const).sort(([, a], [, b]) => b - a)
  return `faults: ${order.map(([each, count]) => `${each} ${count}`).join(', ') || 'none'}`
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`
}

function print(what: string, figure: string): void {
  console.log(`${what.padEnd(48)} ${figure}`)
}
