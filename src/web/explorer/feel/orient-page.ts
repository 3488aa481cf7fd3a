/** /feel/orient/: which sets speak of a text, in layers from general to particular. */
import type { PageAnswer } from '../../../http/index.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Kinds } from '../../kinds/index.ts'
import { shortened } from '../../texts/marked.ts'
import { readByIds } from '../tell/choice.ts'
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
  const senses = found
    ? await sensesOf(
        visit,
        LAYERS.flatMap(({ layer }): readonly FoundSet[] => found[layer]),
      )
    : NONE
  return sectionPage(visit, FEELING, {
    title: 'Orient a text',
    does: DOES,
    beginning: undefined,
    status: isRefused ? asked.status : 200,
    faults: isRefused ? Object.values(asked.json).flat().map(String) : [],
    main: html`${textForm(PATH, text)}
      ${found && html`<div class="layers">${LAYERS.map((layer) => layerOf(layer, found[layer.layer], visit.kinds, senses))}</div>`}
      ${found && !found.imported && fewWords()}`,
  })
}

type Senses = ReadonlyMap<string, string>
const NONE: Senses = new Map()
const LONGEST_SENSE = 40
const keyOf = ({ resource, id }: FoundSet) => `${resource} ${id}`

/** Sets of the same name are told apart by their words. */
async function sensesOf(visit: ExplorerVisit, sets: readonly FoundSet[]): Promise<Senses> {
  const twins = sets.filter(({ resource, id, name }) =>
    sets.some((other) => other.name === name && other.resource === resource && other.id !== id),
  )
  const resources = [...new Set(twins.map(({ resource }) => resource))]
  const senses = resources.map(async (resource) => {
    const { senseOf, detailOf, gistOf } = visit.kinds.get(resource)
    const ids = twins.flatMap((each) => (each.resource === resource ? [String(each.id)] : []))
    const records = await readByIds(visit, resource, ids)
    return Array.from(records, ([id, record]): [string, string] => [
      `${resource} ${id}`,
      senseOf?.(record) ?? shortened((detailOf ?? gistOf)(record), LONGEST_SENSE),
    ])
  })
  return new Map((await Promise.all(senses)).flat())
}

function layerOf(
  { layer, title, does }: (typeof LAYERS)[number],
  sets: readonly FoundSet[],
  kinds: Kinds,
  senses: Senses,
): Content {
  return html`<section class=${`layer ${layer}`}>
    <h2>${title}</h2>
    <p class="soft">${does}</p>
    ${sets.length === 0 && html`<p>None.</p>`}
    <ul class="hits">
      ${sets.map((set) => {
        const { resource, id, name, words } = set
        const sense = senses.get(keyOf(set))
        return html`<li>
          <a href=${`/${resource}/${id}/`}>${name}</a>${sense && ` (${sense})`} <span class="soft">${kinds.get(resource).one.toLowerCase()}, for ${words.join(', ')}</span>
        </li>`
      })}
    </ul>
  </section>`
}
