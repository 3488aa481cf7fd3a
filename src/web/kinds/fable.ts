import { counted } from '../../language/index.ts'
import { openText } from '../texts/marked.ts'
import { AREA, MAKER, REALM } from './common-facets.ts'
import type { KindFile } from './kind.ts'
import { openBody } from './open-text.ts'
import { openRow } from './rows.ts'

export const fable: KindFile = {
  name: 'fable',
  part: 'stories',
  isByChance: false,
  facets: { ...REALM, ...AREA, length: 'Topics', ...MAKER },
  shape: 'rows',
  gistOf: ({ length }) => `${counted(length, 'topic')} left open`,
  textOf: ({ qode }) => openText(qode),
  rowOf: openRow('fable'),
  body: openBody('fable'),
  form: {
    about: 'A text with several topics, left open.',
    shelf: 'Stories',
    openTopics: 'many',
  },
}
