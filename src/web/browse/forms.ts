/** Forms that write: by fields, as raw JSON, or with one button. Only users who may use them see them. */
import type { Offer, PageView } from '../../http/index.ts'
import { type Content, html } from '../html.ts'

type Form = NonNullable<Offer['form']>
type Member = Form['members'][string]
type Errors = Readonly<Record<string, readonly string[]>>

/** Empty inputs after those that are filled. */
const FURTHER = 3
/** A longer list is not shown again after it was refused. */
const MOST_SHOWN = 500

export function writingForms(view: PageView): Content {
  const { offer, request, csrf, user, status, json } = view
  if (!offer) return undefined
  if (user === undefined) {
    const next = encodeURIComponent(request.path)
    return html`<p class="signin"><a href=${`/accounts/login/?next=${next}`}>Sign in</a> to create and change records.</p>`
  }
  const isRefused = (status === 400 || status === 412) && request.method !== 'GET'
  const errors: Errors = isRefused ? JSON.parse(json) : {}
  return html`<section class="writing" aria-label="Write">
    ${
      (offer.votable || offer.removable) &&
      html`<div class="actions">
      ${offer.buttons?.map(({ to, title }) => press(`${request.path}${to}/`, 'POST', title, csrf))}
      ${
        offer.votable &&
        html`${press(`${request.path}vote/`, 'POST', 'Vote', csrf)}${press(`${request.path}vote/`, 'DELETE', 'Take the vote back', csrf)}`
      }
      ${offer.removable && removal(request.path, csrf)}
    </div>`
    }
    ${
      offer.presses &&
      html`<div class="actions">
      ${offer.presses.map(({ action, label }) => press(action, 'POST', label, csrf))}
    </div>`
    }
    ${offer.form && html`${fieldForm(view, offer.form, errors)} ${rawForm(view, offer.form, errors)}`}
  </section>`
}

function press(action: string, method: string, label: string, csrf: string, style = 'btn'): Content {
  return html`<form method="post" action=${action}>
    ${hidden('csrfmiddlewaretoken', csrf)} ${method !== 'POST' && hidden('_method', method)}
    <button class=${style} type="submit">${label}</button>
  </form>`
}

/** The first click asks, the second one does it. */
function removal(path: string, csrf: string): Content {
  return html`<details class="sure">
    <summary class="btn danger">DELETE</summary>
    <p>Delete this record?</p>
    ${press(path, 'DELETE', 'Yes, delete it', csrf, 'btn danger')}
  </details>`
}

function hidden(name: string, value: string): Content {
  return html`<input type="hidden" name=${name} value=${value} />`
}

function condition({ etag }: Form): Content {
  return etag !== undefined && hidden('_match', etag)
}

function fieldForm({ request, csrf, sent }: PageView, form: Form, errors: Errors): Content {
  const known = new Set(Object.keys(form.members))
  const others = Object.entries(errors).filter(([member]) => !known.has(member))
  return html`<details class="form" open=${Object.keys(errors).length > 0}>
    <summary>${form.method} as a form</summary>
    <form class="fields" method="post" action=${request.path}>
      ${hidden('csrfmiddlewaretoken', csrf)} ${form.method !== 'POST' && hidden('_method', form.method)} ${condition(form)}
      ${others.map(([member, messages]) => html`<p class="wrong" role="alert">${member === 'detail' ? '' : `${member}: `}${[messages].flat().join(' ')}</p>`)}
      ${Object.entries(form.members).map(([member, described]) =>
        input(member, described, (sent ?? form.record)[member], errors[member] ?? []),
      )}
      <button class="go" type="submit">${form.method}</button>
    </form>
  </details>`
}

function input(name: string, described: Member, value: unknown, wrong: readonly string[]): Content {
  const { type, label, required, max_length, choices } = described
  const id = `form-${name}`
  const hint = [required ? 'required' : '', max_length ? `up to ${max_length} characters` : '']
    .filter(Boolean)
    .join(', ')
  const shared = {
    id,
    name,
    'aria-describedby': wrong.length > 0 ? `${id}-wrong` : undefined,
    'aria-invalid': wrong.length > 0 ? 'true' : undefined,
  }
  return html`<label for=${type === 'list' ? `${id}-0` : id}>${label} <small>${hint}</small></label>
    ${control(shared, type, choices, max_length, value)}
    ${wrong.length > 0 && html`<span class="wrong" id=${`${id}-wrong`}>${wrong.join(' ')}</span>`}`
}

function control(
  shared: Record<string, string | undefined> & { readonly id: string; readonly name: string },
  type: Member['type'],
  choices: Member['choices'],
  longest: number | undefined,
  value: unknown,
): Content {
  if (type === 'list') {
    const given = [value ?? []].flat()
    const ids = given.length <= MOST_SHOWN ? given.map(idOf) : []
    return html`<div class="several">
      ${[...ids, ...Array(FURTHER).fill('')].map(
        (each, i) =>
          html`<input ...${shared} id=${`${shared.id}-${i}`} value=${each} inputmode="numeric" aria-label=${`${shared.name} ${i + 1}, an id`} />`,
      )}
    </div>`
  }
  if (choices) {
    return html`<select ...${shared}>
      <option value=""></option>
      ${choices.map((each) => html`<option value=${each.value} selected=${each.value === value}>${each.display_name}</option>`)}
    </select>`
  }
  if ((longest ?? 0) > 500) return html`<textarea ...${shared} rows="4">${idOf(value)}</textarea>`
  return html`<input ...${shared} type="text" inputmode=${type === 'integer' ? 'numeric' : undefined} value=${idOf(value)} />`
}

/** An embedded record is given by its id. */
function idOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'object') return String(value)
  const found = Object.entries(value).findLast(([member]) => member.endsWith('_id'))
  return found ? String(found[1]) : ''
}

function rawForm({ request, csrf }: PageView, form: Form, errors: Errors): Content {
  const wrong = Object.keys(errors).length > 0 ? JSON.stringify(errors, null, 2) : undefined
  return html`<details class="form">
    <summary>${form.method} as JSON</summary>
    <form class="fields" method="post" action=${request.path}>
      ${hidden('csrfmiddlewaretoken', csrf)} ${form.method !== 'POST' && hidden('_method', form.method)} ${condition(form)}
      ${wrong && html`<pre class="wrong">${wrong}</pre>`}
      <label for="raw-content">Content <small>application/json</small></label>
      <textarea id="raw-content" name="_content" rows="14" spellcheck="false">${rawContent(form)}</textarea>
      <button class="go" type="submit">${form.method}</button>
    </form>
  </details>`
}

/** The current value; for a new record, every member, to be filled in. */
function rawContent({ members, record }: Form): string {
  const filled = Object.entries(members).map(([member, { type }]) => {
    const value = record[member]
    if (Array.isArray(value)) return [member, value.map((each) => Number(idOf(each)))]
    if (typeof value === 'object' && value !== null) return [member, Number(idOf(value))]
    return [member, value ?? (type === 'list' ? [] : type === 'integer' || type === 'field' ? null : '')]
  })
  return JSON.stringify(Object.fromEntries(filled), null, 2)
}
