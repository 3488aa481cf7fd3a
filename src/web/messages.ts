/** The word of success after a write. The redirect names it by its code, and the next page shows it. */
import type { Message, MessagePlace } from '../http/index.ts'
import { html, render } from './html.ts'

interface Text {
  readonly says: string
  /** A way to go on, if the message is about a record. */
  readonly way?: { readonly text: string; readonly to: string }
}

const TEXTS: Readonly<Record<string, Text>> = {
  created: { says: 'Created. Thank you.' },
  saved: { says: 'Saved.' },
  deleted: { says: 'Deleted.', way: { text: 'Bring it back from its history', to: 'history/' } },
  undone: { says: 'Undone. This is what went back.' },
  hidden: { says: 'It is hidden: nobody can read it now.' },
  shown: { says: 'It is shown again.' },
  liked: { says: 'You like this.' },
  unliked: { says: 'You no longer like this.' },
  'signed-in': { says: 'You are signed in.' },
  'signed-out': { says: 'You are signed out.' },
  'password-changed': { says: 'Your password is changed. All your other sessions have ended.' },
  recovered: { says: 'Your new password is set. All other sessions have ended, and your tokens are revoked.' },
  'recovered-without-address': {
    says: 'Your new password is set. All other sessions have ended, your tokens are revoked, and your email address is removed. You can set it again.',
  },
  'recovered-without-codes': {
    says: 'Your new password is set. All other sessions have ended, and your tokens and recovery codes are revoked. You can make new codes here.',
  },
  'account-deleted': { says: 'Your account is deleted.' },
  'link-sent': { says: 'If your account has a confirmed email address, a link is on its way to it.' },
  'confirm-sent': { says: 'A link is on its way to your address. Open it to confirm the address.' },
  'address-confirmed': { says: 'Your email address is confirmed.' },
  'address-removed': { says: 'Your email address is removed.' },
  'token-renamed': { says: 'The token has its new name.' },
  'token-revoked': { says: 'The token is revoked.' },
  'session-ended': { says: 'That session has ended.' },
  'signed-out-everywhere': { says: 'All sessions of the user have ended.' },
  'sessions-ended': { says: 'All your other sessions have ended.' },
}

/** Every page has it, so that scripts can show messages there, too. */
const EMPTY = '<p id="message" class="message" role="status"></p>'

export function withMessage(page: string, { code, place }: Message): string {
  const text = Object.hasOwn(TEXTS, code) ? TEXTS[code] : undefined
  if (!text) return page
  const { says, way } = text
  const shown = render(
    html`<p id="message" class="message" role="status">
      ${says}${way && place && html` <a href=${`${addressOf(place)}${way.to}`}>${way.text}</a>`}
    </p>`,
  )
  return page.replace(EMPTY, () => shown)
}

function addressOf({ resource, id }: MessagePlace): string {
  return `/${resource}/${id}/`
}
