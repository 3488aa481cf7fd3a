import { counted } from '../../language/index.ts'
import { drawPolyset } from '../pictures/index.ts'
import { AREA, MAKER } from './facets.ts'
import { gathered } from './gathered.ts'
import type { KindFile, Shown } from './kind.ts'

export const polyset: KindFile = {
  name: 'polyset',
  does: 'Polynyms gathered under one name.',
  part: 'sets',
  facets: { ...AREA, ...MAKER },
  gistOf,
  insideOf: (record) => gathered(gistOf(record), record['polynyms']),
  draw: drawPolyset,
}

function gistOf({ length }: Shown): string {
  return counted(length, 'polynym')
}
