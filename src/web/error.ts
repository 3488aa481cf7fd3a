/** The error page: not found, not allowed, or failed. */
import type { ErrorView } from '../http/index.ts'
import { inOurWords } from './form-errors.ts'
import { type Content, html } from './html.ts'
import type { Kinds } from './kinds/index.ts'
import { layout } from './layout.ts'

const TITLES: Readonly<Record<number, string>> = {
  400: 'That does not work',
  401: 'Sign in first',
  403: 'You may not do that',
  404: 'There is nothing here',
  405: 'That does not work',
  409: 'It is still in use',
  412: 'It has changed in the meantime',
  413: 'That is too much at once',
  429: 'Too fast',
  503: 'Not at the moment',
}

/** The text for errors whose API message says no more than the title. */
const WORDS: Readonly<Record<number, string>> = {
  401: 'Anyone may read; to make, change or like something you need an account.',
  403: 'Only its owner and staff may change it.',
  404: 'There is no such page. The address may be mistyped, or the record may have been deleted.',
  500: 'This is our fault, and it has been logged. What you sent was not saved.',
}
const DELETED = 'There was a record here. Its history says who deleted it, when, and what it was.'
const SILENT = new Set([
  'Not found.',
  'A server error occurred.',
  'Authentication credentials were not provided.',
  'You do not have permission to perform this action.',
])

/** A record that is not there. */
interface Fault extends ErrorView {
  /** A deleted record has a history. */
  readonly history?: string | undefined
  /** A hidden one says when that was; staff have a button that shows it again. */
  readonly hidden?: { readonly when: Content; readonly show: Content } | undefined
}

export function renderError(fault: Fault, kinds: Kinds): string {
  const { status, json, here, user, csrf, back, history, hidden } = fault
  const title = titleOf(fault)
  const next = encodeURIComponent(here)
  return layout({
    kinds,
    csrf,
    title,
    user,
    here,
    isFault: true,
    main: html`<div class="state">
      ${figure(status)}
      <p class="kind">${status}</p>
      <h1>${title}</h1>
      ${
        hidden
          ? html`<p>Those who look after the site hid it ${hidden.when}. Nobody can read it now, and nothing of it is found. It is not lost: staff can show it again.</p>`
          : (history ? [DELETED] : saidOf(status, json)).map((sentence) => html`<p>${sentence}</p>`)
      }
      <div class="chips">
        ${hidden?.show} ${status === 401 && html`<a class="btn go" href=${`/accounts/login/?next=${next}`}>Sign in</a>`}
        ${history && html`<a class="btn go" href=${history}>See its history</a>`}
        ${back && html`<a class="btn go" href=${back}>Go back</a>`}
        <a class="btn" href="/">Go to the front page</a>
        ${status === 404 && html`<a class="btn" href="/random/">Go to a random page</a>`}
      </div>
    </div>`,
  })
}

function titleOf({ status, json, history, hidden }: Fault): string {
  if (hidden) return 'Staff have hidden it'
  if (status === 503 && /takes too long/.test(JSON.stringify(json ?? ''))) return 'That takes too long'
  return history ? 'It was deleted' : (TITLES[status] ?? 'Something went wrong')
}

/** The detail, or what is wrong with each member. */
function saidOf(status: number, json: any): string[] {
  const said = Object.entries((json ?? {}) as Record<string, unknown>)
    .filter(([member]) => member !== 'count' && member !== 'used_by')
    .flatMap(([member, messages]) =>
      [messages]
        .flat()
        .map((message) =>
          /^(detail|non_field_errors)$/.test(member) ? `${message}` : `${member}: ${inOurWords(`${message}`)}`,
        ),
    )
    .filter((sentence) => !(SILENT.has(sentence) && WORDS[status]))
  return said.length > 0 ? said.map(inOurWords) : [WORDS[status] ?? 'The request could not be answered.']
}

/** A quadranym without words, and one pole missing. */
function figure(status: number): Content {
  const missing = status === 404
  return html`<svg viewBox="0 0 120 120" aria-hidden="true">
    <circle class="ring" cx="60" cy="60" r="44" fill="none" />
    <path class="ring" d="M60 16V43M60 77V104M16 60H43M77 60H104" fill="none" />
    <circle class="e" cx="60" cy="16" r="7" fill="currentColor" />
    <circle class="r" cx="60" cy="104" r="7" fill="currentColor" />
    <circle class="s" cx="16" cy="60" r="7" fill="currentColor" />
    ${missing ? html`<circle class="gap" cx="104" cy="60" r="6" />` : html`<circle class="o" cx="104" cy="60" r="7" fill="currentColor" />`}
    <circle class="ring" cx="60" cy="60" r="17" fill="none" />
    <text x="60" y="67" text-anchor="middle" font-size="20">${missing ? '?' : '!'}</text>
  </svg>`
}
