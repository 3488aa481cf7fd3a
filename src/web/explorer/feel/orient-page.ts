/** /feel/orient/: which sets speak of a text, in layers from general to particular. */
import type { PageAnswer } from '../../../http/index.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Kinds } from '../../kinds/index.ts'
import { sectionPage } from '../tell/frame.ts'
import { FEELING, fewWords, textForm } from './feel-section.ts'

const PATH = '/feel/orient/'
const DOES =
  'Type a text, and see which sets speak of it: first those about the kinds of things in it, last those that are about the text itself.'

export const orientPage: ExplorerPage = { path: PATH, title: 'Orient a text', GET: show }

interface FoundSet {
  readonly resource: string
  readonly id: number
  readonly name: string
  readonly words: readonly string[]
}

const LAYERS = [
  { layer: 'general', title: 'General', does: 'They have a word that words of the text are kinds of.' },
  { layer: 'near', title: 'Near', does: 'One of their words is in the text.' },
  { layer: 'particular', title: 'Particular', does: 'Their name, or several of their words, are in the text.' },
] as const

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const text = visit.query.get('text')?.trim() ?? ''
  const asked = text === '' ? undefined : await visit.ask(`/api/orient/?text=${encodeURIComponent(text)}`)
  const isRefused = asked !== undefined && asked.status !== 200
  const found = asked && !isRefused ? asked.json : undefined
  return sectionPage(visit, FEELING, {
    title: 'Orient a text',
    does: DOES,
    beginning: undefined,
    status: isRefused ? asked.status : 200,
    faults: isRefused ? Object.values(asked.json).flat().map(String) : [],
    main: html`${textForm(PATH, text)}
      ${found && html`<div class="layers">${LAYERS.map((layer) => layerOf(layer, found[layer.layer], visit.kinds))}</div>`}
      ${found && !found.imported && fewWords()}`,
  })
}

function layerOf({ layer, title, does }: (typeof LAYERS)[number], sets: readonly FoundSet[], kinds: Kinds): Content {
  return html`<section class=${`layer ${layer}`}>
    <h2>${title}</h2>
    <p class="soft">${does}</p>
    ${sets.length === 0 && html`<p>None.</p>`}
    <ul class="hits">
      ${sets.map(
        ({ resource, id, name, words }) => html`<li>
          <a href=${`/${resource}/${id}/`}>${name}</a> <span class="soft">${kinds.get(resource).one.toLowerCase()}, for ${words.join(', ')}</span>
        </li>`,
      )}
    </ul>
  </section>`
}
