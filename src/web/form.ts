/** Pages with forms. Each error is shown at its field. */
import type { FormField, FormPart, FormView } from '../http/index.ts'
import { ACCOUNT_SCRIPT } from './assets.ts'
import { inOurWords } from './form-errors.ts'
import { type Content, html } from './html.ts'
import type { Kinds } from './kinds/index.ts'
import { layout } from './layout.ts'

export function renderForm(view: FormView, user: string | undefined, kinds: Kinds): string {
  const { title, notes = [], codes = [], items = [], forms, links = [], csrf } = view
  return layout({
    kinds,
    csrf,
    title,
    user,
    part: 'people',
    scripts: [ACCOUNT_SCRIPT],
    main: html`<div class="sheet">
      <p class="kind">${user === undefined ? 'Account' : `Account of ${user}`}</p>
      <h1>${title}</h1>
      ${notes.map((note) => html`<p class="note">${note}</p>`)}
      ${codes.length > 0 && html`<ol class="codes card">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>`}
      ${items.length > 0 && html`<ul class="entries">${items.map((item) => renderItem(item, csrf))}</ul>`}
      ${forms.map((form) => renderPart(form, csrf))}
      ${(links.length > 0 || user !== undefined) && ways(links, user)}
    </div>`,
  })
}

function renderItem({ title, text, href, form }: NonNullable<FormView['items']>[number], csrf: string): Content {
  return html`<li>
    <div>
      <b>${href ? html`<a href=${href}>${title}</a>` : title}</b>
      <p>${text}</p>
    </div>
    ${form && renderPart({ ...form, about: title }, csrf)}
  </li>`
}

/** Links from here; a signed-in user also has a link to their own page. */
function ways(links: NonNullable<FormView['links']>, user: string | undefined): Content {
  const [first, ...others] = [...links].sort((a, b) => Number(b.isMain ?? false) - Number(a.isMain ?? false))
  const button = ({ href, text, isMain }: (typeof links)[number]) =>
    html`<a class=${isMain ? 'btn go' : 'btn'} href=${href}>${text}</a>`
  return html`<p class="chips links">
    ${first?.isMain && button(first)}
    ${user !== undefined && html`<a class="btn" href=${`/people/${encodeURIComponent(user)}/`}>Your page</a>`}
    ${first && !first.isMain && button(first)} ${others.map(button)}
  </p>`
}

interface Part extends FormPart {
  /** What a button without fields is about, for those who hear only the button. */
  readonly about?: string
}

function renderPart({ action, submit, fields, errors = {}, about }: Part, csrf: string): Content {
  const known = new Set(fields.map(({ name }) => name))
  const others = Object.entries(errors).filter(([member]) => !known.has(member))
  const bare = fields.length === 0
  return html`<form class=${bare ? 'bare' : 'fields'} method="post" action=${action}>
    <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
    ${others.flatMap(([, messages]) => messages.map((message) => html`<p class="wrong" role="alert">${inOurWords(message)}</p>`))}
    ${fields.map((field) => renderField(field, errors[field.name] ?? []))}
    <button class=${bare ? 'btn' : 'btn go'} type="submit">
      ${submit}${about && html`<span class="unseen"> ${about}</span>`}
    </button>
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
      data-repeats=${field.isRepeated}
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
