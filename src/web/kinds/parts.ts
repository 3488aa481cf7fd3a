/** The parts of the site, as its navigation shows them. */
import type { Kind, Part } from './kind.ts'

/** A page for the main kinds of a part. */
export interface Hub {
  readonly part: string
  readonly title: string
  readonly does: string
}

export const HUBS: readonly Hub[] = [
  { part: 'sets', title: 'Sets', does: 'Word sets together: in groups, side by side, or linked to each other.' },
  {
    part: 'texts',
    title: 'Texts',
    does: 'Sayings in which words give way to the terms of quadranyms. Choose another quadranym, and they say something else.',
  },
  {
    part: 'stories',
    title: 'Stories',
    does: 'Longer texts, told line by line or after a fable, each with its own topics.',
  },
]

/** In the order of the navigation. Each kind without a file is a part of its own, and follows these. */
const KNOWN: readonly Part[] = [
  { name: 'polynym', href: '/polynym/', title: 'Polynyms' },
  { name: 'quadranym', href: '/quadranym/', title: 'Quadranyms' },
  ...HUBS.map(({ part, title }) => ({ name: part, href: `/${part}/`, title })),
]

export function partsOf(kinds: readonly Kind[], canAnnotate: boolean): Part[] {
  const main = kinds.filter(({ isMain }) => isMain)
  const plain = main.filter(({ part }) => !KNOWN.some(({ name }) => name === part))
  return [
    ...KNOWN.filter(({ name }) => main.some(({ part }) => part === name)),
    ...plain.map(({ name, many }) => ({ name, href: `/${name}/`, title: many })),
    ...(canAnnotate ? [{ name: 'annotate', href: '/annotate/', title: 'Annotate' }] : []),
  ]
}
