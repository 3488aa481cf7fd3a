import { counted } from '../../language/index.ts'
import { columnsOf, drawVectornym } from '../pictures/index.ts'
import { AREA, MAKER, REALM } from './facets.ts'
import { gathered } from './gathered.ts'
import type { KindFile, Shown } from './kind.ts'

export const vectornym: KindFile = {
  name: 'vectornym',
  does: 'Polynyms side by side, like the columns of a table.',
  part: 'sets',
  facets: { ...REALM, ...AREA, ...MAKER },
  gistOf,
  insideOf: (record) => gathered(gistOf(record), columnsOf(record)),
  draw: drawVectornym,
}

function gistOf({ length, depth }: Shown): string {
  return `${counted(length, 'column')}, ${counted(depth, 'row')}`
}
