/** A whole story pasted at once: pairs of a phrase and its topic, or two lists. */
import { type Content, html } from '../../html.ts'
import { BLANK, BREAK, isBlank, type Line } from './lines.ts'

/** As many as a form can send. */
const MOST_LINES = 300
/** In UTF-16 units, of each field. */
const LONGEST = 50_000
export const TOO_MUCH_PASTED = `A form takes ${MOST_LINES} lines. Paste fewer.`

/** What is in the fields and is not among the lines yet. */
export interface Pasted {
  readonly pairs: string
  readonly phrases: string
  readonly topics: string
}

/** Undefined if all fields are empty. */
export function pastedIn(form: ReadonlyMap<string, readonly string[]>): Pasted | undefined {
  const text = (name: string) => (form.get(name)?.at(-1) ?? '').trim()
  const pasted = { pairs: text('paste_pairs'), phrases: text('paste_phrases'), topics: text('paste_topics') }
  return Object.values(pasted).some((each) => each !== '') ? pasted : undefined
}

export function pasteFields(pasted: Pasted | undefined): Content {
  return html`<details class="code" open=${pasted !== undefined} data-key="pasting">
    <summary>Paste a whole story</summary>
    <label class="label" for="paste_pairs">Pairs</label>
    <textarea id="paste_pairs" name="paste_pairs" rows="4" aria-describedby="paste-pairs-help" data-key="paste_pairs">${pasted?.pairs}</textarea>
    <span class="help" id="paste-pairs-help">On each line the name of a phrase, a comma, and a topic: <i>Departure, sea</i>. An empty line begins a paragraph.</span>
    <div class="pasting">
      <div>
        <label class="label" for="paste_phrases">Or phrases</label>
        <textarea id="paste_phrases" name="paste_phrases" rows="4" aria-describedby="paste-lists-help" data-key="paste_phrases">${pasted?.phrases}</textarea>
      </div>
      <div>
        <label class="label" for="paste_topics">and topics</label>
        <textarea id="paste_topics" name="paste_topics" rows="4" aria-describedby="paste-lists-help" data-key="paste_topics">${pasted?.topics}</textarea>
      </div>
    </div>
    <span class="help" id="paste-lists-help">One name on each line of both lists. A single topic is used for all lines.</span>
    <p class="chips"><button class="btn small" name="action" value="paste" data-key="paste">Add these lines</button></p>
  </details>`
}

/** The lines of the form, and after them those that were pasted. Undefined if they are too many. */
export function withPasted(lines: readonly Line[], { pairs, phrases, topics }: Pasted): readonly Line[] | undefined {
  if ([pairs, phrases, topics].some(({ length }) => length > LONGEST)) return undefined
  const pasted = [...ofPairs(rowsOf(pairs)), ...ofLists(rowsOf(phrases), rowsOf(topics))]
  const whole = [...lines.filter((line) => !isBlank(line)), ...pasted]
  return whole.length > MOST_LINES ? undefined : whole
}

function rowsOf(text: string): string[] {
  return text === '' ? [] : text.split(/\r\n?|\n/).map((row) => row.trim())
}

/** The topic comes after the last comma, because names of phrases may have commas. */
export function ofPairs(rows: readonly string[]): Line[] {
  return rows.map((row) => {
    if (row === '' || row === BREAK) return { ...BLANK, phrase: BREAK }
    const [, phrase = row, quadranym = ''] = /^(.*),\s*([^,]*)$/s.exec(row) ?? []
    return { phrase: phrase.trim(), quadranym: quadranym.trim() }
  })
}

/** Empty lines of the phrases begin paragraphs; those of the topics mean nothing. */
export function ofLists(phrases: readonly string[], topics: readonly string[]): Line[] {
  const given = topics.filter((topic) => topic !== '')
  let next = 0
  return phrases.map((phrase) => {
    if (phrase === '' || phrase === BREAK) return { ...BLANK, phrase: BREAK }
    return { phrase, quadranym: given.length === 1 ? (given[0] ?? '') : (given[next++] ?? '') }
  })
}
