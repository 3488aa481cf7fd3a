/** The buttons with which staff hide a record, and show it again. */
import type { Visit } from '../http/index.ts'
import { type Content, html } from './html.ts'

/** The page that lists hidden records; its form hides and shows them. */
export const HIDDEN_PATH = '/hidden/'

interface Place {
  readonly resource: string
  readonly id: number
}

interface Button {
  readonly text: string
  /** What the record will be. */
  readonly hidden: boolean
  readonly className: string
}

/** A form of one button; nothing for visitors who are no staff. */
export function hideButton(visit: Visit, place: Place, { text = 'Hide', className = 'btn' } = {}): Content {
  return button(visit, place, { text, hidden: true, className })
}

export function showButton(visit: Visit, place: Place, className = 'btn small'): Content {
  return button(visit, place, { text: 'Show it again', hidden: false, className })
}

function button({ csrf, visitor }: Visit, { resource, id }: Place, { text, hidden, className }: Button): Content {
  if (!visitor?.staff) return undefined
  return html`<form method="post" action=${HIDDEN_PATH}>
    <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
    <input type="hidden" name="resource" value=${resource} />
    <input type="hidden" name="id" value=${id} />
    <button class=${className} type="submit" name="hidden" value=${String(hidden)}>${text}</button>
  </form>`
}
