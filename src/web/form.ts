/** Pages with forms. Each error is shown at its field. */
import type { FormField, FormView } from '../http/index.ts'
import { inOurWords } from './form-errors.ts'
import { type Content, html } from './html.ts'
import type { Kinds } from './kinds/index.ts'
import { layout } from './layout.ts'

export function renderForm(view: FormView, user: string | undefined, kinds: Kinds): string {
  const { title, notes = [], forms, links = [], csrf } = view
  return layout({
    kinds,
    csrf,
    title,
    user,
    part: 'people',
    main: html`<div class="sheet">
      <p class="kind">${user === undefined ? 'Account' : `Account of ${user}`}</p>
      <h1>${title}</h1>
      ${notes.map((note) => html`<p class="note">${note}</p>`)} ${forms.map((form) => renderPart(form, csrf))}
      ${(links.length > 0 || user !== undefined) && ways(links, user)}
    </div>`,
  })
}

/** Links from here; a signed-in user also has a link to their own page. */
function ways(links: NonNullable<FormView['links']>, user: string | undefined): Content {
  return html`<p class="chips links">
    ${user !== undefined && html`<a class="btn" href=${`/people/${encodeURIComponent(user)}/`}>Your page</a>`}
    ${links.map(({ href, text }) => html`<a class="btn" href=${href}>${text}</a>`)}
  </p>`
}

function renderPart({ action, submit, fields, errors = {} }: FormView['forms'][number], csrf: string): Content {
  const known = new Set(fields.map(({ name }) => name))
  const others = Object.entries(errors).filter(([member]) => !known.has(member))
  const bare = fields.length === 0
  return html`<form class=${bare ? 'bare' : 'fields'} method="post" action=${action}>
    <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
    ${others.flatMap(([, messages]) => messages.map((message) => html`<p class="wrong" role="alert">${inOurWords(message)}</p>`))}
    ${fields.map((field) => renderField(field, errors[field.name] ?? []))}
    <button class=${bare ? 'btn' : 'btn go'} type="submit">${submit}</button>
  </form>`
}

function renderField(field: FormField, wrong: readonly string[]): Content {
  const { name, label, type, value, help, autocomplete } = field
  if (type === 'checkbox') {
    return html`<label><input type="checkbox" name=${name} value="true" checked=${field.checked ?? false} /> ${label}</label>
      ${wrong.length > 0 && html`<span class="wrong" id=${`${name}-wrong`}>${wrong.map(inOurWords).join(' ')}</span>`}`
  }
  if (type === 'hidden') return html`<input type="hidden" name=${name} value=${value ?? ''} />`
  const described = [help && `${name}-help`, wrong.length > 0 && `${name}-wrong`].filter(Boolean).join(' ')
  return html`<label for=${name}>${label}</label>
    <input
      id=${name}
      name=${name}
      type=${type}
      value=${value ?? ''}
      autocomplete=${autocomplete}
      aria-describedby=${described || undefined}
      aria-invalid=${wrong.length > 0 ? 'true' : undefined}
    />
    ${help && html`<span class="help" id=${`${name}-help`}>${help}</span>`}
    ${wrong.length > 0 && html`<span class="wrong" id=${`${name}-wrong`}>${wrong.map(inOurWords).join(' ')}</span>`}`
}
