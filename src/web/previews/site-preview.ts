/** The preview of pages that have no picture of their own: what the site is about. */
import type { Kinds } from '../kinds/index.ts'
import { type Drawing, drawQuadranym } from '../pictures/index.ts'
import { drawingCard } from './card.ts'
import { textCard } from './text-card.ts'

const ABOUT = 'Sets of words, and the texts they colour'

export function sitePreview(kinds: Kinds): Drawing {
  if (!kinds.find('quadranym')) return textCard({ kind: '', attribution: ABOUT }, 'Nymdex', [])
  const words = {
    name: 'topic',
    e: 'what it opens to',
    r: 'what it closes to',
    o: 'seen from outside',
    s: 'felt from inside',
  }
  return drawingCard({ kind: '', title: 'Nymdex', gist: ABOUT, by: undefined }, drawQuadranym(words))
}
