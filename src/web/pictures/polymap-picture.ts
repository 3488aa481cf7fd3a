/** A polymap: the terms of two polynyms facing each other, with the relations between them. */
import { type Content, html } from '../html.ts'
import { block, type Drawing, type LinkOf, linked, near } from './drawing.ts'
import { type Fitted, fit } from './measure.ts'
import { polynymOf } from './shape.ts'

const WIDTH = 360
const COLUMN = 112
const GAP = 12

export interface Relation {
  readonly from: string
  readonly name: string
  readonly to: string
}

/**
 * A row reads "term,Relation,term", and terms may contain commas, so it is parsed with the known terms. Rows stay when
 * their polynyms change; those that no longer match are returned unchanged.
 */
export function relationsOf(record: Readonly<Record<string, any>>): (Relation | { readonly row: string })[] {
  const [left, right] = [polynymOf(record['pa']).terms, polynymOf(record['pb']).terms]
  const rows: string[] = []
  for (let i = 1; typeof record[`r${i}`] === 'string'; i++) rows.push(record[`r${i}`])
  return rows.map((row) => {
    for (const from of left.filter((term) => row.startsWith(`${term},`))) {
      for (const to of right.filter((term) => row.endsWith(`,${term}`))) {
        const name = row.slice(from.length + 1, -to.length - 1)
        if (/^[A-Z][A-Za-z]+$/.test(name)) return { from, name, to }
      }
    }
    return { row }
  })
}

/** "HasFirstSubevent" as "has first subevent". */
export function relationInWords(name: string): string {
  return name.replaceAll(/(?!^)(?=[A-Z])/g, ' ').toLowerCase()
}

export function drawPolymap(record: Readonly<Record<string, any>>, linkOf?: LinkOf): Drawing {
  const [pa, pb] = [polynymOf(record['pa']), polynymOf(record['pb'])]
  const relations = relationsOf(record).filter((each): each is Relation => 'from' in each)
  const heads = [pa, pb].map(({ name }) =>
    fit(name, { width: COLUMN, lines: 3, sizes: [17, 16, 15, 14, 13], bold: true }),
  )
  const top = Math.max(...heads.map((head) => head.height)) + 14
  const words = (terms: readonly string[]) =>
    terms.map((term) => fit(term, { width: COLUMN, lines: 5, sizes: [16, 15, 14, 13, 12, 11] }))
  const [left, right] = [words(pa.terms), words(pb.terms)]
  const kinds = new Set(relations.map(({ name }) => name))
  const signs = kinds.size > 1 ? relations.map(({ name }) => sign(name)) : []
  const inner = Math.max(stacked(left), stacked(right), stacked(signs))
  const [leftAt, rightAt] = [placed(left, top, inner), placed(right, top, inner)]
  const ends = relations.map(({ from, name, to }) => {
    return { name, from: leftAt[pa.terms.indexOf(from)]!, to: rightAt[pb.terms.indexOf(to)]! }
  })
  const classOf = (term: string | undefined, side: 'from' | 'to') =>
    relations.some((each) => each[side] === term) ? undefined : 'quiet'
  return {
    width: WIDTH,
    height: near(top + inner),
    hasLinks: linkOf !== undefined,
    label: `${record['name']}: ${relations.map(({ from, name, to }) => `${from} ${relationInWords(name)} ${to}`).join('; ') || `${pa.name} and ${pb.name}, without relations`}`,
    content: html`${block(heads[0]!, { x: COLUMN, y: (top - 14) / 2, anchor: 'end', class: 'strong' })}
      ${block(heads[1]!, { x: WIDTH - COLUMN, y: (top - 14) / 2, anchor: 'start', class: 'strong' })}
      ${kinds.size > 1 ? signed(ends, top, inner) : plain(ends, [...kinds][0], top)}
      ${column(left, leftAt, COLUMN, 'end').map((word, i) => linked(pa.terms[i] ?? '', word(classOf(pa.terms[i], 'from')), linkOf))}
      ${column(right, rightAt, WIDTH - COLUMN, 'start').map((word, i) => linked(pb.terms[i] ?? '', word(classOf(pb.terms[i], 'to')), linkOf))}`,
  }
}

const sign = (name: string) => fit(relationInWords(name), { width: 78, lines: 3, sizes: [12, 11] })

function stacked(texts: readonly Fitted[]): number {
  return texts.reduce((sum, { height }) => sum + height + GAP, 0)
}

function placed(texts: readonly Fitted[], top: number, height: number): number[] {
  const share = texts.length === 0 ? 0 : (height - stacked(texts)) / texts.length
  let y = top
  return texts.map((text) => {
    const own = text.height + GAP + share
    y += own
    return y - own / 2
  })
}

/** The words of a column, each to be drawn in a class. */
function column(
  texts: readonly Fitted[],
  at: readonly number[],
  x: number,
  anchor: 'start' | 'end',
): ((name: string | undefined) => Content)[] {
  return texts.map((text, i) => (name) => block(text, { x, y: at[i]!, anchor, class: name }))
}

interface Ends {
  readonly name: string
  readonly from: number
  readonly to: number
}

const LEFT = COLUMN + 6
const RIGHT = WIDTH - COLUMN - 6

function thread(x: number, y: number, toX: number, toY: number): string {
  const half = (x + toX) / 2
  return `M${near(x)} ${near(y)}C${near(half)} ${near(y)} ${near(half)} ${near(toY)} ${near(toX)} ${near(toY)}`
}

/** If all relations have the same name, it is shown once, above. */
function plain(ends: readonly Ends[], name: string | undefined, top: number): Content {
  if (name === undefined) return undefined
  return html`${block(sign(name), { x: WIDTH / 2, y: (top - 14) / 2, class: 'caption' })}
    <path class="thread" d=${ends.map(({ from, to }) => thread(LEFT, from, RIGHT, to)).join('')} />`
}

/** Each relation has its name on its line; sorted by height, they cross the least. */
function signed(ends: readonly Ends[], top: number, height: number): Content {
  const sorted = ends.toSorted((a, b) => a.from + a.to - b.from - b.to)
  const signs = sorted.map(({ name }) => sign(name))
  const at = placed(signs, top, height)
  return sorted.map(({ from, to }, i) => {
    const text = signs[i]!
    const y = at[i]!
    const half = text.width / 2 + 5
    return html`<path class="thread" d=${`${thread(LEFT, from, WIDTH / 2 - half, y)}${thread(WIDTH / 2 + half, y, RIGHT, to)}`} />
      <rect class="tint" x=${near(WIDTH / 2 - half)} y=${near(y - text.height / 2 - 2)} width=${near(2 * half)} height=${near(text.height + 4)} rx="6" />
      ${block(text, { x: WIDTH / 2, y, class: 'caption' })}`
  })
}
