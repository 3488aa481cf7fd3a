/** A whole story pasted at once: pairs of a phrase and its topic, or two lists. */
import { type Content, html } from '../../html.ts'
import { BLANK, BREAK, isBlank, type Line } from './lines.ts'

/** More lines than a form can send are cut off. */
const MOST_LINES = 300
const LONGEST = 50_000

export function pasteFields(): Content {
  return html`<details class="code">
    <summary>Paste a whole story</summary>
    <label class="label" for="paste_pairs">Pairs</label>
    <textarea id="paste_pairs" name="paste_pairs" rows="4" aria-describedby="paste-pairs-help"></textarea>
    <span class="help" id="paste-pairs-help">On each line the name of a phrase, a comma, and a topic: <i>Departure, sea</i>. An empty line begins a paragraph.</span>
    <div class="pasting">
      <div>
        <label class="label" for="paste_phrases">Or phrases</label>
        <textarea id="paste_phrases" name="paste_phrases" rows="4" aria-describedby="paste-lists-help"></textarea>
      </div>
      <div>
        <label class="label" for="paste_topics">and topics</label>
        <textarea id="paste_topics" name="paste_topics" rows="4" aria-describedby="paste-lists-help"></textarea>
      </div>
    </div>
    <span class="help" id="paste-lists-help">One name on each line of both lists. A single topic is used for all lines.</span>
    <p class="chips"><button class="btn small" name="action" value="paste" data-key="paste">Add these lines</button></p>
  </details>`
}

/** The lines of the form, and after them those that were pasted. */
export function withPasted(lines: readonly Line[], form: ReadonlyMap<string, readonly string[]>): readonly Line[] {
  const text = (name: string) => rowsOf(form.get(name)?.at(-1) ?? '')
  const pasted = [...ofPairs(text('paste_pairs')), ...ofLists(text('paste_phrases'), text('paste_topics'))]
  return [...lines.filter((line) => !isBlank(line)), ...pasted].slice(0, MOST_LINES)
}

/** Trimmed lines, without the empty ones at both ends. */
function rowsOf(text: string): string[] {
  const trimmed = text.slice(0, LONGEST).trim()
  return trimmed === '' ? [] : trimmed.split(/\r\n?|\n/).map((row) => row.trim())
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
