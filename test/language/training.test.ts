/** The training data of the tagger: tagged sentences from files, and which of them a clean build may use. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { asksForAttributionAlone, readTagged } from '../../scripts/tagger/corpora.ts'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'nymdex-training-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

const row = (number: string, word: string, tag: string) => `${number}\t${word}\t_\t_\t${tag}\t_\t_\t_\t_\t_`
const CONLLU = `# newdoc id = GUM_news_one
# text = It's 1.5
${row('1-2', "It's", '_')}
${row('1', 'It', 'PRP')}
${row('2', "'s", 'VBZ')}
${row('2.1', 'left', 'VBN')}
${row('3', '1.5', 'CD')}

# text = Go
${row('1', 'Go', 'VB')}

# newdoc id = GUM_bio_two
${row('1', 'Born', 'VBN')}

# newdoc id = GUM_whow_three
${row('1', 'Stir', 'VB')}
`
const ALL = [
  { words: ['It', "'s", '1.5'], tags: ['PRP', 'VBZ', 'CD'] },
  { words: ['Go'], tags: ['VB'] },
  { words: ['Born'], tags: ['VBN'] },
  { words: ['Stir'], tags: ['VB'] },
]

function written(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text)
  return path
}

test('words and Penn tags come from CoNLL-U, from columns and from lines', () => {
  assert.deepEqual(readTagged(written('a.conllu', CONLLU)), ALL)
  assert.deepEqual(readTagged(written('a.conllu.gz', CONLLU)), ALL)
  assert.deepEqual(readTagged(written('a.tsv.gz', 'It\tPRP\tit\n1.5\tCD\n\nGo\tVB\n')), [
    { words: ['It', '1.5'], tags: ['PRP', 'CD'] },
    { words: ['Go'], tags: ['VB'] },
  ])
  assert.deepEqual(readTagged(written('a.txt', 'It_PRP 1.5_CD\na_b_NN\n')), [
    { words: ['It', '1.5'], tags: ['PRP', 'CD'] },
    { words: ['a_b'], tags: ['NN'] },
  ])
})

test('a clean build takes only documents that require attribution alone, and no file that does not name them', () => {
  assert.deepEqual(readTagged(written('a.conllu', CONLLU), asksForAttributionAlone), ALL.slice(0, 2))
  for (const kind of ['bio', 'voyage', 'whow', 'fiction', 'reddit', 'essay', 'letter', 'podcast']) {
    assert.ok(!asksForAttributionAlone(`GUM_${kind}_x`), kind)
  }
  assert.ok(!asksForAttributionAlone('weblog-blogspot.com_x'))
  assert.throws(() => readTagged(written('b.tsv', 'Go\tVB\n'), asksForAttributionAlone), /which document/)
})
