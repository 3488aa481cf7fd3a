/**
 * Makes test/fixtures/inflection-5000.tsv: the forms of the 5,000 most used lemmas of WordNet, by public data and not by
 * our own rules. A form counts if WordNet lists it as an exception, or if WordNet's rules of detachment lead from it to
 * the lemma and it is in SCOWL. Tagged sentences tell irregular pasts from participles.
 *
 *   node scripts/inflection-table.ts WORDNET SCOWL TAGGED
 *
 * WORDNET is the folder with cntlist.rev and *.exc (/usr/share/wordnet of Debian's wordnet-base), SCOWL the folder with
 * english-words.10 and so on (/usr/share/dict/scowl of Debian's scowl), TAGGED the folder of src/language/model/README.md.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const FILE = new URL('../test/fixtures/inflection-5000.tsv', import.meta.url)
const LEMMAS = 5000
/** SCOWL's sizes: words that a good dictionary has. Larger lists have words that nobody uses. */
const MOST_SIZE = 60
const [wordnet = '', scowl = '', tagged = ''] = process.argv.slice(2)
if (!tagged) throw new Error('usage: node scripts/inflection-table.ts WORDNET SCOWL TAGGED')

/** As verbs they have two sets of forms: could and canned. */
const MODALS = new Set('can could may might must ought shall should will would'.split(' '))

type Kind = 'noun' | 'verb' | 'adj' | 'adv'
const KINDS = new Map<string, Kind>(Object.entries({ 1: 'noun', 2: 'verb', 3: 'adj', 4: 'adv', 5: 'adj' }))

const words = scowlWords()
const seen = taggedForms()
const seenOf = new Map<string, string[]>()
for (const [form = '', lemma = ''] of seen.keys().map((key) => key.split(' '))) {
  seenOf.set(lemma, [...(seenOf.get(lemma) ?? []), form])
}
const usesOf = new Map<string, number>()
for (const [key, tags] of seen) {
  const [form = ''] = key.split(' ')
  usesOf.set(
    form,
    tags.values().reduce((sum, uses) => sum + uses, usesOf.get(form) ?? 0),
  )
}
const exceptions = new Map(KINDS.values().map((kind) => [kind, exceptionsOf(kind)]))
const rows = firstLemmas().flat()
writeFileSync(FILE, `${rows.map((row) => row.join('\t')).join('\n')}\n`)
console.log(`${new Set(rows.map(([lemma]) => lemma)).size} lemmas, ${rows.length} forms`)

/** The rows of each lemma: the most used lemmas that have other forms. */
function firstLemmas(): string[][][] {
  const all = mostUsed().map(([lemma, kinds]) => kinds.flatMap((kind) => rowsOf(lemma, kind)))
  return all.filter((rows) => rows.length > 0).slice(0, LEMMAS)
}

function rowsOf(lemma: string, kind: Kind): string[][] {
  const all = kind === 'noun' ? { NNS: plurals(lemma) } : kind === 'verb' ? verbForms(lemma) : degrees(lemma, kind)
  return Object.entries(all).flatMap(([tag, forms]) => (forms.length > 0 ? [[lemma, tag, forms.join('|')]] : []))
}

function plurals(noun: string): string[] {
  const irregular = listed('noun', noun).filter((form) => !/ings?$/.test(form))
  // "Mans" and "knifes" are words, because to man and to knife are verbs.
  const regular = irregular.length > 0 && isVerb(noun) ? [] : known([withS(noun)])
  return unique([...irregular, ...regular, ...ofTag('NNS', noun)])
}

function verbForms(verb: string): Record<string, string[]> {
  const irregular = listed('verb', verb).filter((form) => form !== verb)
  const gerunds = irregular.filter((form) => form.endsWith('ing') && form !== verb)
  const thirds = irregular.filter((form) => /s$/.test(form) && form !== 'was')
  const pasts = irregular.filter((form) => !gerunds.includes(form) && !thirds.includes(form))
  const ed = /e$/.test(verb) ? `${verb}d` : /[^aeiou]y$/.test(verb) ? verb.replace(/y$/, 'ied') : `${verb}ed`
  const ing = `${verb.replace(/ie$/, 'y').replace(/(?<=[^eoy])e$/, '')}ing`
  // "Hoping" is a word, but it is hope's: what adding an e explains is no form of hop.
  const regular = (form: string) => (words.has(`${verb}e`) && irregular.length > 0 ? [] : known([form]))
  // "Lied" and "seed" are words, but no pasts of lie and see; "learned" is, beside learnt.
  const isRegularToo = pasts.every((form) => /(?:ed|t)$/.test(form)) || seen.has(`${ed} ${verb}`)
  const regularPast = isRegularToo ? regular(ed) : []
  return {
    VBZ: unique([...thirds, ...(thirds.length > 0 ? [] : known([withS(verb)])), ...ofTag('VBZ', verb)]),
    VBD: unique([...pasts.filter((form) => isUnder(form, 'VBD', verb)), ...regularPast, ...ofTag('VBD', verb)]),
    VBN: unique([...pasts.filter((form) => isUnder(form, 'VBN', verb)), ...regularPast, ...ofTag('VBN', verb)]),
    VBG: unique([...gerunds, ...regular(ing), ...ofTag('VBG', verb)]),
  }
}

function withS(word: string): string {
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, 'ies')
  return /(?:[sxz]|[cs]h)$/.test(word) || (/[^aeiou]o$/.test(word) && words.has(`${word}es`)) ? `${word}es` : `${word}s`
}

/** "Went" is never a participle: a form that the sentences have only under the other tag does not count. */
function isUnder(form: string, tag: string, verb: string): boolean {
  const tags = seen.get(`${form} ${verb}`)
  return tags === undefined || (tags.get(tag) ?? 0) > 0.05 * [...tags.values()].reduce((sum, uses) => sum + uses, 0)
}

/** The forms that the sentences have several times under this tag; irregular ones are among them: people, came, cost. */
function ofTag(tag: string, lemma: string): string[] {
  return (seenOf.get(lemma) ?? []).filter((form) => {
    const uses = seen.get(`${form} ${lemma}`)?.get(tag) ?? 0
    return words.has(form) && uses >= 3 && uses > 0.1 * (usesOf.get(form) ?? 0)
  })
}

/** An adjective without forms in -er and -est takes more and most; a longer one may always take them. */
function degrees(word: string, kind: Kind): Record<string, string[]> {
  // "Larger" and "most" are degrees themselves.
  if (isDegree(word)) return {}
  const stem = word.replace(/e$/, '').replace(/(?<=[^aeiou])y$/, 'i')
  const isRegular = (/e$/.test(word) || !words.has(`${word}e`)) && words.has(`${stem}er`) && words.has(`${stem}est`)
  const irregular = [...listed('adj', word), ...listed('adv', word)]
  const [tag, made] = kind === 'adj' ? ['JJ', isRegular ? [`${stem}er`, `${stem}est`] : []] : ['RB', []]
  const of = (degree: string, ending: RegExp) =>
    unique([...irregular, ...made].filter((form) => ending.test(form)).concat(ofTag(tag + degree, word)))
  const [comparatives, superlatives] = [of('R', /(?:er|worse)$/), of('S', /(?:est|worst)$/)]
  if (superlatives.length === 0) superlatives.push(...known(comparatives.map((form) => form.replace(/er$/, 'est'))))
  if (kind === 'adv' && comparatives.length === 0) return {}
  const isShort = comparatives.length > 0 && superlatives.length > 0 && !/[aeiouy][^aeiouy]+[aeiou]/.test(stem)
  const more = isShort ? [] : [`more ${word}`]
  const most = isShort ? [] : [`most ${word}`]
  return { [`${tag}R`]: [...comparatives, ...more], [`${tag}S`]: [...superlatives, ...most] }
}

function isDegree(word: string): boolean {
  if (['more', 'most', 'less', 'least', 'many', 'much'].includes(word)) return true
  const isListed = (kind: Kind) =>
    exceptions
      .get(kind)
      ?.values()
      .some((forms) => forms.includes(word))
  const isRegular = /(?:er|est)$/.test(word) && ['', 'e'].some((end) => isAdjective(word.replace(/(?:er|est)$/, end)))
  return isRegular || isListed('adj') === true || isListed('adv') === true
}

function isAdjective(word: string): boolean {
  const stem = word.replace(/e$/, '')
  return words.has(word) && words.has(`${stem}er`) && words.has(`${stem}est`)
}

function listed(kind: Kind, lemma: string): string[] {
  return (exceptions.get(kind)?.get(lemma) ?? []).filter((form) => form !== lemma && words.has(form))
}

function known(forms: readonly string[]): string[] {
  return forms.filter((form) => words.has(form))
}

function isVerb(word: string): boolean {
  return words.has(`${word.replace(/e$/, '')}ing`) || listed('verb', word).length > 0
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)]
}

/** Lemma -> the forms that no rule gives. */
function exceptionsOf(kind: Kind): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [form = '', ...lemmas] of lines(join(wordnet, `${kind}.exc`)).map((line) => line.split(' '))) {
    for (const lemma of lemmas) found.set(lemma, [...(found.get(lemma) ?? []), form])
  }
  return found
}

/** Single words in lower case, with the kinds they are used as, the most used first. */
function mostUsed(): [lemma: string, kinds: Kind[]][] {
  const uses = new Map<string, { all: number; kinds: Set<Kind> }>()
  for (const line of lines(join(wordnet, 'cntlist.rev'))) {
    const [, lemma, type, count] = /^([a-z]{2,})%(\d)\S* \d+ (\d+)$/.exec(line) ?? []
    const kind = KINDS.get(type ?? '')
    if (lemma === undefined || kind === undefined || !words.has(lemma) || MODALS.has(lemma)) continue
    const use = uses.get(lemma) ?? { all: 0, kinds: new Set() }
    use.all += Number(count)
    use.kinds.add(kind)
    uses.set(lemma, use)
  }
  const order = [...uses].sort(([a, x], [b, y]) => y.all - x.all || (a < b ? -1 : 1))
  return order.map(([lemma, { kinds }]) => [lemma, [...kinds]])
}

function scowlWords(): Set<string> {
  const files = globSync(join(scowl, '{english,american,british}*-words.*'))
  const isUsed = (file: string) => Number(/\d+$/.exec(file)?.[0]) <= MOST_SIZE && !/variant_[23]/.test(file)
  return new Set(files.filter((file) => isUsed(basename(file))).flatMap((file) => lines(file, 'latin1')))
}

/** "form lemma" -> how often it stands under which tag. */
function taggedForms(): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>()
  for (const file of globSync(join(tagged, '*.tsv.gz'))) {
    for (const line of gunzipSync(readFileSync(file)).toString('utf8').split('\n')) {
      const [word = '', tag = '', lemma = ''] = line.split('\t')
      const key = `${word.toLowerCase()} ${lemma}`
      const tags = found.get(key) ?? new Map<string, number>()
      tags.set(tag, (tags.get(tag) ?? 0) + 1)
      found.set(key, tags)
    }
  }
  return found
}

function lines(file: string, encoding: BufferEncoding = 'utf8'): string[] {
  return readFileSync(file, encoding).trimEnd().split('\n')
}
