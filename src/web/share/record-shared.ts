/** What is shared of a record, and of a saying as it is told. */
import { counted } from '../../language/index.ts'
import { wordAddress } from '../addresses.ts'
import { type FoundAuthor, inNumbers } from '../explorer/author-records.ts'
import type { Body, ExplorerVisit, Kind, Shown } from '../kinds/kind.ts'
import type { Drawing } from '../pictures/index.ts'
import { authorAddress } from '../texts/author.ts'
import type { TurnPanel } from '../texts/turn-panel.ts'
import { authorPicture, inShort, recordPicture, type Shared, wordPicture } from './shared.ts'
import { quotationData, termData, wordData } from './structured-data.ts'

interface Parts {
  readonly drawing: Drawing | undefined
  readonly told: Body['told']
}

export function sharedRecord({ base }: ExplorerVisit, kind: Kind, record: Shown, { drawing, told }: Parts): Shared {
  const { name } = kind
  const id: number = record[`${name}_id`]
  const asked = told?.asked ?? ''
  const title = kind.nameOf(record)
  const words = drawing?.label ?? told?.shown ?? title
  const data = drawing && termData(base, kind, record, inShort(drawing.label))
  return {
    address: `/${name}/${id}/${asked && `?${asked}`}`,
    picture: recordPicture(name, id, asked),
    alt: inShort(words),
    text: told && !drawing ? `${told.shown.trim()}\n– ${title}` : inShort(words, 1000),
    isEmbeddable: true,
    ...(data ? { data } : {}),
  }
}

export function sharedSaying({ base }: ExplorerVisit, kind: string, record: Shown, turned: TurnPanel): Shared {
  const { text, shown, asked, attribution, isTurned } = turned
  const id: number = record[`${kind}_id`]
  const path = `/${kind}/${id}/`
  const address = path + (asked && `?${asked}`)
  const said = attribution ? `${shown.trim()}\n– ${attribution}` : shown.trim()
  return {
    address,
    picture: recordPicture(kind, id, asked),
    alt: inShort(said.replace('\n', ' ')),
    text: said,
    isEmbeddable: true,
    data: quotationData({ base, path, address, text, isTurned, source: record['src'] || undefined }),
  }
}

export function sharedAuthor(found: FoundAuthor): Shared {
  const { called } = found
  const text = `${called}: ${inNumbers(found).join(', ')}`
  return { address: authorAddress(called), picture: authorPicture(called), alt: text, text, isEmbeddable: true }
}

/** The word as sets write it; the record is what the API says about it. */
export function sharedWord(visit: ExplorerVisit, { sets, count, texts }: Shown, term: string): Shared {
  const { base, kinds } = visit
  const text = `${term}: in ${counted(count, 'set')} and ${counted(texts.count, 'text')}`
  const data = wordData(base, term, sets, kinds)
  return { address: wordAddress(term), picture: wordPicture(term), alt: text, text, isEmbeddable: true, data }
}
