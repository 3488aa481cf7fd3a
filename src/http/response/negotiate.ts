/** Which rendering a client gets: JSON, compact or indented, or the page for people. */
import { problems } from '../../engine/index.ts'

export type Rendering =
  | { readonly as: 'json'; readonly indent: number }
  | { readonly as: 'html' }
  | { readonly as: 'text' }
  /** One of the other types that the address has. */
  | { readonly as: 'other'; readonly type: string }

/** A type that an address has besides JSON and HTML, and the `format` that asks for it, if any. */
export interface OtherType {
  readonly type: string
  readonly format?: string
}

export const NDJSON = { type: 'application/x-ndjson', format: 'ndjson' }
export const EVENT_STREAM = { type: 'text/event-stream' }

/** The formats of whole lists. */
export const STREAM_TYPES: readonly Required<OtherType>[] = [NDJSON, { type: 'text/csv', format: 'csv' }]

export function isStreamFormat(format: string): boolean {
  return STREAM_TYPES.some((each) => each.format === format)
}

export const COMPACT: Rendering = { as: 'json', indent: 0 }
const BROWSABLE_INDENT = 4
const MOST_INDENT = 8

interface Range {
  readonly type: string
  readonly quality: number
  readonly indent: number
}

/**
 * `format` is the parameter of that name; it overrides Accept. Text and other types are offered only where they exist.
 */
export function negotiate(
  accept: string | undefined,
  format: string | undefined,
  hasText = false,
  others: readonly OtherType[] = [],
): Rendering {
  const ranges = readAccept(accept)
  const json = bestRange(ranges, 'application/json')
  const html = bestRange(ranges, 'text/html')
  const namesHtml = html !== undefined && html.type !== '*/*'
  if (format === 'json') return { as: 'json', indent: json?.indent ?? 0 }
  if (format === 'api') return namesHtml ? { as: 'html' } : { as: 'json', indent: BROWSABLE_INDENT }
  if (format === 'txt' && hasText) return { as: 'text' }
  const wanted = format && others.find((other) => other.format === format)
  if (wanted) return { as: 'other', type: wanted.type }
  if (format) throw problems.notFound()
  if (hasText && prefersOther(ranges, 'text/plain', json, html)) return { as: 'text' }
  const [other] = others
    .filter(({ type }) => prefersOther(ranges, type, json, html))
    .sort((a, b) => bestRange(ranges, b.type)!.quality - bestRange(ranges, a.type)!.quality)
  if (other) return { as: 'other', type: other.type }
  if (namesHtml && (!json || prefers(html, json))) return { as: 'html' }
  if (!json) throw problems.notAcceptable()
  return { as: 'json', indent: json.indent }
}

const FORMATS = [undefined, 'json', 'api', 'txt'] as const
const MOST_KNOWN = 1000
const LONGEST_KNOWN = 500
const known = new Map<string, number>()
const different = new Map<string, number>()

/** A number that is the same for all Accept headers with the same rendering everywhere. */
export function renderingsFor(accept: string | undefined): number {
  if (!accept) return 0
  const found = known.get(accept)
  if (found !== undefined) return found
  const key = allRenderings(accept)
  // There are only a few: 0 is for clients without preferences.
  if (different.size === 0) different.set(allRenderings(undefined), 0)
  const number = different.get(key) ?? different.size
  different.set(key, number)
  if (known.size < MOST_KNOWN && accept.length < LONGEST_KNOWN) known.set(accept, number)
  return number
}

function allRenderings(accept: string | undefined): string {
  const ofRecords = FORMATS.flatMap((format) => [false, true].map((hasText) => attempt(accept, format, hasText)))
  return JSON.stringify([...ofRecords, attempt(accept, undefined, false, STREAM_TYPES)])
}

function attempt(...asked: Parameters<typeof negotiate>): Rendering | undefined {
  try {
    return negotiate(...asked)
  } catch {
    return undefined
  }
}

/** Only a client that names the type itself gets it, and only if it does not prefer JSON or HTML. */
function prefersOther(
  ranges: readonly Range[],
  type: string,
  json: Range | undefined,
  html: Range | undefined,
): boolean {
  const text = bestRange(ranges, type)
  if (text?.type !== type) return false
  return [json, html].every(
    (other) => !other || (other.quality <= text.quality && (other.quality < text.quality || wildness(other.type) > 0)),
  )
}

function readAccept(accept: string | undefined): Range[] {
  if (!accept?.trim()) return [{ type: '*/*', quality: 1, indent: 0 }]
  return accept.split(',').map((entry) => {
    const [type, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const values = new Map(
      parameters.map((parameter) => parameter.split('=', 2).map((p) => p.trim()) as [string, string]),
    )
    return { type: type ?? '', quality: readQuality(values.get('q')), indent: readIndent(values.get('indent')) }
  })
}

function readQuality(given: string | undefined): number {
  if (given === undefined) return 1
  const quality = Number(given)
  return given !== '' && quality >= 0 && quality <= 1 ? quality : 0
}

/** Clamped to the range; anything that is not a number means no indent. */
function readIndent(given: string | undefined): number {
  return given !== undefined && /^-?[0-9]+$/.test(given) ? Math.min(Math.max(Number(given), 0), MOST_INDENT) : 0
}

const widths = (type: string) => [type, `${type.split('/')[0]}/*`, '*/*']

/** The most specific range that matches the type decides, even if it excludes it (q=0). */
function bestRange(ranges: readonly Range[], type: string): Range | undefined {
  for (const width of widths(type)) {
    const matching = ranges.filter((range) => range.type === width)
    if (matching.length > 0) {
      const best = matching.reduce((a, b) => (b.quality > a.quality ? b : a))
      return best.quality > 0 ? best : undefined
    }
  }
  return undefined
}

/** In a tie the more specific type wins, and then JSON. */
function prefers(html: Range, json: Range): boolean {
  if (html.quality !== json.quality) return html.quality > json.quality
  return wildness(html.type) < wildness(json.type)
}

function wildness(type: string): number {
  return type === '*/*' ? 2 : type.endsWith('/*') ? 1 : 0
}
