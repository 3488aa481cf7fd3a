/** /bench/: whether phrases read well with quadranyms. */
import type { ExplorerPage, Kinds } from '../../kinds/index.ts'
import { benchPage } from './bench-page.ts'
import { benchResultsPage } from './results-page.ts'

export function benchPages({ find }: Kinds): readonly ExplorerPage[] {
  return find('phrase') && find('quadranym') ? [benchPage, benchResultsPage] : []
}
