/** The preview of a record: its drawing, its text, or its name. */
import type { ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import type { Drawing } from '../pictures/index.ts'
import { type CardHead, drawingCard } from './card.ts'
import { textCard } from './text-card.ts'
import { toldText } from './told-text.ts'

export async function recordPreview(visit: ExplorerVisit, kind: Kind, record: Shown): Promise<Drawing> {
  if (kind.draw) return drawingCard(headOf(kind, record), kind.draw(record))
  const told = await toldText(visit, kind, record, visit.query)
  if (told) return textCard({ kind: kind.one, attribution: told.attribution }, told.text, told.spans)
  const { by } = headOf(kind, record)
  return textCard({ kind: kind.one, attribution: by }, kind.nameOf(record), [])
}

function headOf(kind: Kind, record: Shown): CardHead {
  const maker: string | undefined = record[kind.owner ?? '']
  const { area } = record
  const by = [area, maker && `by ${maker}`].filter(Boolean).join(', ')
  return { kind: kind.one, title: kind.nameOf(record), gist: kind.detailOf?.(record) ?? kind.gistOf(record), by }
}
