import { markedBody } from '../texts/marked.ts'
import { MAKER } from './common-facets.ts'
import { FOUND_TOKENS } from './form-words.ts'
import type { KindFile } from './kind.ts'
import { sayingRow } from './rows.ts'
import { annotatorHint, sayingPages } from './saying-pages.ts'

export const fortune: KindFile = {
  name: 'fortune',
  part: 'texts',
  ofTheDay: ['depth__gte=2', 'depth__gte=1'],
  sampled: 'depth__gte=1',
  facets: { depth: 'Topics', ...MAKER },
  shape: 'rows',
  gistOf: ({ src }) => src ?? '',
  textOf: (record) => markedBody(record),
  rowOf: sayingRow('fortune'),
  pages: sayingPages({ name: 'fortune', title: 'Fortune', other: { kind: 'quote', by: 'quadranym' } }),
  form: {
    about: 'A saying, plain or with marked words.',
    shelf: 'Sayings',
    words: { qode: FOUND_TOKENS, quadranyms: { label: 'Quadranyms' } },
    references: { quadranyms: { kind: 'quadranym', many: true } },
    // The API sorts them into q1 and q2.
    merged: { name: 'quadranyms', from: ['q2', 'q1'], into: 'q1' },
    hint: annotatorHint,
  },
}
