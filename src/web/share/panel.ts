/** "Share": the text, the link, the picture and the HTML of a record, to copy. Without scripts they are fields to select. */
import { type Content, html } from '../html.ts'
import { PREVIEW_HEIGHT, PREVIEW_WIDTH } from '../previews/card.ts'
import type { Shared } from './shared.ts'

interface Panel {
  readonly base: string
  readonly shared: Shared
  /** The drawing as a file of its own, if there is one. */
  readonly svg?: string | undefined
  /** Links to other forms of the record. */
  readonly links?: Content
}

/** The part that turns of a text replace is marked for turn.js. */
export function sharePanel(panel: Panel): Content {
  return html`<details class="share">
    <summary>${panel.links ? 'Share, embed, data' : 'Share'}</summary>
    <div class="card">
      <div data-turn="share">${shared(panel)}</div>
      <p class="soft" role="status" data-copied></p>
      ${panel.links && html`<p class="meta">${panel.links}</p>`}
    </div>
  </details>`
}

function shared({ base, shared: { address, picture, alt, text }, svg }: Panel): Content {
  const link = base + address
  const file = decodeURI(picture.replace(/^\/(.*)\.png.*$/, 'nymdex-$1.png')).replaceAll(/[\s/]+/g, '-')
  const embed = embedHtml({ link, image: base + (svg ?? picture), alt, size: svg ? undefined : [600, 315] })
  return html`<p class="shot">
      <a href=${picture} download=${file}>
        <img loading="lazy" src=${picture} width=${PREVIEW_WIDTH} height=${PREVIEW_HEIGHT} alt="" /> Download the picture
      </a>
      <button class="btn small" type="button" data-send="share-text" hidden>Send …</button>
    </p>
    ${field('link', 'Link', html`<input id="link" class="copied" readonly value=${link} />`)}
    ${field('share-text', 'Text', html`<textarea id="share-text" class="copied" readonly rows="4">${`${text}\n${link}`}</textarea>`)}
    ${field('embed', 'Picture for a page', html`<input id="embed" class="copied" readonly value=${embed} />`)}`
}

/** share.js shows the button. */
function field(id: string, label: string, control: Content): Content {
  return html`<label for=${id}>${label}</label>
    <div class="pair">
      ${control}
      <button class="btn small" type="button" data-copy=${id} aria-label=${`Copy: ${label}`} hidden>Copy</button>
    </div>`
}

interface Embed {
  readonly link: string
  readonly image: string
  readonly alt: string
  readonly size: readonly [width: number, height: number] | undefined
}

/** HTML that people paste into another page. */
export function embedHtml({ link, image, alt, size }: Embed): string {
  const measures = size ? ` width="${size[0]}" height="${size[1]}"` : ''
  return `<a href="${escaped(link)}"><img src="${escaped(image)}"${measures} alt="${escaped(alt)}"></a>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
