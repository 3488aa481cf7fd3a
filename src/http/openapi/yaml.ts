/** JSON data as YAML 1.2, in block style. Every text is quoted unless no parser could take it for anything else. */

type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data }

/** Ends with a line break. */
export function toYaml(data: unknown): string {
  const lines: string[] = []
  write(data as Data, '', lines, '')
  return `${lines.join('\n')}\n`
}

/** `start` is what the first line begins with: an indent, and perhaps a dash or a key. */
function write(data: Data, start: string, lines: string[], indent: string): void {
  if (Array.isArray(data) && data.length > 0) {
    if (!isOpen(start)) lines.push(start.trimEnd())
    data.forEach((each, i) => {
      const isFirst = i === 0 && isOpen(start)
      write(each, `${isFirst ? start : indent}- `, lines, `${indent}  `)
    })
  } else if (typeof data === 'object' && data !== null && Object.keys(data).length > 0) {
    if (!isOpen(start)) lines.push(start.trimEnd())
    Object.entries(data).forEach(([key, each], i) => {
      const isFirst = i === 0 && isOpen(start)
      const begin = `${isFirst ? start : indent}${keyOf(key)}: `
      // A list may stand as far to the left as its key.
      write(each, begin, lines, Array.isArray(each) ? indent : `${indent}  `)
    })
  } else if (typeof data === 'string' && isBlock(data)) {
    lines.push(`${start}|-`, ...data.split('\n').map((line) => (line === '' ? '' : `${indent || '  '}${line}`)))
  } else {
    lines.push(start + (typeof data === 'string' ? textOf(data) : JSON.stringify(data)))
  }
}

/** Texts of several lines stand as they are, unless spaces or signs at the edge of a line could get lost. */
function isBlock(text: string): boolean {
  return text.includes('\n') && /^[\x20-\x7e\n]+$/.test(text) && !/^\s|[ \n]$| \n/.test(text)
}

/** After a dash, or at the very beginning, the first entry stands on the same line. */
function isOpen(start: string): boolean {
  return start === '' || start.endsWith('- ')
}

/** Words that are texts to every reader: nothing that YAML, 1.1 either, could read as a number, a date or a truth. */
const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./-]*$/
const NOT_TEXTS = /^(?:null|true|false|yes|no|on|off|y|n)$/i

function keyOf(key: string): string {
  return PLAIN.test(key) && !NOT_TEXTS.test(key) ? key : quoted(key)
}

function textOf(text: string): string {
  return PLAIN.test(text) && !NOT_TEXTS.test(text) ? text : quoted(text)
}

/** JSON's escapes are YAML's, too; YAML wants a few more characters escaped than JSON does. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
