/** Tagged sentences from files: CoNLL-U, tab-separated (`word<TAB>tag`), `word_TAG` lines, and the Brown corpus in Penn's tags. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface Tagged {
  readonly words: readonly string[]
  readonly tags: readonly string[]
}
/** A sentence whose tags are only partly known: each word has its possible tags, or `undefined` for any. */
export interface PartlyTagged {
  readonly words: readonly string[]
  readonly tags: readonly (readonly string[] | undefined)[]
}

/** Documents of GUM by their ids: these texts are CC BY or public domain. Bio and voyage are CC BY-SA, the others stricter. */
export function asksForAttributionAlone(document: string): boolean {
  return /^GUM_(?:academic|conversation|court|interview|news|speech|textbook|vlog)_/.test(document)
}

/** All sentences, or those of the documents that `takes` accepts, by their ids. */
export function readTagged(path: string, takes?: (document: string) => boolean): Tagged[] {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  if (!text.includes('\t')) return text.split('\n').flatMap((line) => taggedOf(line.split(' ').map(pairIn)))
  const pairOf = /\.conllu(?:\.gz)?$/.test(path)
    ? pairInConllu
    : ([word = '', tag = '']: readonly string[]) => [word, tag]
  const sentences: Tagged[] = []
  let document: string | undefined
  for (const block of text.split('\n\n')) {
    document = /^# newdoc id = (.+)$/m.exec(block)?.[1] ?? document
    if (takes && document === undefined) throw new Error(`${path} does not say which document a sentence is from`)
    if (takes && !takes(document!)) continue
    sentences.push(...taggedOf(block.split('\n').map((line) => pairOf(line.split('\t')))))
  }
  return sentences
}

/** Numbers like 1-2 are two words written as one; numbers like 1.1 are omitted words. */
function pairInConllu([number = '', word = '', , , tag = '']: readonly string[]): string[] {
  return /^\d+$/.test(number) ? [word, tag] : []
}

function pairIn(text: string): string[] {
  return /^(.+)_(.+)$/.exec(text)?.slice(1) ?? []
}

function taggedOf(pairs: readonly (readonly string[])[]): Tagged[] {
  const whole = pairs.filter(([word, tag]) => word && tag)
  return whole.length === 0 ? [] : [{ words: whole.map(([word]) => word!), tags: whole.map(([, tag]) => tag!) }]
}

/** A folder of files like ca01, one `word/tag word/tag` sentence a line. Sentences with a rare oddity are left out. */
export function readBrown(folder: string): PartlyTagged[] {
  return readdirSync(folder)
    .filter((name) => /^c[a-r]\d\d$/.test(name))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'latin1').split('\n'))
    .flatMap((line) => sentenceOf(line.trim().split(/\s+/).filter(Boolean)) ?? [])
}

function sentenceOf(tokens: readonly string[]): PartlyTagged | undefined {
  if (tokens.length === 0) return undefined
  const parts = tokens.map(partsOf)
  if (parts.some((part) => part === undefined)) return undefined
  const pairs = parts.flatMap((part) => part!)
  return { words: pairs.map(([word]) => word), tags: pairs.map(([, tags]) => tags) }
}

type Pair = readonly [word: string, tags: readonly string[]]

/** One word of Brown is one word of Penn, or two if Penn splits it ("do" "n't", "man" "'s"). */
function partsOf(token: string): readonly Pair[] | undefined {
  const [, word = '', brown = ''] = /^(.+)\/([^/]+)$/.exec(token) ?? []
  if (brown.startsWith('fw-')) return [[word, ['FW']]]
  // Headlines (-hl) and cited words (-nc) are words like others; in titles (-tl) a capital makes a name.
  const tag = brown.replace(/(?:-(?:tl|hl|nc))+$/, '')
  const titled = /-tl/.test(brown)
  const pair = (text: string, brownTag: string, inTitle = false): Pair | undefined => {
    const tags = pennTags(text, brownTag, inTitle)
    return tags && [text === '``' || text === "''" ? '"' : text, tags]
  }
  if (tag.includes('+')) {
    const [first = '', second = '', third] = tag.split('+')
    const [, head, clitic] =
      /^(.+)('(?:s|m|re|ve|d|ll|t)?)$/i.exec(word) ?? /^(gon|got|wan|can|gim|lem)(na|ta|not|me)$/i.exec(word) ?? []
    if (!head || !clitic || third || second.endsWith('*')) return undefined
    const us: Pair = [clitic, ['PRP']] // let 's
    return whole(pair(head, first, titled), first === 'vb' && second === 'ppo' ? us : pair(clitic, second))
  }
  if (/.\*$/.test(tag)) {
    const [, head, not] = /^(.+)(n't)$/i.exec(word) ?? /^(can)(not)$/i.exec(word) ?? []
    return head && not ? whole(pair(head, tag.slice(0, -1)), [not, ['RB']]) : undefined
  }
  if (/\$$/.test(tag) && !/^(?:pp\$\$?|wp\$)$/.test(tag)) {
    const [, head, clitic] = /^(.+)('s?)$/i.exec(word) ?? []
    return head && clitic ? whole(pair(head, tag.slice(0, -1), titled), [clitic, ['POS']]) : undefined
  }
  return whole(pair(word, tag, titled))
}

function whole(...pairs: readonly (Pair | undefined)[]): readonly Pair[] | undefined {
  return pairs.every((pair) => pair !== undefined) ? (pairs as readonly Pair[]) : undefined
}

const NAMED_IN_TITLES = /^(?:nn|jj|jj[rst]|vb|vb[dgnz]|rb|np|nr|od|ap|uh|ql|pn)$/
const DAYS = /^(?:today|tomorrow|tonight|yesterday)$/

function pennTags(word: string, brown: string, titled: boolean): readonly string[] | undefined {
  const lower = word.toLowerCase()
  const capital = word[0] !== lower[0]
  if (titled && capital && NAMED_IN_TITLES.test(brown)) return ['NNP']
  if (titled && capital && /^(?:nns|nps|nrs)$/.test(brown)) return ['NNPS']
  if (brown === 'nr') {
    if (lower === 'home') return ['RB', 'NN']
    if (DAYS.test(lower)) return ['NN']
    return capital ? ['NNP'] : ['NN', 'RB', 'JJ']
  }
  if (brown === 'nrs') return capital ? ['NNPS'] : ['NNS']
  return BY_WORD.get(`${lower}/${brown}`) ?? BY_TAG.get(brown)
}

const BY_TAG = table(`
  nn pn = NN            nns = NNS                np = NNP                nps = NNPS
  jj jjs od ap = JJ     jjr = JJR                jjt = JJS
  rb ql qlp rn * = RB   rbr = RBR                rbt = RBS               rp = RP|RB
  in cs = IN            to = TO                  cc = CC                 cd = CD
  at dt dti dts dtx = DT                         abx = DT|CC             abn = DT|PDT         abl = RB|PDT
  vb do hv = VB|VBP     be = VB                  bem ber = VBP           vbz bez doz hvz = VBZ
  vbd dod hvd bed bedz = VBD                     vbg beg hvg = VBG       vbn ben hvn = VBN    md = MD
  pps ppss ppo ppl ppls pp$$ = PRP               pp$ = PRP$
  wps wpo = WP          wdt = WDT                wp$ = WP$               wrb wql = WRB
  ex = EX               uh = UH
  . = .                 , = ,                    : -- = :                ( = -LRB-            ) = -RRB-
  \`\` = \`\`           '' ' = ''
`)
const BY_WORD = table(`
  more/ap less/ap fewer/ap = JJR                 most/ap least/ap fewest/ap = JJS             others/ap = NNS
  more/ql less/ql = RBR     most/ql least/ql = RBS       the/ql = DT         no/ql = RB|DT    such/ql such/abl = PDT|JJ
  one/pn = NN|PRP           what/wdt whatever/wdt = WP|WDT                   that/wps that/wpo = WDT
  half/abn = NN|PDT|RB|JJ   all/abn = DT|PDT|RB          ;/. = :
`)

function table(lines: string): ReadonlyMap<string, readonly string[]> {
  const entries = lines.trim().matchAll(/((?:\S+ )+)= (\S+)/g)
  return new Map(
    [...entries].flatMap(([, keys, tags]) =>
      keys!
        .trim()
        .split(' ')
        .map((key) => [key, tags!.split('|')]),
    ),
  )
}
