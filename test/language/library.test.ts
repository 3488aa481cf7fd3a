/** The language library alone: the examples of its README, what it imports, and how large it is. */
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

const LIBRARY = new URL('../../src/language/', import.meta.url)
const IMPORTED = /^(?:import|export)\s[^'";]*?from '([^']+)'/gm
const KIB = 1024

test('the examples of the README print what they say', async () => {
  const readme = readFileSync(new URL('README.md', LIBRARY), 'utf8')
  const examples = Array.from(readme.matchAll(/```js\n(.*?)```/gs), ([, example = '']) => example)
  assert.equal(examples.length, 3)
  for (const example of examples) {
    const wanted = Array.from(example.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm), ([, told]) => told)
    assert.ok(wanted.length > 0)
    const code = example.replace("'nymdex/language'", `'${new URL('index.ts', LIBRARY)}'`)
    const collecting = `export const told = []\n${code.replaceAll('console.log(', 'tell(')}
      function tell(...values) { told.push(values.join(' ')) }`
    const { told } = await import(`data:text/javascript,${encodeURIComponent(collecting)}`)
    assert.deepEqual(told, wanted)
  }
})

test('the library imports nothing that a browser lacks, and stays within its budget', (t) => {
  const budgets = [
    ['spin.ts', 128],
    ['annotate.ts', 160],
  ] as const
  for (const [entry, budget] of budgets) {
    const sources = sourcesOf(new URL(entry, LIBRARY))
    const size = gzipSync([...sources.values()].join('\n')).length / KIB
    t.diagnostic(`${entry}: ${sources.size} files, ${size.toFixed(1)} KiB of ${budget}`)
    assert.ok(size <= budget, `${entry} loads ${size.toFixed(1)} KiB`)
  }
  assert.ok(statSync(new URL('model/tagger.bin', LIBRARY)).size <= 2 * KIB * KIB)
})

/** A file and all that it loads, without types, as a browser would get them. */
function sourcesOf(entry: URL, found = new Map<string, string>()): Map<string, string> {
  const source = readFileSync(entry, 'utf8')
  const code = entry.pathname.endsWith('.ts') ? stripTypeScriptTypes(source) : source
  found.set(entry.href, code)
  for (const [, specifier = ''] of code.matchAll(IMPORTED)) {
    const file = new URL(specifier, entry)
    assert.ok(file.href.startsWith(LIBRARY.href), `${entry.pathname} imports ${specifier}`)
    if (!found.has(file.href)) sourcesOf(file, found)
  }
  return found
}
