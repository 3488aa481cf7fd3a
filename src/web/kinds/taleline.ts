import { recordAddress } from '../addresses.ts'
import type { KindFile, Shown } from './kind.ts'
import { lineRow } from './rows.ts'

export const taleline: KindFile = {
  name: 'taleline',
  does: 'The topics that tales are told with.',
  part: 'stories',
  shape: 'rows',
  nameOf,
  gistOf: () => '',
  rowOf: (record) => lineRow(recordAddress('tale', record['tale']), nameOf(record), record),
}

function nameOf({ tale, rank }: Shown): string {
  return `${tale.name}, topic ${rank + 1}`
}
