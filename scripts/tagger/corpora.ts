/** Tagged sentences from files: tab-separated (`word<TAB>tag`), `word_TAG` lines, and the Brown corpus in Penn's tags. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

export interface Tagged {
  readonly words: readonly string[]
  readonly tags: readonly string[]
}
/** Where Brown's tag does not say which Penn tag it is, all that it may be. */
export interface Ambiguous {
  readonly words: readonly string[]
  readonly tags: readonly (readonly string[])[]
}

export function readTagged(path: string): Tagged[] {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const sentences = text.includes('\t')
    ? text.split('\n\n').map((block) => block.split('\n').map((line) => line.split('\t') as [string, string]))
    : text.split('\n').map((line) => line.split(' ').map((pair) => /^(.+)_(.+)$/.exec(pair)?.slice(1) ?? []))
  return sentences
    .map((pairs) => pairs.filter((pair) => pair[0] && pair[1]))
    .filter((pairs) => pairs.length > 0)
    .map((pairs) => ({ words: pairs.map((pair) => pair[0]!), tags: pairs.map((pair) => pair[1]!) }))
}

/** A folder of files like ca01, one `word/tag word/tag` sentence a line. Sentences with a rare oddity are left out. */
export function readBrown(folder: string): Ambiguous[] {
  return readdirSync(folder)
    .filter((name) => /^c[a-r]\d\d$/.test(name))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'latin1').split('\n'))
    .flatMap((line) => sentenceOf(line.trim().split(/\s+/).filter(Boolean)) ?? [])
}

function sentenceOf(tokens: readonly string[]): Ambiguous | undefined {
  if (tokens.length === 0) return undefined
  const parts = tokens.map(partsOf)
  if (parts.some((part) => part === undefined)) return undefined
  const pairs = parts.flatMap((part) => part!)
  return { words: pairs.map(([word]) => word), tags: pairs.map(([, tags]) => tags) }
}

type Pair = readonly [word: string, tags: readonly string[]]

/** One word of Brown is one or, where Penn parts it ("do" "n't", "man" "'s"), two words of Penn. */
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
