import { recordAddress } from '../addresses.ts'
import type { KindFile, Shown } from './kind.ts'
import { lineRow } from './rows.ts'

export const storyline: KindFile = {
  name: 'storyline',
  does: 'The lines of stories.',
  part: 'stories',
  shape: 'rows',
  nameOf,
  gistOf: () => '',
  rowOf: (record) => lineRow(recordAddress('story', record['story']), nameOf(record), record),
}

function nameOf({ story, rank }: Shown): string {
  return `${story.name}, line ${rank + 1}`
}
