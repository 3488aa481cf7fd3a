/** Pages for people. */
import type { AnyResource, Level } from '../declare/index.ts'
import type { DocsView, ErrorView, FormView, PageView } from '../http/index.ts'
import { assets } from './assets.ts'
import { renderPage } from './browse/index.ts'
import { renderDocs } from './docs/index.ts'
import { renderError } from './error.ts'
import { explorerPages } from './explorer/index.ts'
import { renderForm } from './form.ts'
import { kindsOf } from './kinds/index.ts'
import { withMessage } from './messages.ts'

/** The pages of a site that serves this catalogue, to people with these levels. */
export function pagesFor(catalogue: readonly AnyResource[], levels: readonly Level[] = []) {
  const kinds = kindsOf(catalogue, levels)
  return {
    assets,
    visits: explorerPages(kinds),
    renderPage: (view: PageView) => renderPage(view, kinds),
    renderForm: (view: FormView, user: string | undefined) => renderForm(view, user, kinds),
    renderDocs: (view: DocsView) => renderDocs(view, kinds),
    renderError: (view: ErrorView) => renderError(view, kinds),
    withMessage,
  }
}
