/** What the document says in sentences. */
import { SESSION_COOKIE } from '../exchange/cookies.ts'
import { CSRF_MEMBER } from '../request/identify.ts'

export const ABOUT = `Word sets and the texts they colour, as JSON. Anyone can read; to write, sign in.

This document lists what each address does. \`/api/docs/?format=md\` explains the interface in prose, and
\`/api/schema/?collection=NAME\` returns the part of this document for one collection.

- Every address except \`/healthz\` and \`/readyz\` ends in a slash. Without the slash, the server redirects: 301 for GET and HEAD, 308 for
  other methods.
- HEAD responds like GET, without the body. OPTIONS describes an address: its name, what it is, and, for users who may write,
  the members that a body may have. Neither is listed here.
- Responses are JSON. A client that names \`text/html\` in Accept and prefers it gets a page for people instead, whatever the
  status. \`Accept: application/json; indent=4\` indents JSON, by 1 to 8.
- Every address takes \`format=json\`, which returns JSON whatever Accept says. Instead of the slash, a path under \`/api/\`
  may end in the format: \`/api/schema.json\`.
- Responses to GET, except whole lists, have an ETag; send it as If-None-Match to get 304 while nothing has changed.
- Filter lists by their members: \`area=myth\`, \`depth__gte=5\`, \`name__icontains=sea\`. Records must match all filters.
  Numbered members have the same filters, so the document lists only those of the first: \`p2\` takes what \`p1\` takes. What is
  listed for a list also works for \`random/\`, \`daily/\` and \`facets/\`, and \`fields\`, \`omit\` and \`embed\` for \`related/\`.
- Only the owner of a record, and staff, replace, change or delete it.
- A response with status 201 from a collection has the address of the new record in Location.
- The server ignores parameters, and members of a body, that it does not know.
- A body is JSON or a form of up to 1 MiB. A form gives a list by repeating the member; multipart forms, which are not listed
  here, work in the same way.
- Schemas describe whole records. With the parameters \`fields\` or \`omit\`, members that a schema requires may be missing;
  with \`embed=ids\`, there is an id where a schema has a record.
- Wrong credentials return 401 at every address. Any address may return 500 or 503, for problems of the server itself.
- Any response may have the headers that the response \`4XX\` lists. A request may carry an X-Request-Id, which the response repeats.

This document does not list the pages of the site for people, which begin at \`/\`, or the files that they load.`

export const TAGS: Readonly<Record<string, string>> = {
  catalogue: 'The catalogue as a whole: its collections, its words, and comparing sets.',
  records: 'What many collections offer for a record: votes, related and nested sets.',
  text: 'Questions about free text. The server stores none of it.',
  play: 'Games. The server keeps the answers and the time.',
  fit: 'Whether texts read well with topics, as people judge it.',
  accounts: 'Accounts, sessions and tokens. In a browser, the same addresses show forms.',
  changes: 'The log of changes: what was done to which record, by whom and when.',
  hooks: 'Hooks: the server sends changes to addresses of your choice.',
  server: 'The state of the server.',
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
    description: `The cookie that signing in at \`/accounts/login/\` sets; over https its name is \`__Host-${SESSION_COOKIE}\`. To write, also send \`csrf\`.`,
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRFToken',
    description: `The value that forms on the pages have as \`${CSRF_MEMBER}\`; a form may send it as that member instead.`,
  },
}
