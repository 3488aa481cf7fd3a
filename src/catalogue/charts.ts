/** The charts of the catalogue, in the order in which the site offers them. */
import type { Chart, Row } from '../declare/index.ts'
import { fable } from './fable.ts'
import { phrase } from './phrase.ts'
import { polymap } from './polymap.ts'
import { polynym } from './polynym.ts'
import { polyset } from './polyset.ts'
import { quadranym } from './quadranym.ts'
import { quadraset } from './quadraset.ts'
import { quote } from './quote.ts'
import { story } from './story.ts'
import { tale } from './tale.ts'
import { vectornym } from './vectornym.ts'

const sets = [polynym, quadranym, polymap, polyset, quadraset, vectornym]
const SLOTS = ['e', 'r', 'o', 's']

/** Texts say in `subs` which slots their tokens have. */
const ofTexts = { reads: ['subs'], used: (row: Row) => [...String(row['subs'])].filter((slot) => SLOTS.includes(slot)) }

export const charts: readonly Chart[] = [
  {
    name: 'areas',
    title: 'Areas',
    does: 'The subject areas that records belong to.',
    counts: 'values',
    member: 'area',
    of: [...sets, phrase, fable, story, tale],
  },
  {
    name: 'sources',
    title: 'Sources',
    does: 'The authors, books and traditions that records come from.',
    counts: 'values',
    member: 'src',
    of: [...sets, quote, phrase, fable, story, tale],
  },
  {
    name: 'realms',
    title: 'Realms',
    does: 'The sides of life that quadranyms and texts belong to.',
    counts: 'values',
    member: 'realm',
    of: [quadranym, phrase, fable, story, vectornym],
  },
  {
    name: 'modes',
    title: 'Modes',
    does: 'How many polynyms name parts, types or steps.',
    counts: 'values',
    member: 'mode',
    of: [polynym],
  },
  {
    name: 'depth-by-area',
    title: 'Depth by area',
    does: 'How many words the polynyms of each area have.',
    counts: 'pairs',
    member: 'depth',
    by: 'area',
    of: [polynym],
  },
  {
    name: 'depth-by-mode',
    title: 'Depth by mode',
    does: 'How many words the polynyms of parts, types and steps have.',
    counts: 'pairs',
    member: 'depth',
    by: 'mode',
    of: [polynym],
  },
  {
    name: 'words',
    title: 'Words by frequency',
    does: 'The words that occur most often as names and terms of sets.',
    counts: 'words',
    of: [polynym, quadranym],
  },
  {
    name: 'network',
    title: 'Sets that share words',
    does: 'The sets that have the most words in common with others, and which words these are.',
    counts: 'network',
    of: [polynym, quadranym],
  },
  {
    name: 'balance',
    title: 'Balance of the four words',
    does: 'How often texts use the expansive, reductive, objective and subjective word, and how many sets have it, in each realm.',
    counts: 'slots',
    by: 'realm',
    slots: SLOTS,
    of: [
      { resource: phrase, ...ofTexts },
      {
        resource: quadranym,
        reads: SLOTS,
        used: (row) => SLOTS.filter((slot) => row[slot] !== ''),
        filter: (slot) => `${slot}__isnull=false`,
      },
      { resource: fable, ...ofTexts },
    ],
  },
  {
    name: 'growth',
    title: 'Growth',
    does: 'When the records that are here today were added.',
    counts: 'created',
  },
  {
    name: 'activity',
    title: 'Activity',
    does: 'What was made, changed, deleted and liked, by the log of changes.',
    counts: 'changes',
  },
]
