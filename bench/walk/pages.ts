/** The pages for people: every page that links lead to from the front page. */
import type { Comparison } from './comparison.ts'

const AT_ONCE = 8
/** How many addresses are read that differ only in their query. */
const QUERIES_OF_A_PATH = 6
/** Random pages, and those of the API. */
const NOT_WALKED = /\/random\/|^\/api\/|^\/accounts\/logout/
const START = [
  '/',
  '/make/',
  '/people/',
  '/annotate/',
  '/find/?q=water',
  '/find/?q=zzzz',
  '/find/suggest/?q=wat',
  '/word/dark/',
  '/sets/',
  '/zzz/',
  '/polynym/99999/',
  '/polynym/?page=99',
  '/accounts/',
  '/accounts/login/',
  '/accounts/signup/',
]

export async function walkPages(compare: Comparison, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const known = new Set(START)
  const queries = new Map<string, number>()
  let waiting = [...START]
  while (waiting.length > 0) {
    const found: string[][] = []
    await inParallel(waiting, async (path, i) => {
      const { body } = await compare.ask({ path, headers: { accept: 'text/html', ...headers } })
      found[i] = linksIn(body, path)
    })
    waiting = []
    for (const path of found.flat()) {
      if (known.has(path)) continue
      known.add(path)
      const [plain = '', query] = path.split('?')
      if (query !== undefined && !/^v=|^page=/.test(query)) {
        const count = (queries.get(plain) ?? 0) + 1
        queries.set(plain, count)
        if (count > QUERIES_OF_A_PATH) continue
      }
      waiting.push(path)
    }
  }
}

function linksIn(page: string, path: string): string[] {
  const links = Array.from(page.matchAll(/ (?:href|src|action)="([^"#]+)/g), ([, link]) =>
    link!.replaceAll('&amp;', '&'),
  )
  return links
    .map((link) => URL.parse(link, `http://walk.example${path}`))
    .filter((url) => url !== null && url.host === 'walk.example')
    .map((url) => url!.pathname + url!.search)
    .filter((link) => !NOT_WALKED.test(link))
}

export async function inParallel<T>(all: Iterable<T>, work: (each: T, i: number) => Promise<void>): Promise<void> {
  const turns = Array.from(all).entries()
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const [i, each] of turns) await work(each, i)
  })
  await Promise.all(workers)
}
