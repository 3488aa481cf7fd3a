/**
 * Makes src/language/agreement/noun-kinds.ts: nouns without a plural, nouns that need an article, and common adjectives. The
 * tagger reads the definitions and examples of WordNet; how they use a noun says which kind it is. The lists below say what
 * a reader has corrected.
 *
 *   node scripts/noun-kinds.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { wordnetFolder } from '../src/cli/wordnet/index.ts'
import { familiarityOf, inflect, MOST_FAMILIAR, splitWords, tag } from '../src/language/index.ts'

const FILE = new URL('../src/language/agreement/noun-kinds.ts', import.meta.url)
const folder = wordnetFolder(undefined)
const wordsOf = (text: string) => text.trim().split(/\s+/)

/** Used in the plural or after "a" often enough that neither is certainly wrong, or no noun at all. */
const NOT_MASS = wordsOf(`
  absolution accord administration ambush amplitude anatomy animation apartheid arbitration armor autumn bail bankruptcy baptism
  behalf bulk brine broth cabinetwork censorship circulation colon compression conception concrete condensation conduct confinement
  correspondence curiosity curvature data dawn decay deceit detection diffusion discomfort dishonor displeasure dissent dressage ease economics
  electronics embroidery employment essence estrus ethics evacuation evolution excellence existence extinction f fiction fright fulfillment
  fungi gin glory goldenrod gossip gravity grief headquarters heat hell herpes hockey horseback hue humankind hunger imagination
  immersion incorporation individuality intelligence interference involvement isolation justice kindness kinship learning lighting
  lipstick livelihood logic longitude lunch lysis magic mahogany mankind math mathematics menstruation mercury metamorphosis midnight
  mining morale morality morphology navigation neglect news nickel nobility none nonsense noon nothing numeration obscurity
  occupancy opium paralysis participation pay peace perfection perfumery persuasion physics plenty police politics
  praise precedence precipitation presence pride printing protection psychoanalysis pyrimidine quartz recreation redemption
  refraction refuse regard reimbursement relativity removal repayment resale rhetoric ridicule rum sadness safety salmon
  salvation satisfaction scope scrimmage sec seriousness severity shame significance silver slang sleep smoke somebody
  someone specialization spite stability stature steam stimulation storage suction sunrise sunset surgery suspense syntax tea coffee
  television terminology terror testimony today tomorrow tonight training transit transplantation turf ultrasonography unconsciousness unison use
  vanilla variance veal velvet venom vermin vigor wallpaper warmth wear worship cooking advertising bedtime conformity corn custody dung
  estrogen gold granite gravel hay hemp hypertension hypnosis hysteria inflation insurance jade lava leather lava literature
  marijuana milk mud nausea originality parchment poetry pollen porridge propaganda prose putty rice sap sarcasm secrecy sexuality
  socialism sorcery stiffness tallow tobacco violence vitality wheat whist wildness ice flesh fog blood brightness butter cash charcoal
  dirt dust envy firmness flour friction gratitude guilt hatred hardness intensity jealousy malice modesty moisture nectar originality wisdom
  air anybody anyone anything attendance credit cost damage everybody everyone everything oats paper random regret respect sand something water
  wood semantics linguistics approval completion consciousness consumption cooperation collaboration defiance depreciation
  destruction cultivation conservation absorption accordance agitation illumination immunity independence heed gout
  health honey freight engineering leadership legislation locomotion ownership photography retirement subsistence
  research elasticity elegance fatigue fertility handwriting silk surveillance taxation clarity admiration access
  epilepsy diabetes diarrhea influenza malaria disbelief fun permission warfare laughter mail incense indifference endurance anger
`)
const MASS = wordsOf(`
  advice baggage bravery clothing courage diligence eloquence equipment etiquette evidence fairness fun furniture gladness gratitude greed
  guidance haste homework honesty hospitality housework impatience information ingenuity innocence jewelry knowledge laughter leisure
  lightning loneliness luck luggage machinery merriment mischief moonlight mortality mud music nostalgia obedience optimism patience
  permanence permission pessimism poise poverty privacy progress prosperity prudence readiness rubbish scenery sincerity solidarity
  solitude stealth sunlight sunshine thunder timidity traffic vastness violence wakefulness wanderlust wariness warfare waste wealth weather
  wisdom zeal anger awe envy money
`)

/** Nouns that texts also use without an article, or that are more often other words. */
const NOT_COUNT = wordsOf(`
  bishop circumstance muscle republic stretch   act advocate affair alternative assist attendant audit bank barren bay beat beating being belonging bin bite bitter blossom bond bound
  break brush burn can cast chain challenge channel characteristic chick chill chorus club coach coming community compound conference
  consequence conservative constant contest contribution conviction convert cook corporation country county covering crack crane crop
  cross crystal cure curl curse cut cycle dairy deer deficit definition die difference discount dish district diversion drawing dressing
  drive drug editorial elder element empty ending estimate exclamation executive expenditure expense expert extreme facility faculty
  failing fan feast feature feeling finding finish firm flash flat flood fraction fund fundamental gain god good graduate grant group
  guarantee gulf hang heading holiday hour human hundred hunt hurry ideal illustration import impulse inch inclination indication
  individual instance institution interval jean label lease lemon liberal license liking limit living load log lot mark mason mean
  memorial method million mine moral more musical nerve novel nuisance oak object objection occasion offering official one opening
  organization pack painting parade particular pass patient pearl penny pension perch person pig pine pip pit plain plant pleading
  pledge present preserve principle privilege prize proceeding professional proposition province provision puff pulse punch quarrel
  radical rag raise rake reading rebel recording region relationship report request requirement resource revival revolutionary
  ride right roll root round row rule sail sample saving saw saying score screen screw seed sentence serving share sheet shoot
  short shout single sixty slice slide slip sole solid sore sort specimen spell split spoke square stable stall standard stay string
  substitute superior sweet tax teaching tear technique term textile thousand total trace trail tread troop twist university
  upright us valence valuable van variable variety venture violet wage wash well white winning wish woman word year yield zero zone
  abnormality adhesive antibiotic commodity detergent explosive impurity lubricant narcotic ointment pesticide polymer remedy spice
  vegetable tomato cherry cucumber almond banana peach oyster clam mushroom bean pea nut herb asset award bet bid boxer brace
  caper cell classification clump cosmetic datum delusion dialect dimension dos digit dollar drawer empty ending episode eruption
  extremity fly fragment fume gene genre hit hop habitat holder impurity ingredient intensifier kernel larva lawsuit lesson loan
  maker manifestation marking million mission mortgage motive nucleus noun ornamental pant patch pen periodical plug premise pronoun
  racetrack ray reflex rib rite rocket saint sens shingle ski slug specie spike spine sponge stair statistic stocking stop stratum
  stripe subfamily suburb symptom tire trouser tropic tuft vein verb volt wart whorl workplace wrench wrinkle goose fox hedge
  ashe basis leave leap daisy grocery toilet woodland dive junction continuation category theme sandwich tumor lung hip
  problem unit network marsh streak database hospital pound option mistake thing member flavoring citizen civilian adult parent policeman businessman minister prince doctor priest
`)
const COUNT = wordsOf(`
  ancestor apple arrow balloon bell bird blade boat book bottle boulder boundary brick bridge bucket bullet button calendar candle canyon
  castle cat cathedral celebrity chair chart cipher clock cloud clue coin companion constellation costume creature creed crowd crown cup
  curtain deity desk device dial dog donkey door dragon drum eagle envelope equinox eye farm feather fence field finger flag
  flower forest fork formula friend garden gate gesture ghost gift grail grievance grin grudge guest guitar gust hammer hat haven
  hearth helmet hero horizon horn horse hound house household idea illusion infant island itinerary jacket jar jewel job joke
  journey key kitchen kite knife knot ladder lake lamp lantern latch leaf letter library lion loaf lock loom lullaby lyre
  magnet map mask maxim meadow melody mile mirror mob monk monster month moor mountain mouse nest oath ocean owl palace pane
  paragraph path peak pebble petal picture pillow pirate planet plot pocket poem portrait pun puzzle quest queue raven
  rein ring ripple river road robot rodent rose route saddle satellite scene secret shelf shepherd ship shoe shore shovel
  silhouette skyline soldier song souvenir sparrow spider spool spoon spur star statue statute step stick stool storm story stranger
  stream street student suitcase sword table tail teacher temple tent thief thorn thread threat threshold throne ticket tiger
  titan tomb tower toy treaty tree trough trumpet trunk tunnel umbrella valley vault verdict vessel village violin virus visitor vow
  voyage wagon wall warrior wave weapon wedding week wheel wheelbarrow whistle window wing witch wolf wound
`)

/** Determiners and numbers, which WordNet has among the adjectives. */
const NOT_ADJECTIVES = wordsOf(`
  all another any both each either enough every few fewer less little many more most much neither no other several some such own same
  what which whatever whichever this that one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty
  sixty hundred thousand million billion zero first last next like worth
`)

/** Common adjectives that are other words as well. */
const MORE_ADJECTIVES = wordsOf(`
  clear cool dark deep dry dull empty fair fine fresh full gentle good great green hard high hot kind large light long low new old open poor
  quick quiet rich rough sharp short slow small smooth soft sour strange strong sweet tall thick thin true warm weak wide wild wise wrong young
`)

/** How the texts use a noun. */
interface Uses {
  /** After "a", and in the plural. */
  counted: number
  /** In the singular without an article, and after "much". */
  bare: number
}

/** The files of WordNet's nouns: artifacts, objects, plants and shapes; animals, groups and people. */
const OBJECTS = new Set(['06', '17', '20', '25'])
const LIVING = new Set(['05', '14', '18'])
const PART_OF_COMPOUND = /^(?:NN|VBG|JJ|HYPH|CC|POS)/
const BARE_AFTER = /^(?:IN|TO|VB[ZDPGN]?|,|:)$/

const senses = readSenses()
const uses = readUses()

const mass = pick(MASS, NOT_MASS, ({ counted, bare }) => bare >= 4 && counted <= 0.04 * (counted + bare))
const count = pick(COUNT, NOT_COUNT, ({ counted, bare }) => counted >= 10 && bare <= 0.04 * (counted + bare))
const isThing = (noun: string) => {
  const files = senses.get(noun)?.nounFiles ?? []
  return files.length > 0 && files.every((file) => !LIVING.has(file)) && files.some((file) => OBJECTS.has(file))
}
const adjectives = [...senses]
  .filter(([word, { adjective, other }]) => adjective >= 3 && adjective >= 4 * other && !NOT_ADJECTIVES.includes(word))
  .map(([word]) => word)
const modifiers = [...new Set([...adjectives, ...MORE_ADJECTIVES])].sort()

writeFileSync(
  FILE,
  `/** Made by scripts/noun-kinds.ts from WordNet; NOTICE has its licence. Change the lists there. */

/** Nouns that have no plural and never follow "a". */
export const MASS_NOUNS = \`
${lines(mass)}
\`

/** Nouns that a sentence never uses in the singular without an article or another determiner: things. */
export const THINGS = \`
${lines(count.filter(isThing))}
\`

/** The same, for people, animals, and what is no object. */
export const OTHER_COUNT_NOUNS = \`
${lines(count.filter((noun) => !isThing(noun)))}
\`

/** Words that are adjectives when they are between an article and a noun. */
export const ADJECTIVES = \`
${lines(modifiers)}
\`
`,
)
console.log(`${mass.length} mass nouns, ${count.length} count nouns, ${modifiers.length} adjectives`)

/** Frequent words whose uses show the kind, corrected by hand. */
function pick(added: readonly string[], refused: readonly string[], isKind: (uses: Uses) => boolean): string[] {
  const found = new Set([...uses].filter(([, each]) => isKind(each)).map(([noun]) => noun))
  const chosen = [...found].filter((noun) => familiarityOf(noun) === MOST_FAMILIAR && !refused.includes(noun))
  return [...new Set([...chosen, ...added])].sort()
}

interface Senses {
  readonly nounFiles: string[]
  adjective: number
  other: number
}

/** From index.sense: lemma%type:file:..., offset, number, uses. Types: 1 noun, 2 verb, 3 and 5 adjective. */
function readSenses(): Map<string, Senses> {
  const found = new Map<string, Senses>()
  for (const line of readFileSync(join(folder, 'index.sense'), 'utf8').split('\n')) {
    const [, lemma, type, file, times] = /^([a-z]+)%(\d):(\d\d)\S* \d+ \d+ (\d+)/.exec(line) ?? []
    if (!lemma || !file) continue
    const senses = found.get(lemma) ?? { nounFiles: [], adjective: 0, other: 0 }
    found.set(lemma, senses)
    if (type === '1') senses.nounFiles.push(file)
    if (type === '3' || type === '5') senses.adjective += Number(times)
    else senses.other += Number(times)
  }
  return found
}

function readUses(): Map<string, Uses> {
  const found = new Map<string, Uses>()
  const add = (noun: string, what: keyof Uses) => {
    const uses = found.get(noun) ?? { counted: 0, bare: 0 }
    uses[what]++
    if (known.has(noun)) found.set(noun, uses)
  }
  const nouns = [...senses].filter(([, { nounFiles }]) => nounFiles.length > 0).map(([noun]) => noun)
  const known = new Set(nouns)
  const singulars = new Map(
    nouns.map((noun) => [inflect(noun, 'NNS'), noun] as const).filter(([many, one]) => many !== one),
  )
  for (const gloss of glosses()) {
    const words = splitWords(gloss).map(({ text }) => text)
    const tags = words.length > 2 && words.length <= 80 ? tag(words) : []
    tags.forEach((each, i) => {
      const word = words[i] ?? ''
      if (each === 'NNS') add(singulars.get(word) ?? '', 'counted')
      if (each === 'NN' && !PART_OF_COMPOUND.test(tags[i + 1] ?? '.')) {
        const before = words[i - 1]?.toLowerCase() ?? ''
        if (/^(?:an?|each|every|another)$/.test(before)) add(word, 'counted')
        else if (/^(?:much|little|less|enough)$/.test(before) || BARE_AFTER.test(tags[i - 1] ?? '')) add(word, 'bare')
      }
    })
  }
  return found
}

function* glosses(): Generator<string> {
  for (const name of ['noun', 'verb', 'adj', 'adv']) {
    for (const line of readFileSync(join(folder, `data.${name}`), 'utf8').split('\n')) {
      yield* (line.split(' | ')[1] ?? '').split(/;\s*/)
    }
  }
}

function lines(words: readonly string[]): string {
  return words
    .join(' ')
    .replaceAll(/(.{1,125})(?: |$)/g, '  $1\n')
    .trimEnd()
}
