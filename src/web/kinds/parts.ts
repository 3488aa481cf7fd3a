/** The parts of the site, as its navigation shows them. */
import type { Kind, Part } from './kind.ts'

/** A page for the main kinds of a part. */
export interface Hub {
  readonly part: string
  readonly title: string
  /** The heading of its page, if one of its kinds has the name of the part. */
  readonly heading?: string
  readonly does: string
}

export const HUBS: readonly Hub[] = [
  {
    part: 'sets',
    title: 'Sets',
    does: 'Words that belong together: a topic and its four words, parts, types and steps; and sets of such sets.',
  },
  {
    part: 'texts',
    title: 'Sayings',
    does: 'Short texts in which the words of a topic are marked. Choose another topic, and they say something else.',
  },
  {
    part: 'stories',
    title: 'Stories',
    heading: 'Stories, tales and fables',
    does: 'Longer texts, told line by line or after a fable, each with topics of its own.',
  },
]

/** For catalogues whose sets have words that can be looked up. */
const WORDS: Part = { name: 'words', href: '/words/', title: 'Words' }

/** For catalogues with winners. */
const PLAY: Part = { name: 'play', href: '/play/', title: 'Play' }

/** The parts that every catalogue has. */
const ALWAYS: readonly Part[] = [
  { name: 'make', href: '/make/', title: 'Make' },
  { name: 'learn', href: '/learn/', title: 'Learn' },
]

/** In the order of the navigation. Each kind without a file is a part of its own, between the hubs and the rest. */
export function partsOf(kinds: readonly Kind[]): Part[] {
  const main = kinds.filter(({ isMain }) => isMain)
  const words = kinds.some(({ hasTerms }) => hasTerms) ? [WORDS] : []
  const play = kinds.some(({ name }) => name === 'winner') ? [PLAY] : []
  const plain = main.filter(({ part }) => !HUBS.some((hub) => hub.part === part))
  return [
    ...words,
    ...HUBS.filter((hub) => main.some(({ part }) => part === hub.part)).map(({ part, title }) => ({
      name: part,
      href: `/${part}/`,
      title,
    })),
    ...plain.map(({ name, many }) => ({ name, href: `/${name}/`, title: many })),
    ...play,
    ...ALWAYS,
  ]
}
