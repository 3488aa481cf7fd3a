/** Records that are as large and as entangled as the rules allow, created over HTTP as any user could. */
import type { Topic } from '../../src/web/texts/tokens.ts'
import type { Client } from './client.ts'

export interface Fixtures {
  readonly ids: Readonly<Record<string, number[]>>
  readonly quadranyms: readonly number[]
  readonly phrases: readonly number[]
  readonly topics: readonly Topic[]
}

const SLOTS = ['n', 'e', 'r', 'o', 's']

export async function makeFixtures(client: Client): Promise<Fixtures> {
  const ids: Record<string, number[]> = {}
  const make = async (kind: string, json: object): Promise<any> => {
    const { status, body } = await client.send({
      name: '',
      method: 'POST',
      path: `/api/${kind}/`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
    if (status !== 201) throw new Error(`${kind}: ${status} ${body.toString().slice(0, 300)}`)
    const record = JSON.parse(body.toString())
    ids[kind] = [...(ids[kind] ?? []), record[`${kind}_id`]]
    return record
  }
  const words = ['door', 'open', 'going', 'light', 'sea']
  const topics: Topic[] = []
  for (let i = 0; i < 60; i++) {
    const long = i % 3 === 0
    const term = (slot: string) =>
      long
        ? `${slot}${i} ${'🌊'.repeat(190)}`
        : `${slot === 'n' ? `${words[i % 5]} ${i}` : words[(i + SLOTS.indexOf(slot)) % 5]}`
    topics.push(await make('quadranym', { name: term('n'), e: term('e'), r: term('r'), o: term('o'), s: term('s') }))
  }
  const quadranyms = ids['quadranym']!
  for (let i = 0; i < 60; i++) {
    const terms = Object.fromEntries(
      Array.from({ length: 12 }, (_, p) => [`p${p + 1}`, i % 2 ? `${p} ${'🌊'.repeat(490)}` : `t${(p * i) % 40}`]),
    )
    await make('polynym', { name: `large ${i}`, mode: (['type', 'part', 'step'] as const)[i % 3], ...terms })
  }
  const polynyms = ids['polynym']!
  for (let i = 0; i < 30; i++) await make('polyset', { name: `large ${i}`, polynyms: polynyms.slice(0, 40) })
  for (let i = 0; i < 30; i++) await make('quadraset', { name: `large ${i}`, quadranyms })
  for (let i = 0; i < 10; i++) {
    const columns = Object.fromEntries(polynyms.slice(i, i + 9).map((id, v) => [`v${v + 1}`, id]))
    await make('vectornym', { name: `large ${i}`, ...columns })
    const rows = Object.fromEntries(Array.from({ length: 12 }, (_, r) => [`r${r + 1}`, `t0,IsA,t0`]))
    await make('polymap', { name: `large ${i}`, pa: polynyms[0], pb: polynyms[0], ...(i === 0 ? rows : {}) })
    const wide = Array.from({ length: 1000 }, (_, k) => `q${(k % 990) + 1}${SLOTS[(k + i) % 5]}_NN`)
      .join(' ')
      .slice(0, 8180)
      .replace(/ \S*$/, '')
    await make('fable', { name: `wide ${i}`, qode: `${i} ${wide}` })
    await make('phrase', {
      name: `wide ${i}`,
      qode: `${i} ${Array.from({ length: 560 }, (_, k) => `q1${SLOTS[k % 5]}_NN`).join(' ')}`,
    })
    await make('fortune', {
      body: `${i} ${'door open going light sea '.repeat(150)}`,
      q1: quadranyms.slice(0, 50),
    }).catch(() => {})
  }
  const phrases = ids['phrase']!
  for (let i = 0; i < 3; i++) {
    const lines = Array.from({ length: 17 }, (_, k) => ({ phrase: phrases[k % 10], quadranym: quadranyms[k % 60] }))
    await make('story', { name: `wide ${i}`, lines })
    await make('tale', { name: `wide ${i}`, fable: ids['fable']![i], lines: quadranyms })
  }
  const narrow = await make('phrase', { name: 'narrow', qode: 'the q1n_NN and the q1e_NN' })
  const lines = Array.from({ length: 1000 }, (_, k) => ({ phrase: narrow.phrase_id, quadranym: quadranyms[k % 60] }))
  await make('story', { name: 'long', lines })
  return { ids, quadranyms, phrases, topics }
}
