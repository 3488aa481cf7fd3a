// @ts-check
// What a picker offers before anything is typed, how it shows phrases, and how a form names a chosen record.
import { ask } from './ask.js'
import { labelAmong, labelsOf } from './naming.js'

/** @typedef {{ id: number, name: string, more: string, record: any }} Found */

const MOST = 8
const LIKED = 'ordering=-likes'
/** Records that were chosen here, by kind and label. @type {Map<string, any>} */
const known = new Map()

/** The shortest label that names the record alone. */
export async function labelFor(/** @type {string} */ kind, /** @type {any} */ record) {
  const same = await ask(`/api/${kind}/?name=${encodeURIComponent(record.name)}&page_size=100`).catch(() => undefined)
  const label = labelAmong(record, same?.json?.results ?? [], kind)
  known.set(`${kind} ${label}`, record)
  return label
}

/** The only record that a typed text names, by the rules of the server: a number, a name, or a name with words. */
export async function namedBy(/** @type {string} */ kind, /** @type {string} */ text) {
  const id = /^(?:.*#)?\s*([1-9][0-9]{0,14})$/s.exec(text)?.[1]
  const numbered = id ? await ask(`/api/${kind}/?id=${id}`) : undefined
  if (numbered?.json?.results?.length === 1) return numbered.json.results[0]
  const end = text.indexOf(': ')
  const names = end > 0 ? [text, text.slice(0, end)] : [text]
  const found = await Promise.all(
    names.map((name) => ask(`/api/${kind}/?name=${encodeURIComponent(name)}&page_size=100`)),
  )
  const records = found.flatMap(({ json }) => json?.results ?? [])
  const named = records.filter((record) => labelsOf(record, kind).includes(text))
  return named.length === 1 ? named[0] : undefined
}

/**
 * @param {string} kind
 * @param {HTMLInputElement} [input]
 */
export function choicesFor(kind, input) {
  const topic = () => input && topicNear(input)
  return {
    /** Before anything is typed: what fits, then what most people like. */
    first: async (/** @type {AbortSignal} */ signal) => {
      const realm = kind === 'phrase' ? topic()?.realm : undefined
      const fitting = realm ? await read(kind, `${LIKED}&realm=${encodeURIComponent(realm)}`, signal) : []
      const liked = fitting.length < MOST ? await read(kind, LIKED, signal) : []
      const different = new Map([...fitting, ...liked].map((record) => [record[`${kind}_id`], record]))
      return [...different.values()].filter(({ name }) => name !== '-').slice(0, MOST)
    },
    /** Phrases are shown as sentences, told with the topic of their line. */
    more: kind === 'phrase' ? (/** @type {any[]} */ records) => sentences(records, topic()) : undefined,
  }
}

/** @returns {Promise<any[]>} */
async function read(/** @type {string} */ kind, /** @type {string} */ query, /** @type {AbortSignal} */ signal) {
  const { status, json } = await ask(`/api/${kind}/?${query}&page_size=${MOST + 1}`, { signal })
  return status === 200 ? json.results : []
}

/** The topic of the line, or of a line before it. */
function topicNear(/** @type {HTMLInputElement} */ input) {
  const row = input.closest('[data-line]')
  const boxes = [...document.querySelectorAll('input[name=line_quadranym]')]
  const before = boxes.filter((box) => row?.contains(box) || box.compareDocumentPosition(input) & 4).reverse()
  for (const box of before) {
    const topic = box instanceof HTMLInputElement && known.get(`quadranym ${box.value}`)
    if (topic) return topic
  }
  return undefined
}

/** @type {Promise<any> | undefined} */
let example

/** @returns {Promise<string[]>} */
async function sentences(/** @type {any[]} */ records, /** @type {any} */ topic) {
  example ??= read('quadranym', LIKED, new AbortController().signal).then(([first]) => first)
  const quadranym = (topic ?? (await example))?.quadranym_id
  if (quadranym === undefined || records.length === 0) return records.map(() => '')
  const phrases = records.map(({ phrase_id }) => phrase_id)
  const json = { phrases, quadranyms: [quadranym], by: 'phrase' }
  const told = await ask('/api/qode/verse/', { method: 'POST', json })
  return records.map((_, i) => told.json?.stanzas?.[i]?.[0]?.text ?? '')
}
