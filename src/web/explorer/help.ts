/** /help/: what curators and developers need to know, with links to where they do it. */
import { hereOf } from '../addresses.ts'
import { LEARN_STYLE } from '../assets.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kinds } from '../kinds/index.ts'
import { layout } from '../layout.ts'

const DOES = 'How to add to the catalogue and take care of it, and how to use it from a program.'

export const helpPage: ExplorerPage = {
  path: '/help/',
  title: 'Help',
  GET: (visit) => ({
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title: 'Help',
      user: visit.visitor?.name,
      here: hereOf(visit),
      base: visit.base,
      part: 'help',
      description: DOES,
      styles: [LEARN_STYLE],
      main: html`<div class="helping">
        <h1>Help</h1>
        <p class="does">${DOES} New here? <a href="/learn/">Learn what it is about</a> first.</p>
        ${forCurators(visit.kinds)} ${forDevelopers(visit)}
      </div>`,
    }),
  }),
}

function forCurators({ canAnnotate, find }: Kinds): Content {
  return html`<h2 id="curators">For curators</h2>
    <ul>
      <li>Everybody can read. To add, change or like something, <a href="/accounts/signup/">make an account</a>; a name and a password are enough.</li>
      <li><a href="/make/">Make</a> lists everything you can add. The form says at once if there is already one like yours.</li>
      ${canAnnotate && html`<li>To add a saying, <a href="/annotate/">mark its words</a> with the topics they belong to. Then it can be turned: told with another topic.</li>`}
      <li>You can edit and delete what you made. Of everything else you can make a copy of your own: “Make one like it”.</li>
      <li>What other entries use cannot be deleted; the page says where it is used.</li>
      <li>Nothing is lost: each page has a history, and <a href="/changes/">recent changes</a> shows what others did. From there a change can be undone.</li>
      ${find('queue') && html`<li><a href="/queue/">Wanted topics</a> are words that somebody would like to see. Make one of them, or <a href="/make/queue/">ask for another</a>.</li>`}
      <li>Press <kbd>/</kbd> on any page to search.</li>
    </ul>`
}

function forDevelopers({ base, kinds }: ExplorerVisit): Content {
  const [first] = kinds.all
  return html`<h2 id="developers">For developers</h2>
    <ul>
      <li>Everything on these pages is also in the API, without a key: <a href="/api/">browse it</a>, or read the <a href="/api/docs/">API reference</a>.</li>
      ${first && html`<li>Try it: <code>curl ${`${base}/api/${first.name}/`}</code></li>`}
      <li>For a client in your language, there is the OpenAPI document as <a href="/api/schema/?format=json">JSON</a> or <a href="/api/schema/?format=yaml">YAML</a>.</li>
      <li>To write, send a token: <a href="/accounts/tokens/">make one</a> in your account, and send <code>Authorization: Token …</code>.</li>
      <li>Whole lists come as CSV or NDJSON: add <code>?format=csv</code> or <code>?format=ndjson</code> to the address of a list.</li>
      <li>To follow changes, read the <a href="/changes.atom">feed</a>, or <a href="/api/changes/">the log</a>, which also comes as a live stream.</li>
    </ul>`
}
