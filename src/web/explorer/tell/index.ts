/** /tell/: stories, verses and tales from phrases, fables and topics of the catalogue. */
import type { ExplorerPage, Kinds } from '../../kinds/index.ts'
import { gridPage } from './grid-page.ts'
import { talePage } from './tale-page.ts'
import { versePage } from './verse-page.ts'

export function tellPages({ find }: Kinds): readonly ExplorerPage[] {
  const hasAll = ['phrase', 'quadranym', 'fable', 'story', 'tale'].every((name) => find(name))
  return hasAll ? [gridPage, versePage, talePage] : []
}
