// @ts-check
// A text told with other topics, while it is being written or marked.
import { ask } from './ask.js'
import { Chooser } from './chooser.js'
import { html, useEffect, useMemo, useState } from './preact.js'

/** @typedef {{ text: string, spans: { offset: number, length: number, index: number, slot: string, fits?: false }[] }} Told */
/** @typedef {{ quadranym_id: number, name: string, e: string, r: string, o: string, s: string }} Topic */

/** How many topics are asked for at once; those without a word that the text needs are left out. */
const POOL = 40
/** How often other topics are tried if a word does not fit. */
const MOST_TRIED = 3

/** The first letters of the tags that a part of speech has. */
const TAG_STARTS = new Map(Object.entries({ NN: 'NN', VB: 'VB', ADJ: 'JJ' }))

/**
 * Random topics that have all the words that a text needs. Those whose words have the right parts of speech come first.
 * @returns {Promise<Topic[]>}
 */
export async function someTopics(/** @type {string} */ qode) {
  const { status, json } = await ask(`/api/quadranym/random/?n=${POOL}`)
  if (status !== 200) return []
  const tokens = Array.from(qode.matchAll(/q[0-9]+([neros])[_^]([A-Z]+)/g), ([, slot = '', tag = '']) => ({
    slot,
    tag,
  }))
  const isWord = (/** @type {unknown} */ term) => typeof term === 'string' && !/^_*$/.test(term)
  const has = (/** @type {any} */ topic) => tokens.every(({ slot }) => slot === 'n' || isWord(topic[slot]))
  const fits = (/** @type {any} */ topic) =>
    tokens.every(({ slot, tag }) => {
      const start = TAG_STARTS.get(topic[slot === 'n' ? 'pos' : `${slot}pos`] ?? '')
      return start !== undefined && tag.startsWith(start)
    })
  return json.results
    .filter(has)
    .sort((/** @type {any} */ a, /** @type {any} */ b) => Number(fits(b)) - Number(fits(a)))
}

/** @returns {Promise<Told | undefined>} */
export async function tell(/** @type {string} */ qode, /** @type {number[]} */ quadranyms) {
  const { status, json } = await ask('/api/qode/spin/', { method: 'POST', json: { qode, quadranyms } })
  return status === 200 ? json : undefined
}

/** Where in the list of topics the first ones are that fit, as far as it is tried. */
async function firstFitting(/** @type {string} */ qode, /** @type {number} */ count, /** @type {Topic[]} */ topics) {
  let at = 0
  for (let tried = 0; tried < MOST_TRIED && at + 2 * count <= topics.length; tried++) {
    const ids = topics.slice(at, at + count).map(({ quadranym_id }) => quadranym_id)
    const told = await tell(qode, ids)
    if (!told || told.spans.every(({ fits }) => fits !== false)) return at
    at += count
  }
  return at
}

/** The told text, its filled words in the colours of their slots. */
export function Marked(/** @type {{ told: Told }} */ { told }) {
  const letters = [...told.text]
  const parts = []
  let done = 0
  for (const { offset, length, slot } of told.spans) {
    const word = letters.slice(offset, offset + length).join('')
    parts.push(letters.slice(done, offset).join(''), html`<span class=${`tok ${slot}`}>${word}</span>`)
    done = offset + length
  }
  return [...parts, letters.slice(done).join('')]
}

/** The text of the annotator with other topics: all turned at once, or one chosen by name. */
export function Turned(/** @type {{ text: string, qode: string, used: number[], topics: Topic[] }} */ given) {
  const { text, qode, used, topics } = given
  const own = useMemo(() => {
    return used.flatMap((id) => topics.find(({ quadranym_id }) => quadranym_id === id) ?? [])
  }, [used.join(), topics])
  const [pool, setPool] = useState(/** @type {Topic[]} */ ([]))
  const [chosen, setChosen] = useState(/** @type {(Topic | undefined)[]} */ ([]))
  const [told, setTold] = useState(/** @type {Told | undefined} */ (undefined))
  const turn = async () => {
    const isUsed = (/** @type {Topic} */ { quadranym_id }) => used.includes(quadranym_id)
    const left =
      pool.length >= used.length ? pool : (await someTopics(qode).catch(() => [])).filter((each) => !isUsed(each))
    const at = await firstFitting(qode, used.length, left).catch(() => 0)
    setChosen(used.map((_, i) => left[at + i]))
    setPool(left.slice(at + used.length))
  }
  const next = own.map((topic, i) => chosen[i] ?? topic)
  const ids = next.map(({ quadranym_id }) => quadranym_id)
  useEffect(() => {
    if (qode !== '' && chosen.length < used.length) turn()
  }, [qode, used.length])
  useEffect(() => {
    let isOld = false
    if (qode === '' || ids.length === 0) setTold(undefined)
    // Until other topics are found, it would be told with its own.
    else if (chosen.length >= used.length)
      tell(qode, ids).then(
        (found) => isOld || setTold(found),
        () => {},
      )
    return () => {
      isOld = true
    }
  }, [qode, ids.join(), chosen.length < used.length])
  const choose = (/** @type {number} */ at, /** @type {Topic} */ topic) => {
    setChosen(own.map((_, i) => (i === at ? topic : chosen[i])))
  }
  return html`<section class="turned" aria-labelledby="turned-title">
    <h2 id="turned-title">Told with other topics</h2>
    ${qode === '' && html`<p class="soft">Mark a word, and the text can be told with other topics.</p>`}
    ${
      qode !== '' &&
      html`<p class="text" aria-live="polite" aria-busy=${told ? undefined : 'true'}><${Marked} told=${told ?? { text, spans: [] }} /></p>
      <p class="chips"><button type="button" class="btn" onClick=${turn}>Turn it again</button></p>
      <ul class="swaps">${own.map(
        (
          topic,
          i,
        ) => html`<li key=${topic.quadranym_id}><span><b>${topic.name}</b> <span aria-label="becomes">→</span> <b>${next[i]?.name}</b></span>
        <${Chooser} label=${`Another topic in place of ${topic.name}`} choose=${(/** @type {Topic} */ found) => choose(i, found)} /></li>`,
      )}</ul>`
    }
  </section>`
}
