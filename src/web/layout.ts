/** What every page has around its content. */
import { ICON, STYLE } from './assets.ts'
import { type Html, html } from './html.ts'

interface Layout {
  readonly title: string
  readonly user: string | undefined
  /** Where to come back to after signing in. */
  readonly here?: string
  readonly trail?: readonly Html[]
  readonly main: Html
}

export function layout({ title, user, here, trail, main }: Layout): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Nymdex</title>
<link rel="stylesheet" href="${STYLE}">
<link rel="icon" href="${ICON}">
</head>
<body>
<header>
<a class="brand" href="/">nym<b>dex</b></a>
${trail && html`<nav aria-label="Where you are">${trail}</nav>`}
${account(user, here)}
</header>
<main>
${main}
</main>
</body>
</html>
`.text
}

function account(user: string | undefined, here: string | undefined): Html {
  if (user !== undefined) return html`<a class="account" href="/accounts/">${user}</a>`
  const next = here ? `?next=${encodeURIComponent(here)}` : ''
  return html`<a class="account" href="/accounts/login/${next}">Sign in</a>`
}
