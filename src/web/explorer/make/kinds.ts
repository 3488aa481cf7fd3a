/** What a maker of records is told about them. The members themselves come from the API. */

export interface Making {
  readonly title: string
  /** What one makes, in a sentence. */
  readonly about: string
  readonly part: string
  /** A heading on the page of all makers. */
  readonly shelf: 'Sets of words' | 'Texts' | 'Stories' | 'Wishes'
}

export const makings: Readonly<Record<string, Making>> = {
  quadranym: {
    title: 'Quadranym',
    about: 'A topic between four words: what it opens to, what it closes to, the thing, and how it feels.',
    part: 'quadranym',
    shelf: 'Sets of words',
  },
  polynym: {
    title: 'Polynym',
    about: 'Two to twelve words in order: the parts of a whole, the types of a thing, the steps of a way.',
    part: 'polynym',
    shelf: 'Sets of words',
  },
  quadraset: { title: 'Quadraset', about: 'Quadranyms gathered under one name.', part: 'sets', shelf: 'Sets of words' },
  polyset: { title: 'Polyset', about: 'Polynyms gathered under one name.', part: 'sets', shelf: 'Sets of words' },
  polymap: {
    title: 'Polymap',
    about: 'Two polynyms and how the words of one relate to those of the other.',
    part: 'sets',
    shelf: 'Sets of words',
  },
  vectornym: {
    title: 'Vectornym',
    about: 'Two to nine polynyms side by side, as the columns of a table.',
    part: 'sets',
    shelf: 'Sets of words',
  },
  fortune: { title: 'Fortune', about: 'A saying, plain or with marked words.', part: 'texts', shelf: 'Texts' },
  quote: { title: 'Quote', about: 'A quotation, its author, and one quadranym.', part: 'texts', shelf: 'Texts' },
  phrase: {
    title: 'Phrase',
    about: 'A sentence with one topic, to be told with any quadranym.',
    part: 'texts',
    shelf: 'Texts',
  },
  fable: { title: 'Fable', about: 'A text with several topics, left open.', part: 'texts', shelf: 'Texts' },
  story: {
    title: 'Story',
    about: 'A story line by line: each line is a phrase told with a quadranym.',
    part: 'stories',
    shelf: 'Stories',
  },
  tale: { title: 'Tale', about: 'A fable told with quadranyms that you choose.', part: 'stories', shelf: 'Stories' },
  queue: {
    title: 'Wish',
    about: 'A word you would like to see as a quadranym. Somebody may make it.',
    part: 'quadranym',
    shelf: 'Wishes',
  },
}

/** A member that names other records. */
export interface Reference {
  readonly kind: string
  readonly many?: true
}

/** Members of one letter and a number are slots: v1 to v9. */
export function referenceOf(kind: string, member: string): Reference | undefined {
  switch (member) {
    case 'polynyms':
      return { kind: 'polynym', many: true }
    case 'quadranyms':
      return { kind: 'quadranym', many: true }
    case 'pa':
    case 'pb':
      return { kind: 'polynym' }
    case 'fable':
    case 'quadranym':
      return { kind: member }
    default:
      return kind === 'vectornym' && /^v[0-9]+$/.test(member) ? { kind: 'polynym' } : undefined
  }
}

/** What people read in place of a member's name, and what helps them. */
export const WORDS: Readonly<Record<string, { readonly label: string; readonly help?: string }>> = {
  name: { label: 'Name' },
  src: { label: 'Where it comes from' },
  area: { label: 'Field', help: 'The field it belongs to: nature, music, law …' },
  wiki: { label: 'Where to read on', help: 'Mostly a web address.' },
  realm: { label: 'Realm', help: 'The side of life it belongs to.' },
  mode: { label: 'What the words are' },
  e: { label: 'Expansive', help: 'What it opens to.' },
  r: { label: 'Reductive', help: 'What it closes to.' },
  o: { label: 'Objective', help: 'The thing, seen from outside.' },
  s: { label: 'Subjective', help: 'How it is from inside.' },
  pos: { label: 'Part of speech of the name' },
  epos: { label: 'of the expansive' },
  rpos: { label: 'of the reductive' },
  opos: { label: 'of the objective' },
  spos: { label: 'of the subjective' },
  body: { label: 'Text' },
  qode: {
    label: 'Text with tokens',
    help: 'A token such as q1e_VB stands for a word: topic 1, its expansive, as a verb.',
  },
  quadranym: { label: 'Quadranym' },
  quadranyms: { label: 'Quadranyms' },
  polynyms: { label: 'Polynyms' },
  pa: { label: 'First polynym' },
  pb: { label: 'Second polynym' },
  fable: { label: 'Fable' },
  'fortune.qode': { label: 'Text with tokens', help: 'Leave it empty, and the words are found by themselves.' },
  'quote.qode': { label: 'Text with tokens', help: 'Leave it empty, and the words are found by themselves.' },
  'quote.src': { label: 'Author' },
  'queue.name': { label: 'Word' },
}

export const SLOT_WORDS: Readonly<
  Record<string, { readonly label: string; readonly each: string; readonly help?: string }>
> = {
  p: { label: 'Words', each: 'Word' },
  v: { label: 'Polynyms', each: 'Polynym' },
  r: {
    label: 'Relations',
    each: 'Relation',
    help: 'Each reads: a word of the first polynym, a relation such as IsA, Causes or PartOf, a word of the second, with commas between them.',
  },
}

export const REALMS =
  'Spatial Emotional Volitional Temporal Social Perceptual Psychological Physical Dominion Energy Metabolic Valence Embodied'.split(
    ' ',
  )
export const PARTS_OF_SPEECH = ['NN', 'VB', 'ADJ']
