/**
 * Fortune files, as the Unix program of that name reads them: texts, each followed by a line `%`. In old files `%%`
 * does the same, and a line that begins with `%%` and continues is a comment.
 */
import { type Item, Unreadable } from '../item.ts'
import { LONGEST } from './bytes.ts'
import { linesOf } from './lines.ts'

export function* readFortunes(path: string, chunkSize?: number): Generator<Item, undefined> {
  let entry: Entry | undefined
  for (const { number, end, text } of linesOf(path, chunkSize)) {
    const kind = kindOf(text)
    if (kind === 'end') {
      if (entry) yield entry.item()
      entry = undefined
    } else if (kind === 'text') {
      const cleaned = text instanceof Unreadable ? text : clean(text)
      // Empty lines before a text are not part of it.
      if (cleaned !== '') entry ??= new Entry(number)
      entry?.add(cleaned, end)
    }
  }
  if (entry) yield entry.item()
}

/**
 * A text as an entry. A line that would end it, or be a comment, gets a space before it: the format cannot hold such a
 * line, and a space is the least visible change.
 */
export function fortuneEntry(text: string): string {
  const lines = text.split('\n').map((line) => (kindOf(line) === 'text' ? line : ` ${line}`))
  return `${lines.join('\n')}\n%\n`
}

function kindOf(line: string | Unreadable): 'text' | 'end' | 'comment' {
  if (line instanceof Unreadable || !line.startsWith('%')) return 'text'
  const trimmed = line.trimEnd()
  if (trimmed === '%' || trimmed === '%%') return 'end'
  return line.startsWith('%%') ? 'comment' : 'text'
}

/**
 * Removes printer codes for underlining (`_`, back, letter) and bold (letter, back, letter), and other control
 * characters.
 */
function clean(line: string): string {
  const plain = line.includes('\b') ? line.replaceAll('_\b', '').replaceAll(/(.)(?:\x08(?:\1|_))+/gu, '$1') : line
  return plain.replaceAll(/[\0-\x08\x0b-\x1f]/g, '').trimEnd()
}

class Entry {
  readonly #line: number
  #end = 0
  #length = 0
  #lines: string[] = []
  #fault: Unreadable | undefined

  constructor(line: number) {
    this.#line = line
  }

  add(line: string | Unreadable, end: number): void {
    this.#end = end
    if (line instanceof Unreadable) this.#fault ??= line
    else if (!this.#fault) {
      this.#length += line.length + 1
      this.#lines.push(line)
      if (this.#length > LONGEST) this.#fault = new Unreadable('the text is longer than 2 MiB')
    }
    if (this.#fault) this.#lines = []
  }

  item(): Item {
    const found = this.#fault ?? { text: this.#lines.join('\n').trimEnd() }
    return { line: this.#line, end: this.#end, found }
  }
}
