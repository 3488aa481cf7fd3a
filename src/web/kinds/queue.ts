import { wordAddress } from '../addresses.ts'
import { html } from '../html.ts'
import type { Body, ExplorerVisit, KindFile, Shown } from './kind.ts'
import { tile } from './quadranym.ts'
import { arranged, ask, askAbove } from './wanted.ts'

export const queue: KindFile = {
  name: 'queue',
  one: 'Wanted topic',
  many: 'Wanted topics',
  part: 'sets',
  footer: 'Wanted',
  isMain: false,
  isByChance: false,
  facets: {},
  shape: 'chips',
  gistOf: () => 'wanted',
  list: { above: askAbove, arranged, POST: ask },
  body,
  form: {
    title: 'Wish',
    about: 'A word you would like to see as a quadranym. Somebody may make it.',
    shelf: 'Wishes',
    canCopy: false,
    words: { name: { label: 'Word' } },
  },
}

async function body(visit: ExplorerVisit, { name }: Shown): Promise<Body> {
  const { json } = await visit.ask(`/api/quadranym/?name=${encodeURIComponent(name)}&page_size=6`)
  const made: readonly Shown[] = json.results ?? []
  return {
    beside:
      made.length > 0
        ? html`<p class="does">This topic has a quadranym by now.</p>
          <ul class="grid">${made.map((each) => html`<li>${tile(each)}</li>`)}</ul>`
        : html`<p class="does">Somebody would like to see a quadranym of this name.</p>
          <p class="chips">
            <a class="btn go" href=${`/make/quadranym/?name=${encodeURIComponent(name)}`}>Make it</a>
            <a class="btn" href=${wordAddress(name)}>Where the word occurs</a>
          </p>`,
  }
}
