/** The explorer: the site for readers and curators, by address. */
import type { PageRoute } from '../../http/index.ts'
import { annotatePages } from './annotate.ts'
import { findPage, randomPage, suggestPage } from './find.ts'
import { home } from './home.ts'
import { hubPages } from './hubs.ts'
import { listPages } from './list.ts'
import { makePages } from './make/index.ts'
import { peoplePage, personPage } from './people.ts'
import { recordPages } from './record.ts'
import { textPages } from './text.ts'
import { wordPage } from './word.ts'

export const visits: readonly PageRoute[] = [
  home,
  ...listPages,
  ...hubPages,
  findPage,
  suggestPage,
  randomPage,
  wordPage,
  peoplePage,
  personPage,
  ...recordPages,
  ...textPages,
  ...annotatePages,
  ...makePages,
]
