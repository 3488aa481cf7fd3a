// @ts-check
// The state of the annotator: a text, its quadranyms and its marks, with undo and redo. Nothing here draws.
import { ask } from './ask.js'

/** @typedef {{ quadranym_id: number, name: string, e: string, r: string, o: string, s: string }} Topic */
/** @typedef {{ offset: number, length: number, topic: number, slot: string, tag: string, margin?: number }} Mark */
/** @typedef {{ offset: number, length: number, tag: string }} Word */
/** @typedef {{ text: string, topics: Topic[], marks: Mark[], src: string, kind: 'fortune' | 'quote' }} Work */
/** @typedef {{ qode: string, subs: string, depth: number, used: number[], becomes: (string | null)[], marks: Mark[] }} Settled */

export const SLOTS = { n: 'name', e: 'expansive', r: 'reductive', o: 'objective', s: 'subjective' }
export const TAGS = 'NN NNS NNP NNPS VB VBD VBG VBN VBP VBZ JJ JJR JJS RB RBR RBS IN RP TO DT CD PRP PRP$ MD WRB UH'
  .split(' ')
  .filter((tag) => /^[A-Z]+$/.test(tag))
const MOST_STEPS = 200

export const EMPTY = /** @type {Settled} */ ({ qode: '', subs: '', depth: 0, used: [], becomes: [], marks: [] })

export function termOf(/** @type {Topic} */ topic, /** @type {string} */ slot) {
  return slot === 'n' ? topic.name : topic[/** @type {'e'} */ (slot)]
}

/** @typedef {{ now: Work, past: Work[], future: Work[] }} History */

/** @returns {History} */
export function begin(/** @type {Work} */ now) {
  return { now, past: [], future: [] }
}

/**
 * Every change goes through here; typing an author is one step, however many letters it has.
 * @param {History} history
 * @param {{ to: Partial<Work>, quiet?: boolean } | 'undo' | 'redo'} step
 * @returns {History}
 */
export function move({ now, past, future }, step) {
  if (step === 'undo') {
    const before = past.at(-1)
    return before ? { now: before, past: past.slice(0, -1), future: [now, ...future] } : { now, past, future }
  }
  if (step === 'redo') {
    const [after, ...rest] = future
    return after ? { now: after, past: [...past, now], future: rest } : { now, past, future }
  }
  const next = { ...now, ...step.to }
  return step.quiet ? { now: next, past, future } : { now: next, past: [...past, now].slice(-MOST_STEPS), future: [] }
}

/** The marks with one word marked again. @returns {Mark[]} */
export function withMark(/** @type {Mark[]} */ marks, /** @type {Mark} */ mark) {
  return [...marks.filter(({ offset }) => offset !== mark.offset), mark].sort((a, b) => a.offset - b.offset)
}

/** @returns {Mark[]} */
export function withoutMark(/** @type {Mark[]} */ marks, /** @type {number} */ at) {
  return marks.filter(({ offset }) => offset !== at)
}

const slim = (/** @type {any} */ record) => {
  const { quadranym_id, name, e, r, o, s } = record
  return /** @type {Topic} */ ({ quadranym_id, name, e, r, o, s })
}

/** The API counts characters, browsers count UTF-16 units. @returns {Mark[]} */
function marksOf(/** @type {string} */ text, /** @type {any[]} */ tokens, /** @type {Topic[]} */ topics) {
  const letters = [...text]
  return tokens.map(({ word, offset, index, slot, tag, margin }) => {
    const start = letters.slice(0, offset).join('').length
    return { offset: start, length: word.length, topic: topics[index - 1]?.quadranym_id ?? 0, slot, tag, margin }
  })
}

/**
 * The quadranyms that fit a text, and their words.
 * @param {string} text
 * @param {Topic[]} [given]
 */
export async function suggest(text, given = []) {
  const json = { text, ...(given.length > 0 ? { quadranyms: given.map(({ quadranym_id }) => quadranym_id) } : {}) }
  const answer = await ask('/api/qode/annotate/', { method: 'POST', json })
  if (answer.status !== 200)
    return { fault: answer.json?.text?.join(' ') ?? answer.json?.detail ?? 'That did not work.' }
  const { q1, q2, tokens, suggested } = answer.json
  const fitting = suggested.map((/** @type {any} */ each) => slim(each.quadranym))
  const matched = new Set([...q1, ...q2].map((each) => each.quadranym_id))
  const topics =
    given.length > 0 ? given : fitting.filter((/** @type {Topic} */ each) => matched.has(each.quadranym_id))
  return { topics, marks: marksOf(text, tokens, topics), suggested: fitting }
}

/** @returns {Promise<Word[]>} */
export async function wordsOf(/** @type {string} */ text) {
  const { json } = await ask('/annotate/words/', { method: 'POST', json: { state: JSON.stringify({ text }) } })
  return json?.words ?? []
}

/** @returns {Promise<Settled>} */
export async function settle(/** @type {Work} */ { text, topics, marks }) {
  const state = JSON.stringify({ text, topics, marks })
  const { json } = await ask('/annotate/settle/', { method: 'POST', json: { state } })
  return json?.qode === undefined ? EMPTY : json
}

/** @type {{ body: string, key: string } | undefined} */
let sent

/** A save whose response was lost is not made twice. */
function keyFor(/** @type {string} */ body) {
  if (sent?.body !== body) sent = { body, key: `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}` }
  return sent.key
}

/**
 * Whether the visitor may save. This asks in a way that is never refused: browsers answer 401 with a password window.
 * @param {string} kind
 * @param {number | undefined} id
 */
async function refusalOf(kind, id) {
  const options = await ask(`/api/${kind}/`, { method: 'OPTIONS' })
  if (!options.json?.actions) return { status: 401, json: {} }
  if (id === undefined) return undefined
  const own = await ask(`/api/${kind}/${id}/`, { method: 'OPTIONS' })
  if (own.status !== 200) return own
  return own.json?.actions ? undefined : { status: 403, json: { detail: 'Only its owner can change it.' } }
}

/**
 * @param {Work} work
 * @param {{ id: number | undefined, etag: string | undefined }} record The record that is changed, as it was opened.
 */
export async function save(work, { id, etag }) {
  const { kind, text, src } = work
  const refusal = await refusalOf(kind, id)
  if (refusal) return refusal
  const { qode, used } = await settle(work)
  if (kind === 'quote' && used.length !== 1) {
    const why =
      used.length === 0 ? 'A quote needs words of one quadranym.' : 'A quote has one quadranym only: keep one.'
    return { status: 400, json: { quadranym: [why] } }
  }
  const json = kind === 'quote' ? { body: text, qode, src, quadranym: used[0] } : { body: text, qode, q1: used, q2: [] }
  if (id !== undefined) {
    const condition = etag === undefined ? {} : { headers: { 'if-match': etag } }
    return await ask(`/api/${kind}/${id}/`, { method: 'PUT', json, ...condition })
  }
  const headers = { 'idempotency-key': keyFor(JSON.stringify(json)) }
  return await ask(`/api/${kind}/`, { method: 'POST', json, headers })
}

// The draft: unsaved work, kept in this browser until it is saved.

/** @returns {{ work: Work, suggested: Topic[], words?: Word[], settled?: Settled, etag?: string } | undefined} */
export function readDraft(/** @type {string} */ place) {
  try {
    const draft = JSON.parse(localStorage.getItem(place) ?? '')
    return typeof draft?.work?.text === 'string' && Array.isArray(draft.work.marks) ? draft : undefined
  } catch {
    return undefined
  }
}

export function keepDraft(/** @type {string} */ place, /** @type {unknown} */ draft) {
  try {
    if (draft === undefined) localStorage.removeItem(place)
    else localStorage.setItem(place, JSON.stringify(draft))
  } catch {
    // Without storage, the annotator still works.
  }
}

export function isKept(/** @type {string} */ place) {
  try {
    return localStorage.getItem(place) !== null
  } catch {
    return false
  }
}
