/** Pages for people. */
import { readFileSync } from 'node:fs'

export { renderPage } from './browse.ts'
export { renderForm } from './form.ts'

/** Files sent as they are. */
export const assets = new Map([
  ['look.css', { type: 'text/css; charset=utf-8', bytes: readFileSync(new URL('./assets/look.css', import.meta.url)) }],
])
