import type { KindFile } from './kind.ts'

export const queue: KindFile = {
  name: 'queue',
  one: 'Wanted topic',
  many: 'Wanted topics',
  does: 'Topics that somebody would like to see a quadranym for.',
  part: 'quadranym',
  isMain: false,
  isByChance: false,
  facets: {},
  shape: 'chips',
  gistOf: () => 'wanted',
}
