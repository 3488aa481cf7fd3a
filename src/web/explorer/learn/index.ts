/** /learn/: what a quadranym is, in one picture; a word of the visitor's own; polynyms, sayings, and the glossary. */
import type { PageAnswer } from '../../../http/index.ts'
import { hereOf } from '../../addresses.ts'
import { LEARN, LEARN_STYLE } from '../../assets.ts'
import { entriesFor, isEntry } from '../../glossary.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Kinds } from '../../kinds/index.ts'
import { layout } from '../../layout.ts'
import { modes } from './modes.ts'
import { steps } from './steps.ts'
import { tryYourOwn } from './try-your-own.ts'
import { turnedSayings } from './turned-sayings.ts'

export const learnPage: ExplorerPage = { path: '/learn/', title: 'Learn', GET: show }

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const { kinds } = visit
  const has = (name: string) => kinds.find(name) !== undefined
  const does = has('quadranym')
    ? 'A quadranym is a small map of a topic: one word in the middle, and four words around it.'
    : 'What is collected here, and what the labels mean.'
  const main = html`<div class="learn">
    ${has('quadranym') ? steps(does) : html`<h1>Learn</h1><p class="does">${does}</p>`}
    ${has('quadranym') && tryYourOwn(visit.query)} ${has('polynym') && modes()}
    ${has('quadranym') && (await turnedSayings(visit))} ${kindsSection(kinds)} ${glossary(kinds)}
    <p class="chips">
      <a class="btn go" href="/make/">Make something</a>
      <a class="btn" href="/explore/">See what there is to do</a>
      <a class="btn" href="/random/">See a random page</a>
      <a class="btn" href="/help/">Help for curators and developers</a>
    </p>
  </div>`
  return {
    page: layout({
      kinds,
      csrf: visit.csrf,
      title: 'Learn',
      user: visit.visitor?.name,
      here: hereOf(visit),
      base: visit.base,
      part: 'learn',
      description: does,
      main,
      styles: [LEARN_STYLE],
      scripts: [LEARN],
    }),
  }
}

/** Kinds that the glossary does not know, from their declarations. */
function kindsSection({ all }: Kinds): Content {
  const others = all.filter(({ name, isMain }) => isMain && !isEntry(name))
  if (others.length === 0) return undefined
  return html`<section>
    <h2>What is here</h2>
    <dl class="glossary">
      ${others.map(({ name, many, does }) => html`<div><dt><a href=${`/${name}/`}>${many}</a></dt><dd>${does}</dd></div>`)}
    </dl>
  </section>`
}

function glossary(kinds: Kinds): Content {
  const entries = entriesFor((name) => kinds.find(name) !== undefined)
  if (entries.length === 0) return undefined
  return html`<section id="glossary">
    <h2>The labels, one sentence each</h2>
    <dl class="glossary">
      ${entries.map(([name, { title, sentence }]) => {
        const kind = kinds.find(name)
        return html`<div id=${name} tabindex="-1">
          <dt>${title}</dt>
          <dd>${sentence}${kind && html` <a href=${`/${name}/`}>All ${kind.many.toLowerCase()}</a>`}</dd>
        </div>`
      })}
    </dl>
  </section>`
}
