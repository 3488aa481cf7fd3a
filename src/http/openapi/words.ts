/** What the document says in sentences. */
import { SESSION_COOKIE } from '../exchange/cookies.ts'
import { CSRF_MEMBER } from '../request/identify.ts'

export const ABOUT = `Word sets and the texts they colour, as JSON. Anyone can read; to write, sign in.

This document lists what each address does. \`/api/docs/?format=md\` explains the interface in prose, and
\`/api/schema/?collection=NAME\` gives the part of this document that one collection needs.

- Every address but \`/healthz\` and \`/readyz\` ends in a slash. Without the slash, the server redirects: 301 for GET and HEAD, 308 for
  other methods.
- HEAD answers like GET, without the body. OPTIONS describes an address: its name, what it is, and, to those who may write,
  the members that a body may have. Neither is listed here.
- Answers are JSON. A client that names \`text/html\` in Accept and prefers it gets a page for people instead, whatever the
  status. \`Accept: application/json; indent=4\` indents JSON, by 1 to 8.
- Every address takes \`format=json\`, which gives JSON whatever Accept says. In place of the slash, a path below \`/api/\`
  may end in the format: \`/api/schema.json\`.
- Answers to GET, other than whole lists, have an ETag; send it as If-None-Match to get 304 while nothing has changed.
- Lists are filtered by their members: \`area=myth\`, \`depth__gte=5\`, \`name__icontains=sea\`. All filters must hold.
  Numbered members are filtered alike, so the document lists only the first: what \`p1\` takes, \`p2\` takes, too. What is
  listed for a list also works for \`random/\`, \`daily/\` and \`facets/\`.
- The server ignores parameters, and members of a body, that it does not know.
- A body is JSON, a form or a multipart form of up to 1 MiB. A form gives a list by repeating the member.
- Schemas describe whole records. With the parameters \`fields\` or \`omit\`, members that a schema requires may be missing;
  with \`embed=ids\`, an id stands where a schema has a record.
- Wrong credentials are 401 on every address. Problems of the server itself (500, 503) may occur on every address.
- Any answer may have the headers that the answer \`4XX\` lists. A request may carry an X-Request-Id, which the answer repeats.

The pages of the site for people, which begin at \`/\`, and the files that they load are not listed here.`

export const TAGS: Readonly<Record<string, string>> = {
  catalogue: 'The catalogue as a whole: its collections, its words, and sets side by side.',
  text: 'Questions about free text. The server stores none of it.',
  accounts: 'Accounts, sessions and tokens. In a browser, the same addresses show forms.',
  server: 'What the server says of itself.',
}

export const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic', description: 'User name and password.' },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The word `Token`, a space, and a token: `Authorization: Token 9944b09199c62bcf9418ad846dd0e4bb`.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token, as OAuth sends it.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: `The cookie that signing in at \`/accounts/login/\` sets; over https its name is \`__Host-${SESSION_COOKIE}\`. To write, send \`csrf\`, too.`,
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRFToken',
    description: `The value that forms on the pages have as \`${CSRF_MEMBER}\`; a form may send it as that member instead.`,
  },
}
