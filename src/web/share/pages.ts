/** Addresses for programs of other sites: what may be crawled, what there is, and how to embed it. */

import { robotsFor } from '../crawlers.ts'
import type { ExplorerPage } from '../kinds/index.ts'
import { oembedPage } from './oembed.ts'
import { sitemapPages } from './sitemap.ts'

const robotsPage: ExplorerPage = {
  path: '/robots.txt',
  title: 'Rules for crawlers',
  GET: ({ base }) => ({
    bytes: robotsFor(base),
    type: 'text/plain; charset=utf-8',
    headers: { 'Cache-Control': 'public, max-age=3600' },
  }),
}

export const sharePages: readonly ExplorerPage[] = [robotsPage, ...sitemapPages, oembedPage]
