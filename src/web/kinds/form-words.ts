/** What forms say about members that several kinds have, and values that they offer. */
import type { FormWords } from './kind.ts'

export const COMMON_WORDS: Readonly<Record<string, FormWords>> = {
  name: { label: 'Name' },
  src: { label: 'Where it comes from' },
  area: { label: 'Area', help: 'The field it comes from: nature, music, law …' },
  wiki: { label: 'Further reading', help: 'Usually a web address.' },
  realm: { label: 'Realm', help: 'The side of life it belongs to.' },
  body: { label: 'Text' },
  qode: {
    label: 'Text with tokens',
    help: 'A token such as q1e_VB stands for a word: topic 1, its expansive, as a verb.',
  },
}

/** For sayings, whose tokens the server can write. */
export const FOUND_TOKENS: FormWords = {
  label: 'Text with tokens',
  help: 'Leave it empty, and the server finds the words.',
}

export const REALMS =
  'Spatial Emotional Volitional Temporal Social Perceptual Psychological Physical Dominion Energy Metabolic Valence Embodied'.split(
    ' ',
  )
export const PARTS_OF_SPEECH = ['NN', 'VB', 'ADJ']

/** The relations of a polymap, the common ones first. */
export const RELATIONS =
  `RelatedTo SimilarTo IsA PartOf HasA MadeOf Causes CreatedBy UsedFor CapableOf HasProperty AtLocation LocatedNear SymbolOf
   Synonym Antonym DistinctFrom InstanceOf MannerOf DefinedAs DerivedFrom FormOf HasContext HasPrerequisite HasSubevent
   HasFirstSubevent HasLastSubevent Entails MotivatedByGoal Desires CausesDesire ObstructedBy ReceivesAction NotDesires NotUsedFor
   NotCapableOf NotHasProperty EtymologicallyRelatedTo EtymologicallyDerivedFrom`.split(/\s+/)
