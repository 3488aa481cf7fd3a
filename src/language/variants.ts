/**
 * Forms that people write beside those of inflect.ts: travelled beside traveled, learnt beside learned, indices beside
 * indexes. A text may have them; spinning never makes them.
 */
import { DOUBLING, PLURALS } from './irregular.ts'

export interface Variant {
  readonly form: string
  readonly tags: readonly string[]
}

/** Verbs: base, past, participle. A dash stands for no other form, a slash separates several. */
const VERBS = table(`
  abide abode abode; alight alit alit; awake awaked awaked; be were -; bear - borne; beat - beat; behold - beholden; bereave bereft bereft; beseech
  beseeched beseeched; bet betted betted; bid bade bidden; bless blest blest; broadcast broadcasted broadcasted; burn burnt burnt;
  bust bust bust; chide chid chid/chidden; cleave clove/cleaved cloven/cleaved; clothe clad clad; dive dove -; do didst -; dream dreamt
  dreamt; dwell dwelled dwelled; fit fit fit; forbid forbad forbid; forecast forecasted forecasted; get - gotten; gild gilt gilt; gird girt
  girt; grind grinded grinded; hang hanged hanged; have hadst -; heave hove hove; hew - hewed; input inputted inputted; kneel kneeled
  kneeled; knit knit knit; lade - laded; lead leaded leaded; lean leant leant; leap leaped leaped; learn learnt learnt; light lighted
  lighted; melt - molten; misspell misspelt misspelt; mow - mowed; output outputted outputted; pay payed payed; plead pled pled; prove -
  proved; quit quitted quitted; rid ridded ridded; saw - sawed; sew - sewed; shave - shaven; shear shore sheared; shine shined shined;
  shit shat/shitted shat/shitted; shoe shoed shoed; show - showed; shrink shrunk shrunken; sink sunk sunken; slay slayed slayed; smell
  smelt smelt; sneak snuck snuck; sow - sowed; speed speeded speeded; spell spelt spelt; spill spilt spilt; spin span -; spit spit spit;
  spoil spoilt spoilt; spring sprung -; stave stove stove; stink stunk -; strew - strewed; strike - stricken; strive strived strived;
  sweat sweat sweat; swell - swelled; telecast telecasted telecasted; thrive throve thriven; tread treaded trod; unlearn unlearnt
  unlearnt; wake waked waked; weave weaved weaved; wed wed wedded; wet wetted wetted; wind winded winded; work wrought wrought
`)

/** Forms in -ing, with an e or without. */
const GERUNDS = table(`
  age ageing; binge binging; bus bussing; centre centering; cue cuing; eye eying; hinge hingeing; queue queuing; route routeing; tinge
  tinging; true truing; whinge whinging
`)

/** Verbs that some people write with a double consonant, and others with a single one. */
const DOUBLED_OR_NOT: ReadonlySet<string> = new Set(
  'benefit bias combat focus handicap hiccup kidnap leapfrog program refocus target worship'.split(' '),
)
/** The last syllable of travel, fuel, dial is not stressed: British English doubles its l all the same. */
const UNSTRESSED_L = /(?:[aeiouy].*[^aeiou][aeio]|ue|ia|ua)l$/

const NOUNS = table(`
  abacus abaci; alveolus alveoli; adieu adieux; amoeba amoebae; antenna antennae; apex apices; aquarium aquaria; archipelago archipelagoes; atrium atria;
  auditorium auditoria; avocado avocadoes; banjo banjoes; beef beeves; bison bisons; brother brethren; buffalo buffalos; bureau bureaux; bus busses;
  calico calicoes; cargo cargos; carp carps; catfish catfishes; cherub cherubim; cod cods; compendium compendia; concerto concerti; crematorium crematoria;
  crocus croci; crux cruces; desperado desperados; dictum dicta; die dies; domino dominos; dwarf dwarfs; elk elks; equilibrium equilibria;
  echo echos; esophagus esophagi; eucalyptus eucalypti; fiasco fiascoes; fish fishes; flamingo flamingoes; focus foci; formula formulae; forum fora; fresco frescoes; gas gasses; genius
  genii; ghetto ghettoes; goldfish goldfishes; gladiolus gladioli; grotto grottos; gymnasium gymnasia; halo haloes; handkerchief handkerchieves; herring
  herrings; hippopotamus hippopotami; hobo hobos; honorarium honoraria; hoof hoofs; index indices; innuendo innuendos; iris irides;
  jellyfish jellyfishes; kibbutz kibbutzim; lasso lassoes; lemma lemmata; libretto libretti; lingo lingos; lira lire; maestro maestri; mango mangos;
  manifesto manifestoes; memento mementoes; mausoleum mausolea; milieu milieux; minutia minutiae; momentum momentums; money monies; moratorium moratoria; mosquito mosquitos;
  motto mottos; mouse mouses; narcissus narcissi; octopus octopi; opus opera; paparazzo paparazzi; papyrus papyri; peccadillo peccadillos; pelvis pelves;
  penny pence; people peoples; person persons; persona personae; phalanx phalanges; planetarium planetaria; plateau plateaux; podium
  podia; portico porticoes; portmanteau portmanteaux; referendum referenda; roof rooves; rostrum rostra; salmon salmons; salvo
  salvoes; scarf scarfs; schema schemata; seraph seraphs; serum sera; shrimp shrimps; solo soli; spokesperson spokespersons; squid squids;
  stadium stadia; staff staves; starfish starfishes; stigma stigmata; stoma stomas; supernova supernovae; tempo tempi; thesaurus
  thesauri; tornado tornados; trapezium trapezia; trousseau trousseaux; trout trouts; turf turves; tuxedo tuxedoes; ultimatum
  ultimata; uterus uteri; vacuum vacua; virtuoso virtuosi; volcano volcanos; wharf wharfs; zero zeroes
`)
/** Nouns whose plural in inflect.ts is Latin, Greek, French or Hebrew have an English one as well, mostly: cactuses. */
const FOREIGN_PLURAL = /(?:i|a|ae|ices|eaux|im)$/

/** Adjectives: comparative, superlative. */
const ADJECTIVES = table(`
  clever cleverer cleverest; common commoner commonest; cruel crueller cruellest; dry dryer dryest; far further furthest; fun funner
  funnest; handsome handsomer handsomest; little littler littlest; old elder eldest; pleasant pleasanter pleasantest;
  shy shier shiest; sly slier sliest; solid solider solidest; spry sprier spriest; stupid stupider stupidest; wry wrier wriest
`)

/** Long adjectives that some writers compare like short ones: the absurdest, honester. */
const COMPARED_SHORT: ReadonlySet<string> = new Set(
  `absurd abrupt acute ancient awkward complete correct direct distinct divine eager even evil exact extreme frequent honest insane
   intense just loyal mature patient perfect precise private proper ragged rapid real right robust rugged savage serene silent solemn splendid
   stolid stubborn sublime sullen superb thorough tired unique vivid wooden wrong`.split(/\s+/),
)

/** Of a word in lower case. */
export function variantsOf(word: string): Variant[] {
  const [pasts = [], participles = []] = VERBS.get(word) ?? []
  const [gerunds = []] = GERUNDS.get(word) ?? []
  const [plurals = []] = NOUNS.get(word) ?? []
  const [comparatives = [], superlatives = []] = ADJECTIVES.get(word) ?? []
  return [
    ...tagged(pasts, 'VBD'),
    ...tagged(participles, 'VBN'),
    ...tagged(gerunds, 'VBG'),
    ...otherDoubling(word),
    ...tagged(plurals, 'NNS'),
    ...englishPlural(word),
    ...tagged(comparatives, 'JJR'),
    ...tagged(superlatives, 'JJS'),
    ...(COMPARED_SHORT.has(word) ? shortDegrees(word) : []),
    ...(word === 'be' ? tagged(['am'], 'VBP') : []),
  ]
}

function tagged(forms: readonly string[], tag: string): Variant[] {
  return forms.map((form) => ({ form, tags: [tag] }))
}

function shortDegrees(adjective: string): Variant[] {
  const stem = adjective.replace(/e$/, '')
  return [...tagged([`${stem}er`], 'JJR'), ...tagged([`${stem}est`], 'JJS')]
}

function otherDoubling(verb: string): Variant[] {
  if (!DOUBLED_OR_NOT.has(verb) && (DOUBLING.has(verb) || !UNSTRESSED_L.test(verb))) return []
  const stem = DOUBLING.has(verb) ? verb : verb + verb.slice(-1)
  return [{ form: `${stem}ed`, tags: ['VBD', 'VBN'] }, ...tagged([`${stem}ing`], 'VBG')]
}

function englishPlural(noun: string): Variant[] {
  if (!FOREIGN_PLURAL.test(PLURALS.get(noun) ?? '')) return []
  return tagged([/[sx]$/.test(noun) ? `${noun}es` : `${noun}s`], 'NNS')
}

function table(text: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const entries = text.split(';').map((entry) => entry.trim().split(/\s+/))
  return new Map(
    entries.map(([word = '', ...forms]) => [word, forms.map((each) => (each === '-' ? [] : each.split('/')))]),
  )
}

/** Irregular variant -> the words it is a form of. */
export function* variantBases(): Generator<readonly [form: string, base: string]> {
  for (const [base, lists] of [...VERBS, ...GERUNDS, ...NOUNS, ...ADJECTIVES]) {
    for (const form of lists.flat()) yield [form, base]
  }
  yield ['am', 'be']
}
