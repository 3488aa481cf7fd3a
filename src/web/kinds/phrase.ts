import { recordAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import { openText } from '../texts/marked.ts'
import { AREA, MAKER, REALM } from './common-facets.ts'
import type { KindFile, Shown } from './kind.ts'
import { openBody } from './open-text.ts'
import { openRow } from './rows.ts'

/** The phrase that begins a paragraph in a story has no words of its own. */
export const BREAK_NAME = 'New paragraph'

export function isBreak({ name }: Shown): boolean {
  return name === '-'
}

export const phrase: KindFile = {
  name: 'phrase',
  part: 'texts',
  isByChance: false,
  facets: { ...REALM, ...AREA, ...MAKER },
  shape: 'rows',
  nameOf: (record) => (isBreak(record) ? BREAK_NAME : record['name']),
  gistOf: (record) => (isBreak(record) ? 'begins a paragraph in a story' : 'one topic left open'),
  textOf: ({ qode }) => openText(qode),
  rowOf: (record) => (isBreak(record) ? breakRow(record) : openRow('phrase')(record)),
  body: openBody('phrase'),
  form: {
    about: 'A sentence with one topic, to be told with any quadranym.',
    shelf: 'Sayings',
    openTopics: 'one',
  },
}

function breakRow(record: Shown): Content {
  return html`<h3><a href=${recordAddress('phrase', record)}>${BREAK_NAME}</a></h3>
    <p class="soft">Begins a paragraph in a story.</p>`
}
