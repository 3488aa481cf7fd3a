/**
 * The language library: round trips, accuracy and speed. The tagged corpora are not part of the project; with
 * NYMDEX_TAGGED=DIR (files *-dev.tsv.gz: word, tag, lemma) accuracy on them is printed, too.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  annotate,
  FormIndex,
  inflect,
  spin,
  splitWords,
  suggest,
  type TaggedQuadranym,
  tag,
} from '../src/language/index.ts'
import { matchable, readingsOf } from '../src/language/match.ts'

const root = join(import.meta.dirname, '..')
const MEASURED = new Set('NN NNS NNP VB VBD VBG VBN VBP VBZ JJ JJR JJS RB IN RP TO WRB'.split(' '))
const LETTERS = /^\p{L}+$/u
const OPEN = /^(NN|NNS|VB|VBD|VBG|VBN|VBP|VBZ|JJ|JJR|JJS|RB|RBR|RBS)$/

type TaggedWord = readonly [word: string, tag: string, lemma?: string]

// The first use loads the model.
const before = process.memoryUsage()
const loading = performance.now()
tag(['Load', 'the', 'model', '.'])
const loadMs = performance.now() - loading
const after = process.memoryUsage()
print('model load', `${loadMs.toFixed(0)} ms, ${megabytes(after.rss - before.rss)} more in memory`)

const quadranyms = lines('sample/quadranym.ndjson').map((line) => JSON.parse(line) as TaggedQuadranym)
const index = new FormIndex(quadranyms)

roundTrips('sample texts', sampleTexts())
const fortunes = fortuneTexts('/usr/share/games/fortunes')
if (fortunes.length > 0) roundTrips("Debian's fortunes", fortunes)
else print("Debian's fortunes", 'not installed (apt-get install fortunes fortunes-min)')

inflection()
accuracy('hand-tagged sentences', handTagged())
const corpora = process.env['NYMDEX_TAGGED']
if (corpora && existsSync(corpora)) {
  for (const file of globSync(join(corpora, '*-dev.tsv.gz'))) {
    const sentences = readTagged(file)
    accuracy(basename(file), sentences)
    annotated(basename(file), sentences)
  }
} else print('tagged corpora', 'not given (NYMDEX_TAGGED=DIR)')
speed()

function roundTrips(title: string, texts: readonly string[]): void {
  let same = 0
  let matching = 0
  let kept = 0
  for (const body of texts) {
    const chosen = suggest(body, index, { limit: 6 }).map(({ place }) => quadranyms[place]!)
    const { qode, tokens } = annotate(body, chosen)
    const readings = readingsOf(chosen)
    const holdsToken = qode === '' && /\bq\d+[neros]/i.test(body)
    // "do" in "don't" is part of a word, and no token can match it.
    const alone = splitWords(body).filter(
      ({ text, offset }) => !/^[\p{L}\p{N}_]/u.test(body.slice(offset + text.length)),
    )
    if (!holdsToken) matching += alone.filter(({ text }) => readings.has(text.toLowerCase())).length
    kept += tokens.length
    const text = qode === '' ? body : spin(qode, chosen).text
    if (text === body) same++
    else console.log('  CHANGED', JSON.stringify(body.slice(0, 100)), JSON.stringify(text.slice(0, 100)))
  }
  print(
    `round trip, ${title}`,
    `${same} of ${texts.length}; ${percent(kept, matching)} of ${matching} matching words kept`,
  )
}

function inflection(): void {
  const pairs = lines('test/fixtures/inflection.tsv').map((line) => line.split('\t') as [string, string, string])
  const right = pairs.filter(([term, tag, accepted]) => accepted.split('|').includes(inflect(term, tag))).length
  print('inflection pairs', `${percent(right, pairs.length)} of ${pairs.length}`)
}

/** Of the words of letters that have a tag which annotating uses. "To" may be TO or IN: corpora differ. */
function accuracy(title: string, sentences: readonly (readonly TaggedWord[])[]): void {
  const measured = sentences.map((sentence) => ({
    sentence,
    places: sentence.flatMap(([word, gold], place) => (MEASURED.has(gold) && LETTERS.test(word) ? [place] : [])),
  }))
  const share = (tags: (sentence: readonly TaggedWord[]) => readonly string[], isCounted = (_: TaggedWord) => true) => {
    let right = 0
    let all = 0
    for (const { sentence, places } of measured) {
      const found = tags(sentence)
      for (const place of places.filter((each) => isCounted(sentence[each]!))) {
        const [word, gold] = sentence[place]!
        all++
        if (found[place] === gold || (word.toLowerCase() === 'to' && /^(TO|IN)$/.test(found[place]!))) right++
      }
    }
    return `${percent(right, all)} of ${all}`
  }
  const wordsOf = (sentence: readonly TaggedWord[]) => sentence.map(([word]) => word)
  print(
    `tags, ${title}`,
    share((sentence) => tag(wordsOf(sentence))),
  )
  if (!sentences.some((sentence) => sentence.some(([, , lemma]) => lemma))) return
  const fitting = (sentence: readonly TaggedWord[]) => tag(wordsOf(sentence), (place) => tagsOfLemma(sentence[place]!))
  print(
    `tags among those of the lemma, ${title}`,
    share(fitting, (word) => tagsOfLemma(word) !== undefined),
  )
}

/** The tags whose forms of the word's lemma are the word, if its own tag is one of them. */
function tagsOfLemma([word, gold, lemma = '']: TaggedWord): readonly string[] | undefined {
  const term = gold.startsWith('NNP') ? word : lemma
  const tags = matchable(term).find(({ form }) => form === word.toLowerCase())?.tags
  return tags?.includes(gold) ? tags : undefined
}

/** For each word of an open class: annotate its sentence with a quadranym named by the word's lemma. */
function annotated(title: string, sentences: readonly (readonly TaggedWord[])[]): void {
  let right = 0
  let all = 0
  for (const sentence of sentences) {
    const body = sentence.map(([word]) => word).join(' ')
    let at = 0
    for (const [word, gold, lemma] of sentence) {
      const start = at
      at += word.length + 1
      if (!OPEN.test(gold) || !lemma) continue
      const { tokens } = annotate(body, [{ name: lemma, e: '', r: '', o: '', s: '' }])
      const token = tokens.find((each) => each.offset === start)
      if (!token) continue
      all++
      if (token.tag === gold) right++
    }
  }
  print(`tags of annotated words, ${title}`, `${percent(right, all)} of ${all}`)
}

function speed(): void {
  const texts = fortyWords()
  const chosen = texts.map((body) => suggest(body, index, { limit: 4 }).map(({ place }) => quadranyms[place]!))
  const spun = texts.map((body, i) => annotate(body, chosen[i]!).qode)
  print('annotate', `${rate(texts.length, (i) => annotate(texts[i]!, chosen[i]!))} texts of 40 words a second`)
  print('spin', `${rate(spun.length, (i) => spin(spun[i]!, chosen[i]!))} texts of 40 words a second`)
  print('suggest', `${rate(texts.length, (i) => suggest(texts[i]!, index))} texts of 40 words a second`)
  const words = texts.map((text) => splitWords(text).map((word) => word.text))
  const tokens = words.reduce((sum, each) => sum + each.length, 0)
  const perSecond = Number(rate(words.length, (i) => tag(words[i]!)).replaceAll(',', '')) * (tokens / words.length)
  print('tag', `${Math.round(perSecond).toLocaleString('en')} tokens a second`)
}

/** Runs through the list for about a second, after a warm-up. */
function rate(length: number, work: (i: number) => unknown): string {
  for (let i = 0; i < length; i++) work(i)
  const start = performance.now()
  let done = 0
  while (performance.now() - start < 1000) for (let i = 0; i < length; i++, done++) work(i)
  return Math.round(done / ((performance.now() - start) / 1000)).toLocaleString('en')
}

/** Sample texts, joined until each has forty words. */
function fortyWords(): string[] {
  const texts: string[] = []
  let text = ''
  for (const body of sampleTexts()) {
    text = text === '' ? body : `${text} ${body}`
    const words = splitWords(text)
    if (words.length < 40) continue
    texts.push(text.slice(0, words[40]?.offset ?? text.length).trimEnd())
    text = ''
  }
  return texts
}

function sampleTexts(): string[] {
  return ['sample/fortune.ndjson', 'sample/quote.ndjson'].flatMap(lines).map((line) => JSON.parse(line).body as string)
}

function fortuneTexts(folder: string): string[] {
  const files = existsSync(folder) ? globSync(join(folder, '*')).filter((file) => !/\.(dat|u8)$/.test(file)) : []
  return files
    .flatMap((file) => readFileSync(file, 'utf8').split(/^%$/m))
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

function handTagged(): TaggedWord[][] {
  return lines('test/fixtures/hand.txt').map((line) =>
    line.split(' ').map((token) => {
      const cut = token.lastIndexOf('_')
      return [token.slice(0, cut), token.slice(cut + 1)] as const
    }),
  )
}

function readTagged(file: string): TaggedWord[][] {
  const sentences = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n\n')
  return sentences.map((sentence) => sentence.split('\n').map((line) => line.split('\t') as [string, string, string]))
}

function lines(file: string): string[] {
  return readFileSync(join(root, file), 'utf8').trimEnd().split('\n')
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(2)} %`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

function print(what: string, figure: string): void {
  console.log(`${what.padEnd(44)} ${figure}`)
}
