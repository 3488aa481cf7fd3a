import { openText } from '../texts/marked.ts'
import { AREA, MAKER, REALM } from './common-facets.ts'
import type { KindFile } from './kind.ts'
import { openBody } from './open-text.ts'
import { openRow } from './rows.ts'

export const phrase: KindFile = {
  name: 'phrase',
  part: 'texts',
  isByChance: false,
  facets: { ...REALM, ...AREA, ...MAKER },
  shape: 'rows',
  gistOf: () => 'one topic left open',
  textOf: ({ qode }) => openText(qode),
  rowOf: openRow('phrase'),
  body: openBody('phrase'),
  form: {
    about: 'A sentence with one topic, to be told with any quadranym.',
    shelf: 'Texts',
  },
}
