/** The panel that filters and orders a list, made from the lookups of its resource. */
import type { Offer, PageView } from '../../http/index.ts'
import { type Content, html } from '../html.ts'

type Narrowing = NonNullable<Offer['narrowing']>
type OfferedFilter = Narrowing['filters'][number]

export function narrowingPanel(narrowing: Narrowing, { path, query }: PageView['request']): Content {
  const used = narrowing.filters.filter(({ name }) => query.get(name))
  const isUsed = used.length > 0 || Boolean(query.get('search') || query.get('ordering') || query.get('term'))
  const isShown = ({ name, isCommon }: OfferedFilter) => isCommon || Boolean(query.get(name))
  const [shown, more] = [narrowing.filters.filter(isShown), narrowing.filters.filter((filter) => !isShown(filter))]
  const control = ({ name, choices }: OfferedFilter) =>
    choices ? choice(name, choices, query.get(name)) : field(name, given(query, name))
  return html`<details class="narrowing" open=${isUsed}>
    <summary>Filters and ordering${used.length > 0 ? ` (${used.length})` : ''}</summary>
    <form action=${path} method="get">
      ${narrowing.search && field('search', query.get('search'))} ${narrowing.term && field('term', query.get('term'))}
      <label>
        <span>ordering</span>
        <select name="ordering">
          <option value="">default</option>
          ${narrowing.orderings.flatMap((member) =>
            [member, `-${member}`].map(
              (each) => html`<option value=${each} selected=${query.get('ordering') === each}>${each}</option>`,
            ),
          )}
        </select>
      </label>
      ${shown.map(control)}
      ${
        more.length > 0 &&
        html`<details class="more">
        <summary>More lookups (${more.length})</summary>
        <div>${more.map(control)}</div>
      </details>`
      }
      <p><button class="go" type="submit">Show</button> <a href=${path}>Show all</a></p>
    </form>
  </details>`
}

/** A repeated parameter fits into one field, with commas. */
function given(query: PageView['request']['query'], name: string): string | undefined {
  return name.endsWith('__in') ? query.all(name).join(',') : query.get(name)
}

function field(name: string, value: string | undefined): Content {
  return html`<label><span>${name}</span><input name=${name} value=${value} /></label>`
}

function choice(name: string, choices: readonly string[], value: string | undefined): Content {
  return html`<label>
    <span>${name}</span>
    <select name=${name}>
      <option value=""></option>
      ${choices.map((each) => html`<option value=${each} selected=${each === value}>${each}</option>`)}
    </select>
  </label>`
}
