/** Pages for people. */
import { readFileSync } from 'node:fs'

export { renderPage } from './browse.ts'
export { renderForm } from './form.ts'

/** Files sent as they are, by their path. Browsers ask for favicon.ico wherever no page names another icon. */
export const assets = new Map([
  ['/static/look.css', asset('look.css', 'text/css; charset=utf-8')],
  ['/static/icon.svg', asset('icon.svg', 'image/svg+xml')],
  ['/favicon.ico', asset('icon.svg', 'image/svg+xml')],
])

function asset(file: string, type: string) {
  return { type, bytes: readFileSync(new URL(`./assets/${file}`, import.meta.url)) }
}
