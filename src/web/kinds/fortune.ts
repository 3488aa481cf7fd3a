import { markedBody } from '../texts/marked.ts'
import type { KindFile } from './kind.ts'
import { sayingRow } from './rows.ts'
import { sayingPages } from './saying-pages.ts'

export const fortune: KindFile = {
  name: 'fortune',
  does: 'Sayings whose words can give way to terms of quadranyms.',
  part: 'texts',
  facets: { depth: 'Topics' },
  shape: 'rows',
  gistOf: ({ src }) => src ?? '',
  textOf: (record) => markedBody(record),
  rowOf: sayingRow('fortune'),
  pages: sayingPages({ name: 'fortune', title: 'Fortune', other: { kind: 'quote', by: 'quadranym' } }),
}
