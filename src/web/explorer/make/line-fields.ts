/** The lines of a story or the topics of a tale as fields, with buttons that move, add and remove them. */
import { inOurWords } from '../../form-errors.ts'
import { type Content, html } from '../../html.ts'
import { label } from '../../label.ts'
import { type Pasted, pasteFields } from './line-paste.ts'
import { BLANK, BLANKS, BREAK, isBlank, LINES_KEPT, type Line } from './lines.ts'

interface LinesView {
  readonly kind: 'story' | 'tale'
  /** Undefined if they stay unchanged. */
  readonly lines: readonly Line[] | undefined
  readonly faults: ReadonlyMap<number, string>
  readonly errors: readonly string[]
  /** How many topics the chosen fable of a tale has. */
  readonly topics: number | undefined
  readonly pasted: Pasted | undefined
}

export function lineFields({ kind, lines, faults, errors, topics, pasted }: LinesView): Content {
  if (!lines) {
    return html`<fieldset class="lines">
      <legend>Lines</legend>
      <input type="hidden" name=${LINES_KEPT} value="yes" />
      <p class="note">It has more lines than a form can send. They stay as they are; the API can change them.</p>
    </fieldset>`
  }
  // Blank fields after the last topic of the fable are left out.
  const kept = topics === undefined ? lines.length : lines.findLastIndex((line) => !isBlank(line)) + 1
  const count = kind === 'story' ? Math.max(lines.length, BLANKS) : Math.max(kept, topics ?? 2)
  const shown = Array.from({ length: count }, (_, i) => lines[i] ?? BLANK)
  return html`<fieldset class="lines" data-swap-part="lines">
    <legend>${kind === 'story' ? 'Lines' : 'Topics'}</legend>
    <span class="help">${
      kind === 'story'
        ? html`Each line is a ${label('phrase')}, told with a ${label('topic')}.`
        : html`The ${label('fable')} leaves its ${label('topic', 'topics')} open. Choose what each of them is.`
    }</span>
    ${kind === 'story' && KEYS}
    ${errors.map((error) => html`<p class="wrong">${humanised(inOurWords(error))}</p>`)}
    <ol>
      ${shown.map((line, i) => lineRow(kind, line, i, shown.length, faults.get(i)))}
    </ol>
    <p class="chips">
      ${
        kind === 'story' &&
        html`<button class="btn small" name="action" value="more" data-key="more">Add lines</button>
        <button class="btn small" name="action" value="paragraph" data-key="paragraph">New paragraph</button>`
      }
      ${kind === 'tale' && html`<button class="btn small" name="action" value="topics" data-key="topics">Show the topics of the fable</button>`}
      <button class="btn small" name="action" value="preview" data-key="preview">Show how it reads</button>
    </p>
    ${kind === 'story' && pasteFields(pasted)}
  </fieldset>`
}

/** "Line 0, phrase: ..." counts from zero. */
function humanised(error: string): string {
  return error.replace(/^Line ([0-9]+)/, (_, rank) => `Line ${Number(rank) + 1}`)
}

const KEYS = html`<span class="help by-key">With the keyboard: <kbd>Enter</kbd> begins a new line, on an empty line a new
  paragraph; <kbd>Backspace</kbd> removes an empty line; <kbd>Alt</kbd> <kbd>↑</kbd> and <kbd>Alt</kbd> <kbd>↓</kbd> move a line.</span>`

function lineRow(kind: string, line: Line, i: number, count: number, fault: string | undefined): Content {
  const number = i + 1
  const about = fault ? { 'aria-describedby': `line-${i}-wrong`, 'aria-invalid': 'true' } : {}
  const act = (
    what: string,
    label: string,
    sign: string,
    disabled = false,
  ) => html`<button class="btn small" name="action"
    value=${`${what}:${i}`} data-key=${`${what}-${i}`} disabled=${disabled} aria-label=${`${label} line ${number}`} title=${label}>${sign}</button>`
  const pick = (of: 'phrase' | 'quadranym') => {
    const called = of === 'phrase' ? 'phrase' : 'topic'
    return html`<span class="pick"><input name=${`line_${of}`} value=${line[of]} autocomplete="off" list=${`some-${of}`}
      data-pick=${of} data-key=${`${of}-${i}`} aria-label=${kind === 'story' ? `${called} of line ${number}` : `topic ${number}`}
      placeholder=${called} ...${about} /></span>`
  }
  const isBreak = kind === 'story' && line.phrase === BREAK
  return html`<li class=${isBreak ? 'line-row break' : 'line-row'} data-line=${i}>
    ${
      isBreak
        ? html`<input type="hidden" name="line_phrase" value=${BREAK} /><input type="hidden" name="line_quadranym" value="" />
          <span class="soft">New paragraph</span>`
        : html`${kind === 'story' && pick('phrase')} ${pick('quadranym')}`
    }
    <span class="moves">
      ${act('up', 'Move up', '↑', i === 0)} ${act('down', 'Move down', '↓', i === count - 1)}
      ${kind === 'story' && act('insert', 'Add a line after', '+')}
      ${kind === 'story' && !isBreak && act('break', 'Begin a paragraph after', '¶')}
      ${kind === 'story' && act('remove', 'Remove', '×')}
    </span>
    ${fault && html`<span class="wrong" id=${`line-${i}-wrong`}>${fault}</span>`}
  </li>`
}
