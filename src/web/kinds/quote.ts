import { markedBody } from '../texts/marked.ts'
import { MAKER } from './common-facets.ts'
import { FOUND_TOKENS } from './form-words.ts'
import type { KindFile } from './kind.ts'
import { sayingRow } from './rows.ts'
import { annotatorHint, sayingPages } from './saying-pages.ts'

export const quote: KindFile = {
  name: 'quote',
  part: 'texts',
  ofTheDay: ['width__gte=2', ''],
  facets: { src: 'Author', ...MAKER },
  shape: 'rows',
  gistOf: ({ src }) => src ?? '',
  textOf: (record) => markedBody(record),
  rowOf: sayingRow('quote'),
  pages: sayingPages({ name: 'quote', title: 'Quote', other: { kind: 'fortune', by: 'q2' } }),
  form: {
    about: 'A quotation, its author, and one quadranym.',
    shelf: 'Sayings',
    words: { qode: FOUND_TOKENS, src: { label: 'Author' }, quadranym: { label: 'Quadranym' } },
    hint: annotatorHint,
  },
}
