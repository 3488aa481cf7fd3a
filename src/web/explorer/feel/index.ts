/** /feel/: what a text is near to, and which sets speak of it. */
import type { ExplorerPage, Kinds } from '../../kinds/index.ts'
import { feelPage } from './feel-page.ts'
import { orientPage } from './orient-page.ts'

export function feelPages({ find }: Kinds): readonly ExplorerPage[] {
  return find('polynym') ? [feelPage, orientPage] : []
}
