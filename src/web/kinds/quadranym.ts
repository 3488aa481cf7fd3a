import type { Kind } from './index.ts'

export const quadranym: Kind = {
  title: 'Quadranym',
  part: 'quadranym',
  nameOf: ({ name }) => name,
}
