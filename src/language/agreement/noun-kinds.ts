/** Made by scripts/noun-kinds.ts from WordNet; NOTICE has its licence. Change the lists there. */

/** Nouns that have no plural and never follow "a". */
export const MASS_NOUNS = `
  accuracy advice aggression agriculture amazement ammunition anger anthropology applause architecture arithmetic artillery
  assistance astonishment astronomy attention awe bacon baggage beef biology blame blindness bondage boredom bravery chemistry
  chess chlorine clothing commerce communism consent copper corruption courage cowardice creativity despair desperation dew
  diligence disapproval effectiveness electricity eloquence envy equality equipment etiquette evidence exhaustion fairness fame
  flattery foliage freshness friendliness fun furniture garbage gasoline generosity geography ginger gladness golf gratitude
  greed guidance happiness haste homework honesty hospitality housework hydrogen ignorance impatience importance information
  ingenuity innocence insanity jazz jewelry knowledge laughter laundry leisure lightning livestock loneliness luck luggage
  lumber machinery merriment mischief money moonlight mortality mud music nitrogen nostalgia nourishment obedience optimism
  oxidation oxygen ozone patience permanence permission perspiration pessimism petroleum poise pollution pork pottery poultry
  poverty privacy productivity progress prosperity prudence publicity racism readiness revenge rubbish scenery sewage sincerity
  slavery sociology software solidarity solitude stealth sunlight sunshine tennis terrorism thunder timidity traffic
  transportation treason unemployment unhappiness vastness vegetation vengeance vinegar violence wakefulness wanderlust warfare
  wariness waste wealth weather wisdom zeal zinc
`

/** Nouns that a sentence never uses in the singular without an article or another determiner: things. */
export const THINGS = `
  airport apple arrow artery automobile balloon barn beam bicycle boat bomb boot bottle boulder boundary bridge bubble bucket
  bulb bullet button cable candle canyon castle cathedral chart chimney chip cigar cliff clock component cone constellation
  continent corner costume crown cup curtain cushion desk device dial ditch document door ear electron elevator envelope eye
  farm filter finger flower fork gap gate glacier grail guitar hammer hat haven hearth helmet hemisphere hotel island jacket
  jar jaw kitchen knife laboratory ladder lake lamp lane lantern latch leaf leg lens limb lock loom lyre magnet map mat meter
  mirror monument mountain oar obstacle ocean oven pane path peak pebble peg peninsula petal photograph picture pillow pistol
  portrait puzzle razor reef refrigerator rein restaurant river road robot rose route scene seat segment shelf ship shoe shore
  shovel sign silhouette sleeve souvenir spade spear spool spoon spur statue stem step stick stool story strand suitcase sword
  temple tent thorn thread threshold throne tie token tomb tower trap trough trumpet tunnel twig umbrella valley vault vessel
  violin wagon wall weapon wheel wheelbarrow whistle window
`

/** The same, for people, animals, and what is no object. */
export const OTHER_COUNT_NOUNS = `
  acre actor adjective admirer ally amendment ancestor angle ant applicant article assistant atom beast bee bell berry bird
  blade book branch brick building calendar calf candidate card carpenter cat celebrity century chair cheek child cipher city
  clause client cloud clue cluster cocktail coin colleague colony comb companion computer consumer corpse council counter
  cowboy creature creed critic crowd customer dam daughter dealer defendant deity demon dog donkey dot dragon drum eagle
  earthquake employee employer engineer equation equinox essay exam fairy fang farmer feather fee fence field flag flaw flock
  footstep foreigner forest formula friend gallon garden gesture ghost gift graph grievance grin grudge guest gust headline hen
  hero hill hoof horizon horn horse hound house household hymn idea illusion incident infant insect itinerary jewel job joke
  journey key kid kite knight knot lawyer letter library linguist lion lip loaf lover lullaby mask maxim meadow mechanic melody
  mile mill miracle mob monk monkey monster month moor mouse musician neighbor nest nun oath observer operator orchestra organ
  owl ox painter pair palace paragraph participant partner passenger patron pet pile pilot pioneer pirate planet plank plot
  pocket poem prairie procession pun pupil quest queue rabbit rat raven recruit refugee reporter resident ring ripple rival
  rodent saddle sailor satellite scholar scientist seaman secret seller servant shepherd singer skyline slave snake soldier
  song sparrow speaker specialist spectator spider star statute storm stranger stream street student supporter surgeon table
  tail tale teacher tenant terrorist thief thigh threat ticket tiger titan tooth topic tournament toy traveler treaty tree
  trick trunk twin user verdict village virus visitor vow voyage warrior wave wedding week weekend wing witch wolf worker
  workman worm wound
`

/** Words that are adjectives when they are between an article and a noun. */
export const ADJECTIVES = `
  abdominal abject able abrupt absent absentminded absolute absorbed absurd academic accurate activated actual acute adequate
  adjacent adjusted administrative admirable advanced adverse aerated aesthetic affected affixed afraid african aggressive
  agitated agricultural aimless airborne airy akin alive alleged allocable allowable alveolar amazed amazing ambiguous
  ambitious amorphous ample analogous analytic ancestral ancient anglican angry annoyed anonymous anti anticipated antique
  antithyroid anxious apostolic appalling apparent appealing applicable appointed appreciable approved apt aqueous arbitrary
  architectural armed arterial arteriolar artificial artistic ashamed asleep assured astonished astonishing athletic atomic
  atrophic attractive attributable authentic automatic autonomic available aware awed awestruck awkward bacterial bad balanced
  bandaged barbaric bare based basic battered bearded beautiful belligerent beloved bended beneficial bewildered biblical big
  bigger binomial biological biting bitter black blatant blazing bleak blessed blithe bloody blurred bogus bold born bounded
  brave breathless brief bright brilliant brindle brisk broad broken bronchial bronzed brown built bulky bureaucratic busy
  callous capable carefree careful careless casual causal celestial central cerebral certain certified challenging changed
  changing chaotic charged charitable charming cheap cheerful cheery childish childlike chinese chromatographic chronic
  cinematic circular civic civil civilian civilized clad classical clear cleared clerical clever clinched clinical closed
  clouded clumsy cluttered cocky coherent cohesive cold collective colonial colored colorful colossal comfortable comic
  commensurate commercial committed common commonsense communal communicative comparable comparative compatible competent
  competitive completed complex complicated comprehensive concave concealed concentrated concerned conclusive concurrent
  condescending confident confirmed confused congregational conjugated connected conscious consecutive consequent conservative
  considerable consistent consonantal constant constructive consumptive contemporary contented continental continual continued
  continuing continuous contractual contributory controlled convenient conventional convinced convincing convulsive cool
  corporate corresponding cortical cosmic costly countless covered crazy creative crimson crisscrossed critical crowded crucial
  crude cruel crushed crushing cuban cubist cultural cumulative curious curved curving customary cylindrical damned damp
  dangerous dark darned dazed dead deadly deceased decent decisive dedicated deductible deep defective defensive definite
  deliberate delicate delighted delightful demanding democratic denominational dense dependable dependent desirable desolate
  despairing desperate despondent destructive detached detailed detectable determined developed developmental devoted diagonal
  diagonalizable dietary different differentiable differentiated difficult dignified dim dimensional dimensioning diminished
  dingy diplomatic dirty disappointed disastrous discernible disciplined discrete disordered dispersed dissolved distal distant
  distinct distinctive distinguishable distinguished distressing disturbed disturbing diverse diversified divine divisive
  docile domestic dominant done dotted doubtful drab dramatic draped drawn dreadful dressed dried drugged drunken dry dual
  dubious dull dulled dumb dutch dynamic eager early earthy eastern easy ecclesiastical economic economical edged educated
  educational effective efficient eighteen eighteenth eighth eighty elastic elderly elected electoral electric electrical
  electronic eligible eloquent embarrassing emblematic emotional empirical empty endless enduring energetic engaged engrossed
  enormous enraged ensuing enterprising enthusiastic entire entitled equitable erotic erudite essential established eternal
  ethical ethnic european eventual everyday evident exact excellent exceptional excessive excitatory excited exciting exclusive
  exhausted existing expanded expectant expected expensive experienced experiential experimental explicit explosive exposed
  expressed expressive exquisite extended extensive external extra extraordinary extravagant exuberant exultant faded faint
  fair faithful false famed familiar famous fantastic faraway fascinating fashionable fat fatal favorable fearful feasible
  featured federal feeble feminine fervent feverish fictional fierce fiery fifteenth fifth figurative filled final financial
  fine finished finite fiscal fitting fixed flat flexible flushed focal following fond foolish forbidden foregoing foreign
  foremost forgotten formal former formidable fortunate fourteen fourth fragile fragmentary frail frank frantic freehand
  frequent fresh friendly frightened frightening frightful frigid fringed frivolous frozen full functional fundamental funny
  furious futile fuzzy gaping gaunt gay generalized generous genial gentile gentle genuine geometric gigantic girlish given
  glad glaring gleeful glinting glittering glorious glottochronological goddam goddamn goddamned golden gone good gradual
  grammatic grammatical grand granted granular graphic grateful gray greasy great greater green grim grimy gross grotesque
  guilty gymnastic haggard handsome happy hard harsh hateful headed healthy heated heavy hebephrenic heedless hegelian helpful
  helpless heroic heterogeneous hidden hideous high higher hilar historical hoarse homely homogeneous homozygous honest honored
  hopeful hopeless horizontal horrible hostile hot huge human humorous hungry hurried hurrying husky hypothalamic hypothetical
  hysterical icy idealized identical idiotic ignorant illegal illiterate illuminating imaginary imaginative immediate immense
  immoral immortal impassioned impatient impending imperfect impersonal implicit important impossible impotent impressive
  improved impudent inactive inadequate incapable inclined incomplete inconsequential increased increasing incredible indecent
  indefinite independent indian indifferent indirect indispensable indolent industrial inert inescapable inevitable inexpensive
  inexperienced infectious inferior infernal infinite informal inherent initial injured inner innocent inorganic insane
  inscribed insistent insolent insoluble institutional insufficient intact integral intelligent intelligible intended intense
  interdependent interested interesting interlobular interlocking intermediate interminable internal international interstellar
  intolerable intricate introductory invariant invisible involved inward iodinated iodinating ionic irish ironical irregular
  irrelevant isolated isotonic isotropic italian jaded jagged japanese jealous jewish joyous juicy keen kind kinesthetic
  kinetic known lacking lacy laden languid lao large larger lasting latent latest latter lavender lazy leaden leading learned
  legal legendary legislative legitimate lengthy lesser liable lifeless lifelike light lighted likely limited limiting linear
  lined linguistic literal literary lively livid loaded local located logical lonely long looking lost loud lousy lovely loving
  low loyal lucid lucky luminous lunar lurid luxurious mad made magnetic magnificent magnified main major mandatory manned
  marginal marked marketable married marvelous masculine massive matching mathematical meager meaningful meaningless measurable
  mechanical medical medieval meek memorable mental merciless mere merry metallic metaphysical meteoritic methodical
  metropolitan microscopic mid midwestern mild military mindful minimal minor miserable misleading misplaced missing mistaken
  mixed moderate modern modest moist molecular molten momentary monastic monstrous moral moroccan morphophonemic motionless
  motivated mountainous mounted moving muddy muffled multiple municipal muscular musical mute mutual mysterious mythological
  naive naked narrow national nationalistic natural naval neat necessary needed negative negligible neo neocortical nervous
  neurotic neutral new newborn nice nilpotent nineteenth ninety ninth noble noisy nonexistent nonmetallic nonspecific nonverbal
  normal northern noted noticeable notorious nuclear numb numbing numerical numerous obedient obliged observed obtainable
  obvious occasional occluded occupational occupied odd oily old older oleophilic olympic ominous opaque open opened
  operational opposing opposite optical optimal optimum oral ordered ordinary organic organizational organized oriental
  oriented original ornery orthodox orthographic outdoor outer outstanding overall overwhelming paid painful painted pale
  pallid paramagnetic paramount parasympathetic parked parliamentary partial particular particulate passionate passive pasted
  pathological patriotic paved peaceful peaked peculiar pending perceptual perfect perilous periodic peripheral permanent
  persistent personal pertinent philosophical phonemic phonologic phony photographic physical physiological pictorial
  picturesque pink piteous placid plain planetary planned pleasant pleased pleasing plentiful pleural poignant poised polar
  polite political ponderous poor popular populous porous portable portentous positive possible posterior potent powdered
  powerful practicable practical precarious preceding precious precise predictable pregnant preliminary prepared prepositional
  prescribed presidential previous prewar priceless primary primeval primitive prior privileged pro probable procedural
  prodigious productive professional proficient profitable profound progressive prolonged prominent promising prone pronounced
  propagandistic proper prophetic proportional proportionate prospective prosperous protective protogeometric proud provincial
  provisional pseudo psychical psychological pubescent published pulmonary pure purple pursuant puzzled puzzling quaint
  qualified qualitative quantitative quasi quavering queer quick quiet racial radioactive ragged raised random rapid rare
  rational raucous raw ready real realistic reasonable recent reciprocal recognizable recognized reduced refined reflective
  refreshed regimental regional regular related relentless relevant reliable relieved religious reluctant remaining remarkable
  remote repeated reproducible reputable required resentful residential resonant respectable respectful respective respiratory
  responsible restless restrained restricted resultant reticulate retinal retired revised revolutionary rhythmic rich
  ridiculous rigid riotous ripe rising rocky rosy rough rounded royal rude rugged rural rusty sacred sad safe salient sarcastic
  satisfactory satisfied savage scared scattered scenic scented schematic schizophrenic scientific seated secondary seeming
  selective selfish semantic semiliterate sensational senseless sensible sensitive sensory separated septic serious settled
  seventeen seventeenth seventh severe sexual shabby shaded shallow shaped shapeless sharp sheer short shortsighted shrill sick
  signed significant silent silly similar simple simulated simultaneous sincere single singular sinister sixteen sixth skeletal
  skeptical skilled skillful slack slanting sleepy slender slim slippery sloping slovenly slow small smaller smart smooth smug
  sober social socialistic soft soiled solar solitary somatic sophisticated sore sour southern soviet spaced sparse spatial
  special specialized specific specified spectacular spectral speedy spellbound spherical spirited spiritual splendid
  spontaneous sporadic sporting spotless squared stained startled startling statistical statutory stereotyped stern sticky
  stolid stooped stormy stout straightforward strained strange strategic stretched stricken strict striking strong structural
  structured struggling stubborn stupid sturdy subdued subjective sublime submissive subsequent substantial subtle suburban
  succeeding successful successive sudden sufficient suitable suited sullen sundry superb superficial superior supportive
  supposed supreme sure surprised surprising surrounded surrounding suspended suspicious swedish sweet swift symbolic symmetric
  sympathetic symphonic synthetic tactual tailored tall tangled tattered taut technical technological teen teenage temporal
  temporary tender tentative terrible terrific terrified terrifying tested theological theoretical therapeutic thermal thick
  thin third thirteen thorough thoughtful thoughtless thunderous tied tight timely timid tiny tired tolerant tonal torn
  tottering touching tough tousled toxic traditional tragic trained transcendental transitional transparent transpiring
  transverse trembling tremendous triumphant trivial tropical troublesome true turned twentieth twofold typical ugly ultimate
  ultrasonic unable unadjusted unambiguous unanimous unavailable unavoidable unaware unbroken uncertain unchanged uncharged
  uncomfortable uncommon unconcerned unconscious undaunted undepicted underground underlying understandable underway
  undiminished undue uneasy uneven unexpected unexplained unexplored unfamiliar unfitting unforgettable unfortunate ungainly
  unhappy unified uniformed unimpressed unique united universal unlike unlikely unlimited unlined unmistakable unmolested
  unnatural unnecessary unofficial unorthodox unpaid unpaired unpleasant unpopular unprecedented unreconstructed unsatisfactory
  unseen unsolved unspeakable unstable unstained unstressed unstructured unsuccessful unusual upper upright urban urgent usable
  used useful useless usual utmost vacant vague vain valiant valid valuable valued varied various varying vascular vast veiled
  velvety verbal vertical vicious victorian vigorous vindictive violent visible visual vital vivid vocal vocational voluminous
  voluptuous vulnerable wakeful wandering warm wavy weak wealthy weary wee weird western wet white whole wicked wide widespread
  wild willing wiry wise witty wonderful wooden workable working worn worried worst worthwhile worthy wounded wrapped wretched
  written wrong yielding young younger youthful
`
