/**
 * What there is to do here: one list, which /explore/ shows, and the pages of the parts that it belongs to. A new activity
 * is an entry.
 */
import { type Content, html } from '../html.ts'
import type { Kinds } from '../kinds/index.ts'

export interface Activity {
  readonly title: string
  readonly href: string
  /** What a visitor does there, in one sentence. */
  readonly does: string
  /** The kinds of records that it needs. */
  readonly of: readonly string[]
  /** The part of the site whose page links to it. */
  readonly part?: string
  /** 56 by 36. The classes are those of compare.css. */
  readonly picture: Content
}

export interface ActivityGroup {
  readonly title: string
  readonly activities: readonly Activity[]
}

const TELLING = ['phrase', 'quadranym', 'fable', 'story', 'tale']

/** The tiles of a board: the words of each row belong together. */
const TILES = ['e', 'n', 'o', 's'].flatMap((slot, row) =>
  [8, 18.5, 29, 39.5].map((x) => html`<rect class=${slot} x=${x} y=${1 + 9 * row} width="8.5" height="7" rx="2" />`),
)

const GROUPS: readonly ActivityGroup[] = [
  {
    title: 'See and compare',
    activities: [
      {
        title: 'Compare sets',
        href: '/compare/',
        does: 'Choose two to twenty sets, and see what they share, as a cross, a table or algebra.',
        of: ['polynym'],
        part: 'sets',
        picture: html`<circle class="s" cx="20" cy="18" r="14" /><circle class="o" cx="36" cy="18" r="14" />
          <path class="full" d="M28 6.5a14 14 0 0 1 0 23a14 14 0 0 1 0-23z" />`,
      },
      {
        title: 'Nested quadranyms',
        href: '/nested/',
        does: 'Open the words of a quadranym in place: a word may be the topic of another one.',
        of: ['quadranym'],
        part: 'sets',
        picture: html`<rect class="n" x="4" y="3" width="48" height="30" rx="7" /><rect class="s" x="10" y="9" width="26" height="18" rx="5" />
          <rect class="e" x="15" y="14" width="12" height="8" rx="3" /><circle class="full" cx="44" cy="18" r="3" />`,
      },
      {
        title: 'Charts',
        href: '/charts/',
        does: 'See the catalogue in numbers: areas, sources, words, and how sets hang together.',
        of: ['polynym'],
        part: 'sets',
        picture: html`<path class="full" d="M6 22h8v11H6zM18 15h8v18h-8zM30 19h8v14h-8zM42 5h8v28h-8z" />`,
      },
      {
        title: 'Maps of words',
        href: '/words/',
        does: 'Look up a word, and walk from word to word through the sets that have them.',
        of: ['polynym'],
        picture: html`<path class="line" d="M28 18L9 8M28 18L47 7M28 18L8 29M28 18L48 28" /><circle class="full" cx="28" cy="18" r="6" />
          <circle class="e" cx="9" cy="8" r="4" /><circle class="o" cx="47" cy="7" r="4" /><circle class="s" cx="8" cy="29" r="4" />
          <circle class="r" cx="48" cy="28" r="4" />`,
      },
    ],
  },
  {
    title: 'Tell',
    activities: [
      {
        title: 'Phrases times topics',
        href: '/tell/',
        does: 'Seven phrases, each told with seven topics: press sentences into a book.',
        of: TELLING,
        part: 'stories',
        picture: html`<path class="line" d="M6 4v28M6 32h44M20 4v28M34 4v28M6 18h44" /><circle class="full" cx="13" cy="11" r="3.5" />
          <circle class="full" cx="41" cy="11" r="3.5" /><circle class="full" cx="27" cy="25" r="3.5" />`,
      },
      {
        title: 'Verses',
        href: '/tell/verse/',
        does: 'Tell phrases and topics of your choice as a poem.',
        of: TELLING,
        part: 'stories',
        picture: html`<path class="line thick" d="M8 7h30M14 15h34M8 23h26M14 31h30" />`,
      },
      {
        title: 'Tales',
        href: '/tell/tale/',
        does: 'Tell a fable with topics of your choice, in any order.',
        of: TELLING,
        part: 'stories',
        picture: html`<path class="paper" d="M28 8C22 4 13 4 6 6v24c7-2 16-2 22 2c6-4 15-4 22-2V6c-7-2-16-2-22 2z" /><path class="line" d="M28 8v24" />`,
      },
      {
        title: 'Turn a text',
        href: '/turn/',
        does: 'Paste a text of your own, and tell it with other topics.',
        of: ['quadranym', 'fortune', 'quote'],
        part: 'texts',
        picture: html`<path class="line thick" d="M14 21a14 12 0 0 0 26 3M42 15a14 12 0 0 0-26-3" /><path class="full" d="M46 9l-3 10l-9-5zM10 27l3-10l9 5z" />`,
      },
    ],
  },
  {
    title: 'Ask about a text',
    activities: [
      {
        title: 'Feel',
        href: '/feel/',
        does: 'Type a text or a few words, and see which mood, humour or element is nearest.',
        of: ['polynym'],
        part: 'texts',
        picture: html`<path class="e" d="M28 32C10 21 8 14 12 8c5-6 13-3 16 3c3-6 11-9 16-3c4 6 2 13-16 24z" />`,
      },
      {
        title: 'Orient a text',
        href: '/feel/orient/',
        does: 'See which sets speak of a text, from the general to the particular.',
        of: ['polynym', 'quadranym'],
        part: 'texts',
        picture: html`<circle class="n" cx="28" cy="18" r="15" /><circle class="s" cx="28" cy="18" r="10" />
          <circle class="full" cx="28" cy="18" r="4" />`,
      },
    ],
  },
  {
    title: 'Play',
    activities: [
      {
        title: 'Sets of the day',
        href: '/play/sets/',
        does: 'Sixteen words hide four sets of four. One board a day, the same for everybody.',
        of: ['winner', 'polynym'],
        picture: html`${TILES}`,
      },
      {
        title: 'Games',
        href: '/play/',
        does: 'Find missing words, and tell real quotes from turned ones. Ten rounds make a game.',
        of: ['winner', 'polynym', 'quadranym', 'quote'],
        picture: html`<rect class="n" x="4" y="6" width="14" height="24" rx="4" /><rect class="s" x="38" y="6" width="14" height="24" rx="4" />
          <rect class="paper" x="21" y="6" width="14" height="24" rx="4" /><path class="line thick" d="M25 14a3 3 0 1 1 3.5 3v3M28 25v.5" />`,
      },
    ],
  },
  {
    title: 'Judge',
    activities: [
      {
        title: 'Judge phrases',
        href: '/bench/',
        does: 'Say with one key whether a phrase reads well with a topic, and see what others say.',
        of: ['phrase', 'quadranym'],
        part: 'texts',
        picture: html`<rect class="n" x="4" y="5" width="22" height="26" rx="5" /><rect class="s" x="30" y="5" width="22" height="26" rx="5" />
          <path class="line thick" d="M10 18l4 5l7-10M37 14l8 8M45 14l-8 8" />`,
      },
    ],
  },
  {
    title: 'Make and meet',
    activities: [
      {
        title: 'Posters',
        href: '/posters/',
        does: 'Print a set on a sheet of paper: words as a pattern, a quadranym, or many sets at once.',
        of: ['polynym', 'quadranym'],
        part: 'sets',
        picture: ['e', 'n', 'r', 'o', 's', 'n', 'r', 'o', 's', 'e', 'r', 'o', 's', 'e', 'n'].map(
          (slot, i) =>
            html`<rect class=${slot} x=${4 + (i % 5) * 10} y=${3 + Math.floor(i / 5) * 10.5} width="8" height="8.5" rx="2" />`,
        ),
      },
      {
        title: 'A random page',
        href: '/random/',
        does: 'See something that you did not look for.',
        of: [],
        picture: html`<rect class="paper" x="13" y="3" width="30" height="30" rx="7" /><circle class="full" cx="21" cy="11" r="3" />
          <circle class="full" cx="35" cy="11" r="3" /><circle class="full" cx="28" cy="18" r="3" /><circle class="full" cx="21" cy="25" r="3" />
          <circle class="full" cx="35" cy="25" r="3" />`,
      },
      {
        title: 'Make',
        href: '/make/',
        does: 'Add a set, a saying or a story of your own.',
        of: [],
        picture: html`<rect class="paper" x="13" y="3" width="30" height="30" rx="7" /><path class="line thick" d="M28 10v16M20 18h16" />`,
      },
      {
        title: 'People',
        href: '/people/',
        does: 'See who has made what, and what others like.',
        of: [],
        picture: html`<circle class="e" cx="19" cy="12" r="6" /><circle class="o" cx="37" cy="12" r="6" />
          <path class="e" d="M8 32a11 10 0 0 1 22 0z" /><path class="o" d="M26 32a11 10 0 0 1 22 0z" />`,
      },
    ],
  },
]

/** Those that the catalogue has the records for. */
export function activitiesFor({ find }: Kinds): readonly ActivityGroup[] {
  return GROUPS.map(({ title, activities }) => ({
    title,
    activities: activities.filter(({ of }) => of.every((name) => find(name))),
  })).filter(({ activities }) => activities.length > 0)
}

/** Those that a part of the site links to. */
export function activitiesIn(part: string, kinds: Kinds): readonly Activity[] {
  return activitiesFor(kinds).flatMap(({ activities }) => activities.filter((each) => each.part === part))
}
