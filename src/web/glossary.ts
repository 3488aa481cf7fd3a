/** What the labels of the site mean, in one sentence each. Labels, lists and /learn/ all read it from here. */

export interface Meaning {
  readonly title: string
  /** A whole sentence that needs no other entry. */
  readonly sentence: string
  /** The kind of record that must be in the catalogue; an entry without one belongs to every catalogue. */
  readonly of?: string
}

/** By name; the names of kinds are those of the API. The order is the one of /learn/. */
export const GLOSSARY = {
  topic: {
    title: 'Topic',
    sentence: 'What a quadranym is about: the word in the middle of its picture.',
    of: 'quadranym',
  },
  expansive: {
    title: 'Expansive',
    sentence: 'The word at the top of a quadranym: what the topic opens to.',
    of: 'quadranym',
  },
  reductive: {
    title: 'Reductive',
    sentence: 'The word at the bottom of a quadranym: what the topic closes to.',
    of: 'quadranym',
  },
  objective: {
    title: 'Objective',
    sentence: 'The word on the right of a quadranym: what the topic is from outside, as a thing.',
    of: 'quadranym',
  },
  subjective: {
    title: 'Subjective',
    sentence: 'The word on the left of a quadranym: what the topic is from inside, for somebody who lives it.',
    of: 'quadranym',
  },
  sense: {
    title: 'Sense',
    sentence: 'One meaning of a word: a word with several meanings has several quadranyms.',
    of: 'quadranym',
  },
  realm: {
    title: 'Realm',
    sentence: 'The side of life that something belongs to: spatial, emotional, social and so on.',
    of: 'quadranym',
  },
  area: {
    title: 'Area',
    sentence: 'The field that something comes from: music, law, nature and so on.',
    of: 'polynym',
  },
  mode: {
    title: 'Mode',
    sentence: 'What the words of a polynym are: the parts of a whole, the types of a thing, or the steps of a process.',
    of: 'polynym',
  },
  depth: {
    title: 'Depth',
    sentence: 'How many there are: the words of a polynym, the rows of a vectornym, the topics of a saying.',
    of: 'polynym',
  },
  length: {
    title: 'Length',
    sentence: 'How many there are: the lines of a story, the topics of a fable, the columns of a vectornym.',
    of: 'story',
  },
  width: {
    title: 'Width',
    sentence: 'How many words there are in all: those of the polynyms of a polyset, or the marked words of a text.',
    of: 'polyset',
  },
  pos: {
    title: 'Part of speech',
    sentence: 'What kind of word it is, such as a noun or a verb: it decides how the word is used in a sentence.',
    of: 'quadranym',
  },
  set: {
    title: 'Set',
    sentence: 'Words that belong together: a quadranym, a polynym, or several of them under one name.',
    of: 'polynym',
  },
  quadranym: {
    title: 'Quadranym',
    sentence: 'A topic and four words: what it opens to and closes to, what it is from outside and from inside.',
    of: 'quadranym',
  },
  polynym: {
    title: 'Polynym',
    sentence: 'Two to twelve words that belong together: the parts, the types or the steps of something.',
    of: 'polynym',
  },
  polyset: { title: 'Polyset', sentence: 'Several polynyms under one name.', of: 'polyset' },
  quadraset: { title: 'Quadraset', sentence: 'Several quadranyms under one name.', of: 'quadraset' },
  vectornym: {
    title: 'Vectornym',
    sentence: 'Two to nine polynyms side by side, as the columns of a table.',
    of: 'vectornym',
  },
  polymap: {
    title: 'Polymap',
    sentence: 'Two polynyms, and how the words of one relate to the words of the other.',
    of: 'polymap',
  },
  relation: {
    title: 'Relation',
    sentence: 'How two words of a polymap belong together: one is a part of the other, causes it, or is similar to it.',
    of: 'polymap',
  },
  saying: {
    title: 'Saying',
    sentence: 'A short text in which the words of a topic are marked, so that another topic can take their place.',
    of: 'fortune',
  },
  fortune: {
    title: 'Fortune',
    sentence: 'A saying without an author of its own, told with one topic or several.',
    of: 'fortune',
  },
  quote: { title: 'Quote', sentence: 'A saying with an author, told with one topic.', of: 'quote' },
  phrase: { title: 'Phrase', sentence: 'A sentence with gaps that the words of one topic fill.', of: 'phrase' },
  story: {
    title: 'Story',
    sentence: 'A text told line by line: each line is a phrase with a topic of its own.',
    of: 'story',
  },
  fable: { title: 'Fable', sentence: 'A short text with gaps that the words of several topics fill.', of: 'fable' },
  tale: { title: 'Tale', sentence: 'A fable told with topics that somebody chose.', of: 'tale' },
  turn: {
    title: 'Turn',
    sentence: 'To tell a saying or a story with another topic: its marked words change, and so does what it says.',
    of: 'quadranym',
  },
  annotate: {
    title: 'Annotate',
    sentence: 'To mark the words of a text that belong to a topic, so that the text can be turned.',
    of: 'fortune',
  },
  token: {
    title: 'Token',
    sentence: 'A code such as q1e_NN in a text: it stands for one word of a topic.',
    of: 'phrase',
  },
  queue: { title: 'Wanted topic', sentence: 'A word that somebody would like to see as a quadranym.', of: 'queue' },
  winner: { title: 'Winner', sentence: 'The best score of a player in a game with these words.', of: 'winner' },
} as const satisfies Readonly<Record<string, Meaning>>

export type Entry = keyof typeof GLOSSARY

export function isEntry(name: string): name is Entry {
  return Object.hasOwn(GLOSSARY, name)
}

/** The entries that belong to a catalogue with these kinds. */
export function entriesFor(hasKind: (name: string) => boolean): readonly (readonly [Entry, Meaning])[] {
  return Object.entries(GLOSSARY).flatMap(([name, meaning]) =>
    isEntry(name) && hasKind(meaning.of) ? [[name, meaning] as const] : [],
  )
}
