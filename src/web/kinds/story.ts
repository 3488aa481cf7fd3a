import { counted } from '../../language/index.ts'
import { AREA, MAKER, REALM } from './facets.ts'
import type { KindFile } from './kind.ts'

export const story: KindFile = {
  name: 'story',
  does: 'Told line by line: each line a phrase with a topic of its own.',
  part: 'stories',
  facets: { ...REALM, ...AREA, ...MAKER },
  gistOf: ({ length }) => counted(length, 'line'),
}
