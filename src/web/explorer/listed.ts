/** The kinds of records as lists show them: what they are called, what they are, what they can be narrowed by. */

export interface Listed {
  readonly kind: string
  /** Of one, and of several. */
  readonly one: string
  readonly many: string
  readonly does: string
  /** Which part of the site it belongs to; see layout.ts. */
  readonly part: string
  /** Members to narrow by, and what they are called. */
  readonly facets: Readonly<Record<string, string>>
  /** Can it be liked? */
  readonly liked: boolean
  /** Has it a member that names who made it? */
  readonly owned: boolean
  readonly shape: 'cards' | 'rows' | 'chips'
  /** The order it comes in, where that is not the alphabet. */
  readonly order?: string
}

const AREA = { area: 'Area' }
const USER = { user: 'Maker' }
const REALM = { realm: 'Realm' }
const OWN = { liked: true, owned: true, shape: 'cards' } as const
const TEXT = { liked: false, owned: false, shape: 'rows' } as const

// biome-ignore format: a kind reads like a row of a table.
export const listed: readonly Listed[] = [
  { kind: 'quadranym', one: 'Quadranym', many: 'Quadranyms', part: 'quadranym', ...OWN,
    does: 'A topic and its four poles: expansive against reductive, objective against subjective.',
    facets: { ...REALM, ...AREA, ...USER } },
  { kind: 'polynym', one: 'Polynym', many: 'Polynyms', part: 'polynym', ...OWN,
    does: 'Something that comes in two to twelve: its parts, its types or its steps.',
    facets: { mode: 'Mode', ...AREA, depth: 'Terms', ...USER } },
  { kind: 'polyset', one: 'Polyset', many: 'Polysets', part: 'sets', ...OWN,
    does: 'Polynyms gathered under one name.', facets: { ...AREA, ...USER } },
  { kind: 'quadraset', one: 'Quadraset', many: 'Quadrasets', part: 'sets', ...OWN, liked: false,
    does: 'Quadranyms gathered under one name.', facets: { ...AREA, ...USER } },
  { kind: 'vectornym', one: 'Vectornym', many: 'Vectornyms', part: 'sets', ...OWN,
    does: 'Polynyms side by side, like the columns of a table.', facets: { ...REALM, ...AREA, ...USER } },
  { kind: 'polymap', one: 'Polymap', many: 'Polymaps', part: 'sets', ...OWN,
    does: 'Two polynyms, and how the terms of one belong to the terms of the other.', facets: { ...AREA, ...USER } },
  { kind: 'fortune', one: 'Fortune', many: 'Fortunes', part: 'texts', ...TEXT,
    does: 'Sayings whose words can give way to terms of quadranyms.', facets: { depth: 'Topics' } },
  { kind: 'quote', one: 'Quote', many: 'Quotes', part: 'texts', ...TEXT,
    does: 'Sayings with an author, each told through one quadranym.', facets: { src: 'Author' } },
  { kind: 'phrase', one: 'Phrase', many: 'Phrases', part: 'texts', ...OWN, shape: 'rows',
    does: 'Sentences with one topic left open.', facets: { ...REALM, ...AREA, ...USER } },
  { kind: 'story', one: 'Story', many: 'Stories', part: 'stories', ...OWN,
    does: 'Told line by line: each line a phrase with a topic of its own.', facets: { ...REALM, ...AREA, ...USER } },
  { kind: 'tale', one: 'Tale', many: 'Tales', part: 'stories', ...OWN,
    does: 'A fable told with chosen topics.', facets: { ...AREA, ...USER } },
  { kind: 'fable', one: 'Fable', many: 'Fables', part: 'stories', ...OWN, shape: 'rows',
    does: 'Texts with several topics left open.', facets: { ...REALM, ...AREA, length: 'Topics', ...USER } },
  { kind: 'storyline', one: 'Storyline', many: 'Storylines', part: 'stories', ...TEXT,
    does: 'The lines of stories.', facets: {}, order: 'By story' },
  { kind: 'taleline', one: 'Taleline', many: 'Talelines', part: 'stories', ...TEXT,
    does: 'The topics that tales are told with.', facets: {}, order: 'By tale' },
  { kind: 'queue', one: 'Wanted topic', many: 'Wanted topics', part: 'quadranym', ...TEXT, shape: 'chips',
    does: 'Topics that somebody would like to see a quadranym for.', facets: {} },
  { kind: 'winner', one: 'Winner', many: 'Winners', part: 'people', ...TEXT, owned: true,
    does: 'The best scores of those who play with these words.', facets: { app: 'Game', user: 'Player' }, order: 'By game' },
]

/** What one comes to read and to look at; the rest are lines and lists beside them. */
export const main: readonly Listed[] = listed.filter(
  ({ kind }) => !['storyline', 'taleline', 'queue', 'winner'].includes(kind),
)

export function listedAs(kind: string): Listed {
  const found = listed.find((each) => each.kind === kind)
  if (!found) throw new Error(`There is no list of ${kind}`)
  return found
}
