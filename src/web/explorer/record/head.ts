/** The head of a record's page: its name, its owner, and what the visitor may do with it. */
import type { Visit } from '../../../http/index.ts'
import { counted } from '../../../language/index.ts'
import { personAddress } from '../../addresses.ts'
import { hideButton } from '../../hide-button.ts'
import { type Content, html } from '../../html.ts'
import type { Kind, Shown } from '../../kinds/index.ts'
import { whatIs } from '../../label.ts'
import { webLink } from '../../links.ts'
import { byMaker } from '../../maker.ts'
import { sharePanel } from '../../share/panel.ts'
import type { Shared } from '../../share/shared.ts'
import { attributionOf } from '../../texts/attribution.ts'
import { credited } from '../../texts/author.ts'

/** Longer names are smaller. */
const LONG = 40
const MOST_VOTERS = 6

/** `changed` says who changed it last. */
export function head(name: string, kind: Kind, record: Shown, changed: Content, maker: string | undefined): Content {
  const title = kind.nameOf(record)
  const narrowed = (member: string) => `/${name}/?${member}=${encodeURIComponent(record[member])}`
  return html`<p class="kind">
      <a href=${`/${name}/`}>${kind.one}</a> ${whatIs(name)}${record['realm'] && html` · <a href=${narrowed('realm')}>${record['realm']}</a>`}
    </p>
    <h1 class=${title.length > LONG ? 'long' : undefined} dir="auto">${title}</h1>
    <p class="meta">
      ${byMaker(maker)}
      ${record['area'] && html`<a href=${narrowed('area')}>${record['area']}</a>`}
      ${sourceOf(record)} ${record['likes'] && likes(record)}
      ${changed}
    </p>
    ${record['wiki'] && html`<p class="wiki">${webLink(record['wiki']) ?? record['wiki']}</p>`}`
}

/** A text with open topics is never told in the words of its author. */
function sourceOf(record: Shown): Content {
  const isOpen = record['qode'] !== undefined && record['body'] === undefined
  const source = attributionOf(record, isOpen)
  return source && html`<span>${!/^after\s/i.test(source) && 'from '}${credited(source)}</span>`
}

function likes({ likes: count, voters }: Shown): Content {
  const names: readonly string[] = voters.slice(0, MOST_VOTERS)
  const more = count - names.length
  return html`<span>${counted(count, 'like')}, from ${names.map((voter, i) => [i > 0 && ', ', html`<a href=${personAddress(voter)}>${voter}</a>`])}${more > 0 && ` and ${more} more`}</span>`
}

/** The API says whether the visitor may change the record: usually its owner and the staff may. */
export async function mayChange(visit: Visit, name: string, record: Shown): Promise<boolean> {
  if (!visit.visitor) return false
  const { json } = await visit.ask(`/api${addressIn(name, record)}`, { method: 'OPTIONS' })
  return json?.actions?.PUT !== undefined
}

/** The page of the record itself, also for kinds that other pages show. */
export function addressIn(name: string, record: Shown): string {
  return `/${name}/${record[`${name}_id`]}/`
}

interface Given {
  readonly may: boolean
  readonly shared: Shared
}

export function actions(visit: Visit, name: string, kind: Kind, record: Shown, { may, shared }: Given): Content {
  const address = addressIn(name, record)
  const id = record[`${name}_id`]
  return html`<div class="chips acts">
      ${kind.liked && like(visit, address, record)}
      ${may && kind.form && html`<a class="btn" href=${`/make${address}`}>Edit</a>`}${may && html`<a class="btn" href=${`${address}delete/`}>Delete</a>`}
      ${kind.isCompared && html`<a class="btn" href=${`/compare/?set=${name}:${id}`}>Compare with …</a>`}
      ${kind.isCompared && kind.draw && html`<a class="btn" href=${`/posters/?set=${name}:${id}`}>Print a poster</a>`}
      ${Object.entries(kind.ways?.(id) ?? {}).map(([text, href]) => html`<a class="btn" href=${href}>${text}</a>`)}
      ${kind.form?.canCopy && html`<a class="btn" href=${`/make/${name}/?from=${id}`}>Make one like it</a>`}
      <a class="btn" href=${`/report/${name}/${id}/`}>Report</a>
      ${hideButton(visit, { resource: name, id })}
    </div>
    ${sharePanel({
      base: visit.base,
      shared,
      svg: kind.draw && `/${name}/${id}.svg`,
      links: html`<a href=${`/api${address}?format=json`}>JSON</a> ${kind.draw && html`<a href=${`/${name}/${id}.svg`}>SVG</a>`}
        <a href=${`/api${address}`}>In the API</a>`,
    })}`
}

function like({ visitor, csrf, path }: Visit, address: string, { voters = [] }: Shown): Content {
  if (!visitor) {
    return html`<a class="btn go" href=${`/accounts/login/?next=${encodeURIComponent(path)}&like=true`}>Sign in to like</a>`
  }
  const given = voters.includes(visitor.name)
  return html`<form id="like" class="like" method="post" action=${`${address}vote/`}>
    <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
    <button class=${given ? 'btn' : 'btn go'} type="submit" name="vote" value=${given ? 'take back' : 'give'}>
      ${given ? 'Take your like back' : 'Like'}
    </button>
  </form>`
}
