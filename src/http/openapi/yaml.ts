/** Writes JSON data as YAML 1.2 in block style. Strings are quoted unless every YAML parser reads them as strings. */

type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data }

/** The result ends with a line break. */
export function toYaml(data: unknown): string {
  const lines: string[] = []
  write(data as Data, '', lines, '')
  return `${lines.join('\n')}\n`
}

/** `start` begins the first line: the indent, and a dash or a key. */
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
      // YAML allows a list at the indent of its key.
      write(each, begin, lines, Array.isArray(each) ? indent : `${indent}  `)
    })
  } else if (typeof data === 'string' && isBlock(data)) {
    lines.push(`${start}|-`, ...data.split('\n').map((line) => (line === '' ? '' : `${indent || '  '}${line}`)))
  } else {
    lines.push(start + (typeof data === 'string' ? textOf(data) : JSON.stringify(data)))
  }
}

/** Strings of several lines become block scalars, unless they have spaces or characters that a block would lose. */
function isBlock(text: string): boolean {
  return text.includes('\n') && /^[\x20-\x7e\n]+$/.test(text) && !/^\s|[ \n]$| \n/.test(text)
}

/** After a dash, and at the beginning of the document, the first entry is on the same line. */
function isOpen(start: string): boolean {
  return start === '' || start.endsWith('- ')
}

/** Words that neither YAML 1.1 nor 1.2 reads as a number, a date or a boolean. */
const PLAIN = /^[A-Za-z_/][A-Za-z0-9_./-]*$/
const NOT_TEXTS = /^(?:null|true|false|yes|no|on|off|y|n)$/i

function keyOf(key: string): string {
  return PLAIN.test(key) && !NOT_TEXTS.test(key) ? key : quoted(key)
}

function textOf(text: string): string {
  return PLAIN.test(text) && !NOT_TEXTS.test(text) ? text : quoted(text)
}

/** A JSON string is a YAML string; YAML needs a few more characters escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
