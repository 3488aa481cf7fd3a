/** Pages for people. */
export { assets } from './assets.ts'
export { renderPage } from './browse.ts'
export { renderForm } from './form.ts'
