/** The explorer: the site for readers and curators, by address. */
import type { PageRoute } from '../../http/index.ts'
import { home } from './home.ts'
import { recordPages } from './record.ts'

export const visits: readonly PageRoute[] = [home, ...recordPages]
