/** HTML as tagged templates. Whatever is put in is escaped, unless it is HTML made here. */

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Content = string | number | Html | undefined | false | readonly Content[]

export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: strings }, ...contents.map(write)))
}

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function write(content: Content): string {
  if (content instanceof Html) return content.text
  if (Array.isArray(content)) return content.map(write).join('')
  if (content === undefined || content === false) return ''
  return String(content).replace(/[&<>"']/g, (mark) => MARKS[mark]!)
}
