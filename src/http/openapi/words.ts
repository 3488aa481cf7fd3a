/** What the document says in sentences. */
import { SESSION_COOKIE } from '../cookies.ts'
import { CSRF_MEMBER } from '../identify.ts'

export const ABOUT = `Word sets and the texts they colour, as JSON. Anyone reads; to write, sign in.

- Every address but \`/healthz\` ends in a slash. Without it, GET and HEAD are answered 301 and all others 308, to
  the address with it.
- In place of the slash a path below \`/api/\` may end in \`.json\`, \`.api\` or, where plain text can be had, \`.txt\`;
  that is the same as the parameter \`format\`, and counts more.
- A client that names \`text/html\` in Accept and prefers it gets the page for people, whatever the status.
- \`Accept: application/json; indent=4\` indents JSON, by 1 to 8.
- A request may carry an \`X-Request-Id\`, which the answer repeats.
- HEAD is GET without the body. A method that an address does not have is answered 405, an address that does not exist
  404, both with a \`problem\`.
- Parameters that are not known are ignored, and so are members of a body.
- Wrong credentials are answered 401, whatever was asked for.
- A body is JSON, a form or a multipart form, of up to 1 MiB. A form gives a list by repeating the member.

Not listed here are \`/\`, which leads to \`/api/\`, the pages that are made for people alone, and the files they load.`

export const TAGS: Readonly<Record<string, string>> = {
  catalogue: 'The catalogue as a whole: its collections, its words, its sets side by side.',
  text: 'Questions about free text. Nothing of it is stored.',
  accounts: 'Accounts, sessions and tokens. The same addresses serve forms to people.',
  server: 'What the server says of itself.',
}

export const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic', description: 'User name and password.' },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The word `Token`, a space, and the token: `Authorization: Token 9944b09199c62bcf9418ad846dd0e4bb`.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token in the way of OAuth.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: `What signing in at \`/accounts/login/\` sets; over https it is named \`__Host-${SESSION_COOKIE}\`. To write, it needs \`csrf\` beside it.`,
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRFToken',
    description: `What the forms of our pages carry as \`${CSRF_MEMBER}\`; forms may send it as that member instead.`,
  },
}
