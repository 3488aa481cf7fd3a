/** Pages for people. */
export { assets } from './assets.ts'
export { renderPage } from './browse/index.ts'
export { renderDocs } from './docs/index.ts'
export { renderError } from './error.ts'
export { visits } from './explorer/index.ts'
export { renderForm } from './form.ts'
