/** English words that do not follow the rules of inflect.ts, compiled by hand. */

/** Verbs: base, past, participle. A verb with a prefix (overtake, undo, misread) follows the verb inside it. */
export const VERBS: ReadonlyMap<string, readonly [past: string, participle: string]> = triples(`
  backslide backslid backslid; handwrite handwrote handwritten; typewrite typewrote typewritten; proofread proofread proofread;
  typecast typecast typecast; inbreed inbred inbred; crosscut crosscut crosscut; uppercut uppercut uppercut;
  arise arose arisen; awake awoke awoken; babysit babysat babysat; be was been; bear bore born; beat beat beaten;
  become became become; befall befell befallen; beget begot begotten; begin began begun; behold beheld beheld;
  bend bent bent; beseech besought besought; beset beset beset; bespeak bespoke bespoken; bestrew bestrewed
  bestrewn; bestride bestrode bestridden; bet bet bet; betake betook betaken; bethink bethought bethought; bid bid
  bid; bind bound bound; bite bit bitten; bleed bled bled; blow blew blown; break broke broken; breastfeed
  breastfed breastfed; breed bred bred; bring brought brought; broadcast broadcast broadcast; browbeat browbeat
  browbeaten; build built built; burst burst burst; buy bought bought; cast cast cast; catch caught caught; choose
  chose chosen; cleave cleft cleft; cling clung clung; come came come; cost cost cost; creep crept crept;
  crossbreed crossbred crossbred; cut cut cut; deal dealt dealt; deepfreeze deepfroze deepfrozen; dig dug dug; do
  did done; draw drew drawn; drink drank drunk; drive drove driven; dwell dwelt dwelt; eat ate eaten; fall fell
  fallen; feed fed fed; feel felt felt; fight fought fought; find found found; fit fitted fitted; flee fled fled;
  fling flung flung; fly flew flown; forbear forbore forborne; forbid forbade forbidden; forecast forecast
  forecast; forego forewent foregone; foresee foresaw foreseen; foretell foretold foretold; forget forgot
  forgotten; forgive forgave forgiven; forgo forwent forgone; forsake forsook forsaken; forswear forswore
  forsworn; freeze froze frozen; gainsay gainsaid gainsaid; get got got; give gave given; go went gone; grind
  ground ground; grow grew grown; hamstring hamstrung hamstrung; hang hung hung; have had had; hear heard heard;
  hew hewed hewn; hide hid hidden; hit hit hit; hold held held; hurt hurt hurt; inlay inlaid inlaid; input input
  input; jigsaw jigsawed jigsawn; keep kept kept; kneel knelt knelt; knit knitted knitted; know knew known; lade
  laded laden; lay laid laid; lead led led; leap leapt leapt; leave left left; lend lent lent; let let let; lie
  lay lain; light lit lit; lose lost lost; make made made; mean meant meant; meet met met; mislay mislaid mislaid;
  mistake mistook mistaken; mow mowed mown; offset offset offset; output output output; partake partook partaken;
  pay paid paid; prove proved proven; put put put; quit quit quit; read read read; rend rent rent; rid rid rid;
  ride rode ridden; ring rang rung; rise rose risen; rot rotted rotted; run ran run; saw sawed sawn; say said
  said; see saw seen; seek sought sought; sell sold sold; send sent sent; set set set; sew sewed sewn; shake shook
  shaken; shear sheared shorn; shed shed shed; shine shone shone; shoe shod shod; shoot shot shot; show showed shown; shrink
  shrank shrunk; shrive shrove shriven; shut shut shut; sightsee sightsaw sightseen; sing sang sung; sink sank
  sunk; sit sat sat; slay slew slain; sleep slept slept; slide slid slid; sling slung slung; slink slunk slunk;
  slit slit slit; smite smote smitten; sow sowed sown; speak spoke spoken; speed sped sped; spend spent spent;
  spin spun spun; spit spat spat; split split split; spread spread spread; spring sprang sprung; stand stood
  stood; steal stole stolen; stick stuck stuck; sting stung stung; stink stank stunk; strew strewed strewn; stride
  strode stridden; strike struck struck; string strung strung; strive strove striven; sublet sublet sublet; swear
  swore sworn; sweep swept swept; swell swelled swollen; swim swam swum; swing swung swung; take took taken; teach
  taught taught; tear tore torn; telecast telecast telecast; tell told told; think thought thought; throw threw
  thrown; thrust thrust thrust; tread trod trodden; typeset typeset typeset; understand understood understood;
  upset upset upset; wake woke woken; waylay waylaid waylaid; wear wore worn; weave wove woven; wed wedded wed;
  weep wept wept; wet wet wet; win won won; wind wound wound; withdraw withdrew withdrawn; withhold withheld
  withheld; withstand withstood withstood; wring wrung wrung; write wrote written
`)

/** Words that only look like one of the above with a prefix, or with another word before it. */
export const NOT_PREFIXED: ReadonlySet<string> = words('relay outfit refit misfit repent reprove interleave grandstand')

/** Modal verbs: present, past. They have no other forms. */
export const MODALS: ReadonlyMap<string, string> = pairs(`
  can could; could could; may might; might might; must must; ought ought; shall should; should should; will would; would would
`)

/** The third person of verbs that do not just take -s or -es. */
export const THIRD_PERSONS: ReadonlyMap<string, string> = pairs(`
  be is; have has; gas gasses; quiz quizzes; whiz whizzes
`)

/** Forms in -ing that no rule gives. */
export const GERUNDS: ReadonlyMap<string, string> = pairs(`
  be being; singe singeing; tinge tingeing; swinge swingeing; binge bingeing; whinge whingeing; dye dyeing; eye eyeing;
  cue cueing; queue queueing; gas gassing; bus busing; bias biasing
`)

/** Verbs of several syllables that double their last consonant, mostly because the last syllable is stressed. */
export const DOUBLING: ReadonlySet<string> = words(`
  appal befog instal beset bootleg bootstrap bullshit bullwhip flimflam hiccup imbed chitchat corral crosscut debar debug decontrol diagram enwrap foxtrot horsewhip inset outfit
  pettifog rappel refit retransmit sharecrop shotgun uppercut wildcat giftwrap misfit
  begin forget forbid upset babysit typeset sublet offset embed underpin retrofit reinter
  abet abhor abut acquit admit airdrop allot annul aver backlog backslap backstop bedim befit beget besot bestir
  catnap commit compel concur confer control defer demur deter disbar disinter dispel distil doorstep eavesdrop
  emit enrol enthral entrap equip excel expel extol format fulfil handicap hobnob humbug impel incur infer instil
  inter intermit jitterbug kidnap kneecap leapfrog manumit nonplus occur omit outwit overlap overstep patrol
  permit prefer program propel rebel rebut recap recommit recur refer regret remap remit repel resubmit sandbag
  sideslip sidestep submit transfer transmit transship unclog unman unpin unplug unsnap unstrap untap unwrap unzip
  wigwag worship zigzag
`)

/** Plurals that no rule gives. */
export const PLURALS: ReadonlyMap<string, string> = pairs(`
  bronchus bronchi; hypothalamus hypothalami; momentum momenta; pleura pleurae; septum septa; optimum optima; cilium cilia; pupa pupae; diocese dioceses; archdiocese archdioceses; handicraft handicrafts; mongoose
  mongooses; phylum phyla; ganglion ganglia; candelabrum candelabra; cortex cortices; graffito graffiti;
  incubus incubi; sarcophagus sarcophagi; simulacrum simulacra; maximum maxima; minimum minima;
  yourself yourselves; man men; woman women; child children; person people; foot feet; tooth teeth; goose geese; mouse mice; louse
  lice; dormouse dormice; titmouse titmice; ox oxen; die dice; leaf leaves; loaf loaves; thief thieves; half
  halves; calf calves; self selves; shelf shelves; elf elves; wolf wolves; knife knives; wife wives; life lives;
  sheaf sheaves; hoof hooves; scarf scarves; wharf wharves; dwarf dwarves; alumnus alumni; stimulus stimuli;
  fungus fungi; nucleus nuclei; radius radii; cactus cacti; bacillus bacilli; locus loci; terminus termini; magus
  magi; syllabus syllabi; genus genera; corpus corpora; criterion criteria; phenomenon phenomena; automaton
  automata; polyhedron polyhedra; bacterium bacteria; datum data; medium media; curriculum curricula; stratum
  strata; erratum errata; ovum ova; addendum addenda; millennium millennia; memorandum memoranda; symposium
  symposia; spectrum spectra; quantum quanta; continuum continua; consortium consortia; cranium crania;
  desideratum desiderata; vertex vertices; vortex vortices; codex codices; appendix appendices; matrix matrices;
  helix helices; cervix cervices; larva larvae; alga algae; vertebra vertebrae; alumna alumnae; nebula nebulae;
  axis axes; testis testes; iris irises; clitoris clitorises; beau beaux; chateau chateaux; château châteaux; gateau gateaux; gâteau gâteaux; by bys;
  tableau tableaux; gas gases; bus buses; plus pluses; yes yeses; quiz quizzes; fez fezzes; whiz whizzes; lens
  lenses; canvas canvases; atlas atlases; alias aliases; bias biases; pancreas pancreases; Christmas Christmases;
  christmas christmases; cosmos cosmoses; ethos ethoses; rhinoceros rhinoceroses; passerby passersby; runnerup
  runnersup; seraph seraphim; stoma stomata; stomach stomachs; monarch monarchs; epoch epochs; patriarch
  patriarchs; matriarch matriarchs; eunuch eunuchs; loch lochs; tech techs; czech czechs; oligarch oligarchs;
  hierarch hierarchs; hero heroes; potato potatoes; tomato tomatoes; echo echoes; veto vetoes; torpedo torpedoes;
  embargo embargoes; mosquito mosquitoes; volcano volcanoes; tornado tornadoes; mango mangoes; domino dominoes;
  buffalo buffaloes; cargo cargoes; motto mottoes; negro negroes; hobo hoboes; no noes; desperado desperadoes;
  innuendo innuendoes; jingo jingoes; lingo lingoes; mulatto mulattoes; farrago farragoes; peccadillo
  peccadilloes; grotto grottoes; dingo dingoes; shamus shamuses
`)

/** Nouns that are their own plural, or plurals already. */
export const UNCHANGED: ReadonlySet<string> = words(`
  cm ft kg km mm deceased unemployed undersigned accused personnel regalia genitalia femora mujahidin
  advice aircraft alms alumni amends annals asbestos bacteria barracks bellows belongings biceps billiards
  binoculars bison bourgeois bream cacti carp catfish cattle chaos chassis checkers children clergy clothes cod
  congratulations corps crayfish criteria crossroads darts data debris deer dice doldrums dregs earnings eaves elk
  entrails equipment feet fish forceps fungi furniture gallows geese genitals glasses goldfish goods graffiti
  grouse gymnastics headquarters homework hovercraft information innings jeans jellyfish knowledge lice luggage
  mankind manners mathematics means measles media men mice moose morals mumps news odds offspring outskirts oxen
  pajamas pants paparazzi pathos patois people phenomena plankton pliers police poultry proceeds pyjamas rabies
  reindeer remains rendezvous riches rickets salmon savings scissors series shambles shears sheep shellfish shorts
  shrimp spacecraft species spectacles squid starfish stimuli suds surroundings sweepstakes swine Swiss swiss
  swordfish teeth tennis thanks thews tidings tights tongs triceps trivia trousers trout tweezers vermin victuals
  watercraft whereabouts wildlife womankind women works
`)

/** Names whose plural takes -s or -es, although common nouns with this ending would change otherwise. */
export const NAMES: ReadonlySet<string> = words(`
  abby amy andy anthony barry becky betsy betty billy bobby brittany cathy cindy daisy danny dorothy emily emmy gary germany harry henry
  hungary italy jenny jeremy jerry jimmy johnny judy july kathy kelly kennedy kentucky kitty larry lucy macy mary mercury molly murphy
  nancy nelly normandy patty peggy penny percy peggy polly randy ricky ruby sally sammy sicily sydney terry timothy tommy tony tracy vicky
  wendy willy adams andrews charles collins davies dickens edwards evans hercules hughes james jenkins jones moses myers peters
  phillips roberts rogers simmons stevens watkins williams
`)

/** Said as words, or longer than three letters: their plural is NATOs, not NATOS. */
export const ACRONYMS: ReadonlySet<string> = words(`
  AIDS ASAP BAFTA FIFA GIF IKEA LASER MOOC NASA NASDAQ NATO OPEC PIN RADAR RAM ROM SARS SCUBA SIM SONAR SWAT UEFA UNESCO UNICEF
  WASP YAML
`)

/** Words that end in -man or -men but do not inflect like man. */
export const NO_MEN: ReadonlySet<string> = words(`
  omen stamen specimen acumen abdomen regimen hymen semen lumen dolmen bitumen cyclamen albumen ramen amen
  human german roman norman shaman talisman ottoman caiman cayman brahman mussulman turcoman hetman
`)

/** Adjectives and adverbs: positive, comparative, superlative. */
export const DEGREES: ReadonlyMap<string, readonly [comparative: string, superlative: string]> = triples(`
  more more most; most most most; less less least; least least least; better better best; best best best; worse worse worst;
  worst worst worst; further further furthest; elder elder eldest; foremost foremost foremost; former former former;
  good better best; well better best; bad worse worst; badly worse worst; ill worse worst; far
  farther farthest; little less least; much more most; many more most; shy shyer shyest; sly slyer slyest; wry
  wryer wryest; spry spryer spryest; quiet quieter quietest; cruel crueler cruelest; polite politer politest; able
  abler ablest; severe severer severest; sincere sincerer sincerest; remote remoter remotest; obscure obscurer
  obscurest; profound profounder profoundest; unkind unkinder unkindest; unwise unwiser unwisest; secure securer
  securest
`)

/** First words of joined adjectives that are compared themselves: better-known, longer-lived. */
export const COMPARED_FIRST: ReadonlySet<string> = words(`
  bad bright broad cheap clear close cold dark deep early easy far fast good great hard heavy high kind large late light long low narrow
  near poor rich short slow small soft strong sweet thick thin tight warm weak well wide young
`)

/** Short adjectives and adverbs that still take more and most, and words that have no degrees: none of them is a player. */
export const MORE: ReadonlySet<string> = words(`
  abroad absent abstract adrift afoot afraid agape aghast air ajar akin alike alive all alone aloof always amiss ancient anxious any
  ashamed asleep awake aware awry back bit bored boss brother bulk cautious center centre certain chance chic childish constant counter
  country county crack crash daily damn decent distant double down dual due dutch each eager east eight eighth eighty eleven else ever every
  evil fake famous farm fellow female fifth fifty first five fluid folk fool foolish forty four fourth french fringe front frontier fun
  giant gold golden group half head here home honest honey hourly hued hundred in instant jealous joint just key land last lay liable like
  loath lost main male mass master mid middle mob mock modern monthly nearby nervous net never next nightly nine ninety ninth no non north
  now off often on once one only open other out over own past patient perfect plane play pleased post power precious present prime prior
  pro prone proper quack quarter real rear recent right rose same scared sea second seldom self selfish seven seventh seventy side silent
  silver single six sixth sixty size so sole solemn some south star state stock stoic straw stray such sudden sullen super teen ten tenth
  test then there third thirty three through thus tired toe top torn trade triple twelve twenty twice two up urgent weather weekly west
  whole wooden woolen world worn worth wrong yearly
`)

function entries(text: string): string[][] {
  return text.split(';').map((entry) => entry.trim().split(/\s+/))
}

function triples(text: string): ReadonlyMap<string, readonly [string, string]> {
  return new Map(entries(text).map(([word, first, second]) => [word!, [first!, second!]]))
}

function pairs(text: string): ReadonlyMap<string, string> {
  return new Map(entries(text).map(([word, form]) => [word!, form!]))
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
