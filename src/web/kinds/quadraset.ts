import { counted } from '../../language/index.ts'
import { drawQuadraset } from '../pictures/index.ts'
import { AREA, MAKER } from './facets.ts'
import { gathered } from './gathered.ts'
import type { KindFile, Shown } from './kind.ts'

export const quadraset: KindFile = {
  name: 'quadraset',
  does: 'Quadranyms gathered under one name.',
  part: 'sets',
  facets: { ...AREA, ...MAKER },
  gistOf,
  insideOf: (record) => gathered(gistOf(record), record['quadranyms']),
  draw: drawQuadraset,
}

function gistOf({ length }: Shown): string {
  return counted(length, 'quadranym')
}
