// @ts-check
// Requests to the API from a page. Each page has a CSRF token for its writes. If the user has signed in again in
// another tab, the token is refused, and this script fetches the new one.
import { page } from './page.js'

export { page }

const READS = new Set(['GET', 'OPTIONS'])
/** @type {string | undefined} */
let token

function tokenOf(/** @type {Document} */ page) {
  const field = /** @type {HTMLInputElement | null} */ (page.querySelector('input[name=csrfmiddlewaretoken]'))
  return field?.value ?? ''
}

export async function renewToken() {
  token = tokenOf((await page(location.href)).page)
  for (const field of document.querySelectorAll('input[name=csrfmiddlewaretoken]')) field.setAttribute('value', token)
  return token
}

/**
 * @param {string} path
 * @param {{ method?: string, json?: unknown, headers?: Record<string, string>, signal?: AbortSignal }} [options]
 * @returns {Promise<{ status: number, json: any }>}
 */
export async function ask(path, { method = 'GET', json, headers = {}, signal } = {}) {
  const send = async () => {
    const answer = await fetch(path, {
      method,
      headers: {
        accept: 'application/json',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(READS.has(method) || token === '' ? {} : { 'x-csrftoken': /** @type {string} */ (token) }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(signal ? { signal } : {}),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type') === 'application/json' && text !== ''
    return { status: answer.status, text, json: isJson ? JSON.parse(text) : undefined }
  }
  if (!READS.has(method)) token ??= tokenOf(document)
  const first = await send()
  const isStale = first.status === 403 && /CSRF/.test(first.text)
  if (!isStale) return first
  await renewToken()
  return await send()
}

/** Waits until the user has stopped typing. */
export function calmly(/** @type {(...given: any[]) => void} */ act, ms = 160) {
  let timer = 0
  const cancel = () => clearTimeout(timer)
  const later = (/** @type {any[]} */ ...given) => {
    cancel()
    timer = window.setTimeout(() => act(...given), ms)
  }
  return Object.assign(later, { cancel })
}
