/** The preview of a comparison: its picture, and what the sets share. */
import { drawComparison, gistOf, titleOf } from '../explorer/compare/compare-picture.ts'
import type { Comparison } from '../explorer/compare/comparison.ts'
import type { Drawing } from '../pictures/index.ts'
import { drawingCard } from './card.ts'

export function comparePreview(comparison: Comparison): Drawing {
  const head = { kind: 'Compare', title: titleOf(comparison), gist: gistOf(comparison), by: undefined }
  return drawingCard(head, drawComparison(comparison))
}
