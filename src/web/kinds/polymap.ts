import { counted } from '../../language/index.ts'
import { wordAddress } from '../addresses.ts'
import { html } from '../html.ts'
import { label } from '../label.ts'
import { recordLink } from '../links.ts'
import { drawPolymap, type Relation, relationInWords, relationsOf } from '../pictures/index.ts'
import { AREA, MAKER } from './common-facets.ts'
import type { Body, Companion, ExplorerVisit, KindFile, Shown } from './kind.ts'

export const polymap: KindFile = {
  name: 'polymap',
  part: 'sets',
  facets: { ...AREA, ...MAKER },
  gistOf,
  companyOf,
  insideOf: (record) =>
    html`<p class="gist">${gistOf(record)}</p>
      <p class="members">${record['pa'].name} <b aria-label="to">⇄</b> ${record['pb'].name}</p>`,
  draw: drawPolymap,
  body,
  form: {
    about: 'Two polynyms and how the words of one relate to those of the other.',
    shelf: 'Sets',
    relations: true,
    words: { pa: { label: 'First polynym' }, pb: { label: 'Second polynym' } },
    slots: {
      r: {
        label: 'Relations',
        each: 'Relation',
        help: 'Each reads: a word of the first polynym, a relation such as IsA, Causes or PartOf, a word of the second, with commas between them.',
      },
    },
  },
}

function gistOf(record: Shown): string {
  return counted(Object.keys(record).filter((member) => /^r[0-9]+$/.test(member)).length, 'link')
}

function companyOf(record: Shown, isIt: (word: string) => boolean): Companion[] {
  return relationsOf(record).flatMap((each) => {
    if (!('from' in each) || isIt(each.from) === isIt(each.to)) return []
    const { from, name, to } = each
    const relation = relationInWords(name)
    return [isIt(from) ? { text: to, before: relation } : { text: from, after: `${relation} it` }]
  })
}

function body(_visit: ExplorerVisit, record: Shown): Body {
  const relations = relationsOf(record)
  const rows = relations.filter((each): each is Relation => 'from' in each)
  const lost = relations.flatMap((each) => ('row' in each ? [each.row] : []))
  return {
    beside: html`<p class="does">From ${recordLink('polynym', record['pa'])} to ${recordLink('polynym', record['pb'])}.</p>
      ${
        rows.length > 0 &&
        html`<h2>${rows.length} ${label('relation', rows.length === 1 ? 'relation' : 'relations')}</h2>
        <ul class="relations">
          ${rows.map(
            ({ from, name, to }) =>
              html`<li><a href=${wordAddress(from)}>${from}</a> <i>${relationInWords(name)}</i> <a href=${wordAddress(to)}>${to}</a></li>`,
          )}
        </ul>`
      }
      ${
        lost.length > 0 &&
        html`<h2>No longer matches</h2>
        <p class="soft">Written before the polynyms changed:</p>
        <ul>${lost.map((row) => html`<li>${row}</li>`)}</ul>`
      }`,
  }
}
