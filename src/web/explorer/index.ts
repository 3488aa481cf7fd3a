/** The explorer: the site for readers and curators, by address. */
import type { PageRoute } from '../../http/index.ts'
import type { ExplorerPage, Kinds } from '../kinds/index.ts'
import { picturePages } from '../previews/picture-pages.ts'
import { sharePages } from '../share/pages.ts'
import { staffPages } from '../staff/index.ts'
import { annotatePages } from './annotate.ts'
import { atomPage } from './atom.ts'
import { authorList } from './author-list.ts'
import { authorPage } from './author-page.ts'
import { benchPages } from './bench/index.ts'
import { changesPages } from './changes.ts'
import { chartPages } from './charts.ts'
import { comparePages } from './compare/index.ts'
import { explorePage } from './explore-page.ts'
import { feelPages } from './feel/index.ts'
import { findPage, randomPage, suggestPage } from './find.ts'
import { helpPage } from './help.ts'
import { hiddenPage } from './hidden.ts'
import { historyPages } from './history.ts'
import { home } from './home.ts'
import { hubPages } from './hubs.ts'
import { learnPage } from './learn/index.ts'
import { listPages } from './list.ts'
import { makePages } from './make/index.ts'
import { nestedPages } from './nested/index.ts'
import { peoplePage } from './people/list-page.ts'
import { personPage } from './people/person-page.ts'
import { playPages } from './play/index.ts'
import { posterPages } from './posters/index.ts'
import { recordPages } from './record.ts'
import { reportPages } from './report.ts'
import { selectedPages } from './selected.ts'
import { tellPages } from './tell/index.ts'
import { undoPages } from './undo.ts'
import { wordPage } from './word.ts'
import { wordIndexPages } from './word-index.ts'

export function explorerPages(kinds: Kinds): readonly PageRoute[] {
  const pages: readonly ExplorerPage[] = [
    home,
    learnPage,
    helpPage,
    explorePage,
    ...wordIndexPages(kinds),
    ...listPages(kinds),
    ...selectedPages(kinds),
    ...hubPages(kinds),
    findPage,
    suggestPage,
    randomPage,
    wordPage,
    ...(kinds.all.some(({ hasSource }) => hasSource) ? [authorList, authorPage] : []),
    ...chartPages,
    peoplePage,
    personPage,
    ...recordPages(kinds),
    ...picturePages(kinds),
    ...sharePages,
    ...historyPages(kinds),
    ...changesPages,
    atomPage,
    ...undoPages,
    ...(kinds.canAnnotate ? annotatePages : []),
    ...makePages(kinds),
    ...tellPages(kinds),
    ...benchPages(kinds),
    ...feelPages(kinds),
    ...comparePages(kinds),
    ...nestedPages(kinds),
    ...posterPages(kinds),
    ...playPages(kinds),
    ...reportPages,
    hiddenPage,
    ...staffPages,
  ]
  return pages.map(({ path, title, GET, POST, showAgain }) => ({
    path,
    title,
    GET: (visit) => GET({ ...visit, kinds }),
    ...(POST ? { POST: (visit) => POST({ ...visit, kinds }) } : {}),
    ...(showAgain ? { showAgain: (visit) => showAgain({ ...visit, kinds }) } : {}),
  }))
}
