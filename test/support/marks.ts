/**
 * Every testable statement of the interface documents has a mark, {page.members}; tests that prove it begin with the
 * mark. The report says how many are proved and lists the rest with the reason that the document gives.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { Result } from './results.ts'

const DOCUMENTS = ['docs/api.md', 'docs/qode.md']
const MARK = /\{([a-z0-9-]+(?:\.[a-z0-9-]+)+)\}/g

/** False if something is wrong: a mark nobody proves or explains, a proof of no statement, a skipped test. */
export function reportMarks(results: readonly Result[], { whole }: { readonly whole: boolean }): boolean {
  const { stated, excused } = readDocuments()
  const named = new Map<string, boolean>()
  for (const { name, passed } of results) {
    for (const [, mark] of name.matchAll(MARK)) named.set(mark!, (named.get(mark!) ?? true) && passed)
  }
  const skipped = results.filter((result) => result.skipped)
  for (const { name } of skipped) console.log(`skipped: ${name}`)
  const unknown = [...named.keys()].filter((mark) => !stated.has(mark))
  for (const mark of unknown) console.log(`a test names {${mark}}, which no document states`)
  if (!whole) return skipped.length === 0 && unknown.length === 0

  const proved = [...stated].filter((mark) => named.get(mark))
  const open = [...stated].filter((mark) => !named.get(mark))
  console.log(`\nInterface statements: ${stated.size}, proved over HTTP: ${proved.length}`)
  for (const mark of open) console.log(`  not proved: {${mark}}: ${excused.get(mark) ?? 'NO REASON GIVEN'}`)
  const unexplained = open.filter((mark) => !excused.has(mark))
  return skipped.length === 0 && unknown.length === 0 && unexplained.length === 0
}

function readDocuments(): { stated: Set<string>; excused: Map<string, string> } {
  const text = DOCUMENTS.filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const excused = new Map<string, string>()
  for (const [, mark, reason] of text.matchAll(/^\| `?\{([a-z0-9.-]+)\}`? \| (.+?) \|$/gm)) excused.set(mark!, reason!)
  return { stated: new Set(Array.from(text.matchAll(MARK), ([, mark]) => mark!)), excused }
}
