/** The picture of what is being made, as far as it can be drawn. */
import { type Content, html } from '../../html.ts'
import { drawPolynym, drawQuadranym, inPage } from '../../pictures/index.ts'
import type { Values } from './values.ts'

/** Undefined for kinds that have none. */
export function pictureOf(kind: string, values: Values): Content {
  const value = (member: string) => (values[member] ?? '').trim()
  if (kind === 'quadranym') {
    const [name, e, r, o, s] = ['name', 'e', 'r', 'o', 's'].map(value) as [string, string, string, string, string]
    return inPage(drawQuadranym({ name: name || '?', e, r, o, s }))
  }
  if (kind !== 'polynym') return undefined
  const terms = Array.from({ length: 12 }, (_, i) => value(`p${i + 1}`)).filter((term) => term !== '')
  if (terms.length < 2) return html`<p class="soft">Two words, and it is drawn here.</p>`
  const slots = Object.fromEntries(terms.map((term, i) => [`p${i + 1}`, term]))
  const mode = value('mode') || 'part'
  return inPage(drawPolynym({ name: value('name') || '?', mode, depth: terms.length, ...slots }))
}
