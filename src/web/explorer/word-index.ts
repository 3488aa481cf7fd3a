/** /words/: look up a word, or begin with some words of today's sets. */
import type { PageAnswer } from '../../http/index.ts'
import { hereOf, wordAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kinds, Shown } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { wordLink } from '../links.ts'
import { today } from '../today.ts'
import { BRIEFLY } from './facets.ts'

const SETS = 12
const MOST_WORDS = 60
/** Longer terms are sentences, which nobody looks up. */
const LONGEST = 18
const SLOT = /^(?:[eros]|[a-z][0-9]+)$/

const DOES = 'The page of a word shows every set that has it, every saying that uses it, and the words it comes with.'

export function wordIndexPages({ all }: Kinds): readonly ExplorerPage[] {
  return all.some(({ hasTerms }) => hasTerms) ? [{ path: '/words/', title: 'Words', GET: show }] : []
}

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const wanted = visit.query.get('q')?.trim()
  if (wanted) return { location: wordAddress(wanted) }
  const words = await someWords(visit)
  return {
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title: 'Words',
      user: visit.visitor?.name,
      here: hereOf(visit),
      base: visit.base,
      part: 'words',
      description: DOES,
      main: html`<h1>Words</h1>
        <p class="does">${DOES}</p>
        <form class="narrow" action="/words/" role="search" aria-label="Words">
          <input type="search" name="q" aria-label="A word" placeholder="A word, such as fire" maxlength="200" autocomplete="off" />
          <button class="btn go" type="submit">Look it up</button>
        </form>
        ${words.length > 0 && chips(words)}
        ${visit.kinds.find('polynym') && html`<p class="more"><a href="/feel/">What is a text near to?</a></p>`}`,
    }),
  }
}

function chips(words: readonly string[]): Content {
  return html`<h2>Some words of today</h2>
    <ul class="chips">${words.map((word) => html`<li>${wordLink(word)}</li>`)}</ul>
    <p class="more"><a href="/charts/words/">Words by frequency</a></p>`
}

/** Words of a few sets, others each day. */
async function someWords(visit: ExplorerVisit): Promise<string[]> {
  const day = visit.byClock(today).toISOString().slice(0, 10)
  const kinds = visit.kinds.all.filter(({ hasTerms }) => hasTerms)
  const drawn = await Promise.all(
    kinds.map(({ name }) => visit.ask(`/api/${name}/random/?n=${SETS}&seed=${day}`, BRIEFLY)),
  )
  const words = drawn.flatMap(({ json }): string[] => (json?.results ?? []).flatMap(wordsOf))
  const byKey = new Map(words.map((word) => [word.toLowerCase(), word]))
  return [...byKey.values()].slice(0, MOST_WORDS).sort((a, b) => a.localeCompare(b, 'en'))
}

function wordsOf(record: Shown): string[] {
  return Object.entries(record).flatMap(([member, value]) =>
    SLOT.test(member) && typeof value === 'string' && /[^\s_]/.test(value) && value.length <= LONGEST ? [value] : [],
  )
}
