/** How imports repair records that another service allowed. Each declaration names the repairs it uses. */
import type { Json, JsonObject, Repair } from '../declare/index.ts'
import { type Grammar, indexes, MOST_INDEX, parse, write } from '../language/index.ts'
import { wordlessIds } from './annotated.ts'

const MODES = ['type', 'part', 'step']

export const unknownMode: Repair = {
  does: 'A mode that is missing or unknown becomes "type".',
  mend(body, { mode }) {
    if (!mode) return undefined
    const given = String(body['mode'] ?? '').toLowerCase()
    return { ...body, mode: MODES.find((known) => known === given) ?? 'type' }
  },
}

/** Slots are p1, p2 and so on. */
export const slotGaps = (prefix: string, count: number): Repair => ({
  does: 'Gaps between filled slots are closed.',
  mend(body, errors) {
    const names = Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)
    if (!names.some((name) => errors[name])) return undefined
    const filled = names.map((name) => body[name]).filter((value) => !isBlank(value))
    const closed = Object.fromEntries(names.map((name, i) => [name, filled[i] ?? '']))
    return names.every((name) => isBlank(body[name]) === isBlank(closed[name])) ? undefined : { ...body, ...closed }
  },
})

export const oddPartsOfSpeech = (...members: readonly string[]): Repair => ({
  does: 'A part of speech becomes capital letters only; one without letters is dropped.',
  mend(body, errors) {
    const wrong = members.filter((member) => errors[member])
    if (wrong.length === 0) return undefined
    const capitals = wrong.map((member) => {
      return [
        member,
        String(body[member])
          .toUpperCase()
          .replaceAll(/[^A-Z]/g, '')
          .slice(0, 8),
      ]
    })
    return { ...body, ...Object.fromEntries(capitals) }
  },
})

const ODD_TOKEN = /(?<![\p{L}\p{M}\p{N}_])q0*([1-9][0-9]{0,8})([neros])([_^])([a-z]+)[$']?(?![\p{L}\p{M}\p{N}_])/giu

export const oddTags: Repair = {
  does: 'A tag in lower case, or with a sign after it (PRP$), becomes capital letters only.',
  mend(body, { qode }) {
    const given = body['qode']
    if (!qode || typeof given !== 'string') return undefined
    const mended = given.replaceAll(ODD_TOKEN, (_, index, slot, separator, tag) => {
      return `q${index}${slot.toLowerCase()}${separator}${tag.toUpperCase()}`
    })
    return mended === given ? undefined : { ...body, qode: mended }
  },
}

/** Each index becomes its rank among those that occur, so a tale keeps its topics in order. */
export const largeIndexes = (grammar: Grammar = {}): Repair => ({
  does: `Tokens with an index above ${MOST_INDEX} are renumbered: 1 for the smallest index, 2 for the next one.`,
  mend(body, { qode }) {
    const given = body['qode']
    if (!qode || typeof given !== 'string') return undefined
    const ranks = new Map(indexes(given, grammar).map((index, i) => [index, i + 1]))
    if (Math.max(0, ...ranks.keys()) <= MOST_INDEX || ranks.size > MOST_INDEX) return undefined
    const pieces = parse(given, grammar).map((piece) =>
      piece.kind === 'token' ? { ...piece, index: ranks.get(piece.index)! } : piece,
    )
    return { ...body, qode: write(pieces) }
  },
})

export const annotatedAnew: Repair = {
  does: 'A qode that is not a tokenised form of its body is dropped, and the body is annotated again.',
  mend(body, { qode }) {
    if (!qode || body['qode'] === undefined) return undefined
    const { qode: _, ...rest } = body
    return rest
  },
}

export const wordlessQuadranyms: Repair = {
  does: 'Quadranyms without a word in the text are dropped.',
  mend(body, { q1 = [], q2 = [] }) {
    const gone = wordlessIds([...q1, ...q2])
    if (gone.size === 0) return undefined
    const left = (list: Json | undefined) =>
      ((list ?? []) as readonly JsonObject[]).filter((each) => !gone.has(Number(each['quadranym_id'])))
    return { ...body, q1: left(body['q1']), q2: left(body['q2']) }
  },
}

/** `mark` is the name under which a phrase may hold no token. */
export const tokenless = (mark: string): Repair => ({
  does: `A phrase without a token is named "${mark}", which may have none; its name moves to src if src is empty.`,
  mend(body, { qode }) {
    if (!qode || body['name'] === mark || isBlank(body['qode'])) return undefined
    return { ...body, name: mark, src: isBlank(body['src']) ? body['name']! : body['src']! }
  },
})

function isBlank(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
