/** Verbs by the objects that they take; scripts/verb-frames.ts makes the lists from WordNet. */

/** Somebody does it to something: "avoid the door", never "he avoids". */
export const NEED_OBJECT = `
  abandon abet abhor abolish abridge abrogate absent absorb abstract abuse accede accent accentuate accept access
  accession acclaim accommodate accompany accomplish accost accredit accuse accustom achieve acknowledge acquaint acquire
  acquit activate actualize actuate adapt add address adjoin adjudicate adjust admire admit admix adopt adore adorn
  adsorb adventure advertise advise advocate aerate aerosolize affect affirm affix afford affront aggravate aggregate
  alarm alert alibi alien alienate align allay allege alleviate allocate allot allow allowance alloy ally alphabetize
  alter amaze ambuscade amend amnesty amount amputate amuse analyse analyze anger animalise animalize animate animize
  annex annihilate annotate announce annoy antagonise antagonize anticipate ape apparel appease append appoint apportion
  appraise appreciate apprehend approbate appropriate approximate archaize archive argue armor armour arouse arraign
  arrange array arrest arrogate articulate ascertain ascribe ash ask asphalt aspire assail assault assay assert assess
  assign associate assuage assume assure asterisk astonish astound attach attack attain attempt attend attire attract
  attribute attune auction auctioneer audit augment augur authenticate authorize autograph automate avail avenge average
  avert avoid avow await award awe ax axe azure back badge badger baffle bag bail bait balance bale ballast ballyhoo ban
  band bandage banish bank bankrupt baptize bar barb bard bare baronetize barrack barrage barricade base bash baste bat
  batch batter bayonet bead beak bean bear beard beat beautify bedamn beetle befall befit befog befriend befuddle beget
  beggar begrudge beguile behead behold behoove belabor belie believe belt bemoan bench berate berth beseech beset
  besiege besmirch bespeak bestow bet bethink betide betray bevel bewail bewilder bewitch bias bilk bill bin bind
  bioassay birch birth bite blackguard blackmail blame blandish blank blanket bleach blemish bless blight blind blinker
  blob block blockade blog bloody blot blotch bludgeon blunt blurt board bode bog bolster bomb bombproof bonnet book
  boost border bore borrow bowdlerize bower bowl box boycott brace brad braid brand brandish brave brazen breach bread
  breast bribe bridge brief brighten bring broadcast broaden broadside brocade brooch brook browbeat bruise brush bucket
  buff buffalo buffer buffet bug bugle bulletin bully bulwark bundle bunker burden burke burlesque burr burthen bury bus
  bush bushel bushwhack busy butcher butt butter buy bypass cabbage cabin cache cage cake calculate calendar calender
  calibrate call callous calm calumniate camouflage can canal cancel candle candy cane canonize canopy canvass cap
  capacitate capitalise capsule captivate capture carbonate card caress caricature carol carpet carry cart cartoon carve
  cash cashier casket cast castigate castle catcall catch catechize categorize catenate catenulate cater cause causeway
  caution cavern cease celebrate cement censor censure census centrifuge certificate certify chagrin chairman chalk
  challenge chamber champion channel channelize chaperon characterise characterize charcoal charm chart charter chase
  check checker cheer cheese cheque cherish chide chill chink chivy chock chop chord chorus chrome chronicle chuck chunk
  churn cinch cipher circumscribe cite citify citrate civilize claim clamp clarify clasp class classify clean clear cleat
  clench clinch clink clip cloak clobber clock cloister closet closure clothe cloud clutch coal coat coax cock cod coddle
  code codify coerce coffin coin collar collate collect colonize color colorize colour comb combine comfort command
  commandeer commemorate commission commit commune communize compact compare compass compassionate compel compensate
  compile complement complexion complicate compliment compose compound comprehend compress comprise compute computerise
  computerize con conceal concede concern concert conciliate conclude concoct condemn condition condone conduct cone
  confine confirm confiscate confound confront confuse congratulate conjecture conjugate connect connote conquer
  conscript consent conserve consider consign console constitute constitutionalize constrict construct construe consume
  consummate contact contain contaminate contemplate contend content contest contour contract contradict contrast
  contrive control conventionalize convey convict convince convoy cool cooper coordinate copper copy copyright cord
  corduroy core cork corn coronate corral correct corroborate corrode corrupt cosponsor cost couch counsel count
  countenance counteract counterbalance counterchallenge counterfeit couple court cover covet cowhide cradle craft cram
  cramp crane crape crate cream create credit cremate crib crick criminalise criminalize criminate cripple crisscross
  criticise criticize critique crop crowd crown crucify crumb crush crystallize cube cuckoo cue cuff cultivate cup curb
  cure curry curtail curtain cushion customize cut dab dam damage damn damp dampen darn daunt dazzle deaden deaf debauch
  debilitate debit deceive decertify deck declare decompose decorate decry dedicate deduce deem defeat defend defer
  define defraud defray defy degas deglycerolize deign delay delegate delete delimit deliver delude deluge demand
  demarcate demean demise demo demolish demonstrate demote demythologize denote denounce dent deny depersonalize depict
  deplore deploy depose deposit deprave depress deprive deride derive desecrate desert deserve design designate desire
  desolate despatch despise despoil destine destroy detach detail detain detect deter determine detest detonate detract
  detribalize devastate develop devil devilize devise devote devour diagnose diagram dialyze dictate differentiate
  diffuse dignify dip direct disable disabuse disadvantage disallow disappoint disarm disarray disassemble disbelieve
  disburse discard discern discharge discipline disclose disconnect discontent discontinue discount discourage discover
  discredit disdain disenfranchise disentangle disgrace disguise disgust dishearten dishonor dishonour disillusion
  disinter dislike dislodge dismay dismember dismiss disobey disorder disown dispatch dispel dispense disperse displace
  display displease dispose disprove dispute disqualify disquiet disregard disrespect dissect dissemble disseminate
  dissuade distemper distinguish distort distract distress distribute distrust disturb ditch divest divide divulge dizzy
  do docket doctor document dodge dog domineer don doom dope dose dot doubt dovetail down downgrade download draft drag
  dragoon dramatise dramatize drape draught draw dread drill drink drive drown drug dub dummy dump dun dunk dupe
  duplicate dwarf dye dynamite earn ease eat echo eclipse economize edify edit educate efface effect effectuate ejaculate
  eject elate elbow elect electrify elevate elicit eliminate elongate elucidate elude elute email emancipate emasculate
  embargo embarrass embed embellish embezzle embitter embody embolden emboss embrace embroider embroil emit emote
  emphasize employ empower empty emulate enable enact enamel encase enchant encipher encircle enclose encompass encounter
  encourage encrust endanger endear endeavor endeavour endorse endow endure enervate enforce engender engrave engross
  engulf enhance enjoin enjoy enlarge enlighten enliven enmesh enrage enrich ensconce enshrine ensure entail entertain
  enthrall enthrone entice entitle entomb entreat entrench entrust enumerate enunciate envelop envisage envision envy
  epitomize epoxy equal equate equilibrate equilibrize equip eradicate erase erect eschew escort espouse essay establish
  esteem etch eulogize evade evaluate evidence evince evoke exacerbate exact exaggerate exalt examine exasperate exceed
  excerpt exchange excise excite exclaim exclude excommunicate excoriate excuse execute exemplify exempt exercise exert
  exhaust exhibit exile exonerate exorcise expect expedite expel expend experience expiate explain exploit explore export
  expose express expunge extend extenuate exterminate extinguish extirpate extract extrapolate extricate extrude eye
  eyeball eyewitness face facilitate factor factorize fail fair fake falsify fan fancy farce fare fascinate fashion
  fasten fathom fatten fault favor favour faze feature federalize feed feel feign feint felicitate fell felt ferret ferry
  fertilize fetch fictionalize figure file fill filter finance find finger fingerprint fit fix flail flank flatten
  flatter flaunt flavor flavour flaw fleck fling flocculate flog flood flour flout fluff flute foil fold fool foolproof
  footnote forbid force ford forecast foreclose forego foreground foreknow foresee foreshorten forestall foretell forfeit
  forge forget forgive forgo fork format formularize formulate forsake fort fortify forward foster found fox fractionate
  fracture fragment frame franchise frank free freight frequent fresco fright frighten fringe frizzle frock frog
  frogmarch front frost frustrate fuel fulfil fulfill funnel furlough furnish furrow further gag gain gainsay gamble gaol
  gap garage garb garland garment garner garrison garter gas gash gather gazette gear generalize generate gentle gibbet
  gift gild gin ginger girdle give glamour glaze glean glimpse glom glorify gloss glue glycerolize gnash goad gong goose
  gore gouge gown grab grace grade grain grant graph grasp grass grate gratify gravel grease greet grind grip grit groin
  groom groove ground guarantee guard guess gull gulp gut guzzle gyp habituate hack hail hale halter hammer hamper hand
  handicap handle harangue harass harbor harbour harlequin harness harry harshen harvest hash hasp hassle hate haul haunt
  have hawk hazard headline heap heat heave hector hedge heed heel heft heighten heist herald heterodyne hex hide
  highlight hijack hike hinder hinge hire hive hoard hoax hob hock hog hold hollow holystone homestead homogenize honor
  honour hood hook hoop hope horrify horsewhip hose hospitalize hound house huckster hull humanize humble humiliate humor
  humour hurdle hurl hurt hypnotize hypothesize ideate identify idolize ignite ignore illuminate illumine illustrate
  imagine imbed imbibe imitate impair impale impart impede impel imperil impersonate impinge implant implement imply
  import impose imprecate impress imprint imprison improve impute inaugurate incapacitate incarnate incense incise incite
  incline inclose include inconvenience incorporate incriminate inculcate incur index indicate indict individualize
  indoctrinate indorse induce induct infect infer infest infiltrate inflame inflate inflect inflict influence infuriate
  ingest inherit inhibit initiate inject injure ink inlay innovate input inscribe insert inset inspect inspire instal
  install instigate institute institutionalise institutionalize instruct instrumentate insulate insult insure integrate
  intend inter intercept interchange interest interiorize interject interlace interlock internalize interpose interpret
  intertwine interview intimate intimidate intone intrigue introduce intrust inure invade invalid invalidate invent
  inventory invert invest invite invoice invoke involve iodinate iron irrigate irritate isolate issue italicize itemise
  itemize jab jacket jail jam japan jelly jeopardize jerk jewel jilt jimmy jockey joint jot judge jug junk justify
  juxtapose keen keep kern key keynote kick kid kidnap kill kindle kit knead kneecap knight knot label labor lace
  lacerate lack lame lament laminate lampoon lance lard lash last latch launch lavish lay leach lead lease leash leech
  legitimate legitimize lengthen let level lever leverage levy libel liberalize liberate licence license lick lift
  lighten lighter like lime limit line link lionize liquidate list lithograph loan loathe lob locate loft loose loosen
  lord lose love lower lube lug lull lump lure lynch lyophilize madden madrigal magnetize mail maintain make malign
  maltreat manage mandate manifest manipulate manufacture manure map mar marbleize marinate mark market maroon marshal
  martyr marvel mash mask massacre massage master mastermind maximise maximize mean measure medicate memorise memorize
  menace mend mention merchandise merit mesmerize metabolize meter microwave miff militarise militarize militate milk
  mimic mince mine minimise minimize minstrel mint mire mirror misconstrue misgauge misinterpret misjudge mislay mislead
  mismanage misname misplace misquote misread misrepresent miss mistake mistrust misunderstand misuse miter mitigate
  mobilize mock model moderate modernize moisten mold molest mollify monitor monopolize moor mop mortar mortgage motivate
  motley motorize mottle mould mound mount mow muddle muddy muffle mug mulch multiply munition murder muster mute
  mutilate muzzle mystify nab nail name narcotize nasale nationalize naturalize necessitate need needle negate neglect
  negotiate net neuter neutralize nick nickel nickname nip nitrate nod noose notarize notch note notice notify nourish
  nudge numb number nurse nurture obey objectify oblige obliterate obscure observe obsess obstruct obtain occasion
  occlude occult occupy offend offer offsaddle offset ogle oil omen omit opine oppose oppress opt ordain order ordinate
  organise ornament orphan ostracize outclass outcry outdistance outdo outdraw outface outfight outfit outgeneral outgrow
  outlaw outline outlive outmaneuver outmode outnumber outplay output outrage outrun outsmart outstrip overburden
  overcast overcome overdrive overemphasize overestimate overexpose overfeed overfill overhaul overhear overlay overlook
  overpower overproduce override overrun overshadow overshoot overspread overstep overstrain overtake overthrow overwhelm
  overwork owe own oxidise pacify pack package pad padlock page paginate pain palm pamper panel par paragraph parallel
  paralyze paraphrase parcel parch pardon pare parody parole parrot parry partake partition partner paste pat patch
  patent patrol patronage patronize pattern pave paw pawn peck peddle pedicure peel peg pelt pen penalize pencil pension
  pepper perceive perfect perfume peril permeate permit peroxide perpetrate perpetuate persecute personalize personify
  persuade perturb peruse pervade pester petition petrify phrase pickle picture pierce pile pilfer pillory pillow pin
  pinch ping pinkify pinnacle pinpoint pioneer pip pique pirate pit pitchfork pith pity placard place plague plan plane
  plank plant plaster plat pleat pledge plight pluck plug plumb plume plump ply pocket poison polarize pole police polish
  poll pommel pompadour pooch portend portray posit possess post postmark postpone postulate pot pouch pound praise prank
  prearrange precede preclude precondition predict preempt preface prefer prefix preisolate prejudice prelude premise
  preoccupy presage prescribe present preserve pressurise pressurize presume presuppose prevent preview prey price prick
  pride prime print prise prize process proclaim procure prod produce profane profess proffer prohibit prolong promise
  promote prompt promulgate pronounce prop propel prophesy propitiate propose proposition proscribe prostrate protect
  prove provide provision provoke prune psalm publicize publish pull pulp pulverize pummel pump punch punctuate puncture
  punish purge purify purloin purport purpurate purse put putt putty puzzle quantify quarry quarter quash queer quell
  quench query question quilt quirk quit quiz radio raft rafter rag raid raiment raise rake rally ram range rank ransack
  ransom rape rate ratify ration rationalize ravage razor reach reactivate ready reaffirm realign realise reap rearrange
  reason reassail reassemble reassert reassign reassure reawaken rebuff rebuke rebut recalculate recall recapture receipt
  receive recess reckon reclaim reclassify recognise recognize recollect recommend recompense reconcile recondition
  reconsider reconstruct reconvert recopy record recount recoup recreate rectify rede redecorate rededicate redeem
  redefine redirect rediscover redistribute redouble redress reduce reef reelect reenact reenforce reestablish reevaluate
  reexamine refashion refill refinance refine reflect reform refresh refund refurbish refuse refute regain regale regard
  regenerate register regret rehabilitate rehash reimburse rein reinforce reinstall reinstate reinterpret reissue
  reiterate reject rejoin relace relay relearn release relegate relieve relinquish relish relive reload rely relyric
  remainder remake remand remark remedy remember remind remit remodel remove rename render renew renounce rent reopen
  reorder reorganize repair repay repeal repeat repel rephrase replace replant replenish represent repress reprieve
  reprimand reprint reproach reprobate reproduce reproof repudiate repulse repute request require requisition reread
  rerun reschedule rescind rescue reseal resemble resent reserve reset reshape resift resist resmudge resolve resort
  respect respite restate restock restore restrain restrict resurrect resuspend retain retard retie retrace retranslate
  retrieve retrospect reuse rev revamp reveal revenge revere reverence review revile revise revisit revitalize revive
  revolt revolutionise revolutionize reward rewind rewrite rib rice rick rid riddle ridge ridicule riffle rig rim risk
  rival roach rob robe romanticize roof rook rope rouge rough roughen round rouse rout rub rubber rubbish rubric rue
  ruffle ruin sabotage sabre sack sacrifice sadden saddle safeguard saint sallow salt salute salvage salve sample
  sanctify sand sandpaper sandwich sap satellite satisfy saturate sauce save savor savour savvy saw say scaffold scale
  scalp scam scamp scan scandalise scandalize scare scarf scarify scent schedule schematize scold scoop scorch scorn
  scotch scour scourge scrap scrape screen screw scribble scribe script scrub scrutinize scythe seal seam sear search
  seat seclude secrete secularize secure sedate seek seem seize select sell send sense sensify sensitize sentence
  sentimentalize separate sequence set sever shackle shade shadow shaft sham shame shape share sharpen shear shed shell
  shelve shepherd shew shield ship shipwreck shirk shirt shock shoot shorten shoulder show shrine shroud shun shunt shut
  sic sicken sidestep sieve sight signalize signify signpost silence silhouette simplify simulate singe sip sire situate
  sketch skim skip skirt skunk slander slang slap slash slat slate slaughter slay sledge sleek slick slight slime sling
  slit slop slot slug slum smack smash smelt smite smock smooth smother snag snare snatch sniff snip snub snuff soap sock
  sod soften sojourn solace solder sole solicit solve soot soothe sophisticate sorb sound soundproof soup souse sow space
  span spare spark spatter spear spearhead specify speck spell spend spice spike spill spiritize spite splash splatter
  splice splutter sponge sponsor sport spot spotlight sprain spread sprinkle spur spurn square squash squeeze squelch
  squire squirt stab stabilize stable stack staff stage stain stamp stampede standardise standardize staple star
  starboard starch startle state station staunch stave steady steal steel steep stem stereotype sterilize stifle sting
  stir stock stockade stoke stone stopper store stow straddle strafe strand strangle strap strengthen stress strew string
  strip stripe strive stroke strop strum stub stucco stud study stuff stump stun stunt stylize subcontract subdue subject
  subjugate submit subordinate subpoena subsidize substantiate substitute subtend subtitle subvert succor succour suffix
  suffocate suffuse sugar suggest suit sulfur sulphur summate summerize summon summons sunder sup superimpose superintend
  supersede supervise supplant supple supplement supplicate supply support suppose suppress surfeit surmise surmount
  surprise surround survey suspect suspend sustain swab swallow swan swathe swig swindle swipe symbolize synchronize
  syndicate synthesise synthesize systematize systemise systemize taboo tabulate tack tackle tag tailgate tailor taint
  take tame tamper tangle tantalize tap tar tariff tattoo taunt tax tease tee televise tell temper tempt tenant tend
  tender tenderize tenure term terminate terrace terrify terrorise terrorize test tether thank thatch theorise theorize
  thermostat think threaten thrill throttle throw thrust thurify thwack thwart ticket tidy tie tighten tile tin tinge
  tinsel tint tip title toast toe tolerate toll top torch torment torture total tow towel trace track trade trademark
  train trance transcend transcribe transfer transfix transform transgress transmit transplant transport trap trash
  treasure treat trench trick trigger trim trouble truck trumpet tuck tucker tune turf tutor tweeze twill twine twinge
  typify ultracentrifuge unbalance unclasp uncork uncover undeceive underestimate undergo underlie underline undermine
  underpin underrate underscore understate undertake underwrite undo unearth unfasten unfit unhitch uniformize unitize
  universalize unlace unlash unleash unload unlock unmask unpack unsay unscramble unscrew unsheathe unsolder unteach
  untie unveil unwind unwire up update upgrade uphold upholster uplift upraise uproot upset urbanize urge use usurp
  utilise utilize utter valet validate valuate value vanquish veil vein venerate vent ventilate verge verify vermilion
  vest vet veto vex victimise victimize view vindicate vinify violate visa visit visualize vitalize vivify vocalize void
  volunteer voodoo vouchsafe vow vulgarize wad waive wallop wallpaper want ward ware warehouse warrant wash waste water
  waterproof wattle waylay weaken wean weaponize wear weary weatherstrip web wed wedge weigh weight welcome weld wend
  westernize wet whack wharf wheedle whet whiff whip whisk whisker whitewash whittle wholesale widow wield will winch
  winterize wipe wire wish witch withhold withstand witness wolf woo worship wound wow wrack wrap wreak wreck wrench
  wrest wring yank yoke zest zinc zip zone
`

/** "Persist", never "persist the law". */
export const WITHOUT_OBJECT = `
  abide abound acclimate acclimatise acclimatize accord accrue acculturate ache acquiesce act affiliate agree alight
  alligator allude alternate amass amble angle antic apologize appear arbitrate arise arm arrive assent atrophy
  attitudinise attitudinize audition autopsy avalanche awake bachelor backlog bald balk balloon ballot bandy banter
  barber bargain barge bark barter bathe beam beaver become beef behave belch benefit berry bicker bicycle bide bike
  billow birdie bitch bivouac blab blackberry blanch blare blaspheme blaze bleat bleed blink blister bloat bloom blossom
  blow blubber blush bluster bob bogey boggle bong boom boomerang booze bounce brag bray breakfast breeze bridle brisk
  brood browse bruit bubble buccaneer buck buckle bud budge budget bulge bulk bull bullshit bunch burgeon burp burrow
  busk bustle butterfly buzz cab caddy calcify camp campaign canter caper capitalize capitulate caravan care careen
  career carpenter cartwheel cascade caucus cavort caw cerebrate chance chandelle chap chat chatter chin chirp choir
  choke chortle chuckle chuff chug chute circuit clam clamber claret clash clatter clerk climax clomp clown cluck clump
  cluster coalesce coast coexist cohere coil coincide coke collaborate collapse come commentate commiserate commute
  compete complain comply compromise concertina concertise concertize concur condescend confederate confer confess
  conflict conform congeal congregate conjoin consist consolidate consort conspire converge converse cooperate cope
  coquette corkscrew correlate correspond cotton counter counterattack counterpoint covenant cower cox crab crackle crap
  crash crawl creak creep crescendo cricket cringe croak crouch crow crumble crump crumple crust cry cub cuddle culminate
  curl curtsey curtsy curve cuss cycle dare darken dart dash dawn daydream decay decease decrease decree default defecate
  defect degenerate demur depart depend descend despair deteriorate deviate dial die diet differ digress diminish dine
  disagree disappear disco discord discourse dismount dissent dissolve dive diverge divorce dock dominate doss doze
  dribble drift drip drone droop drowse drudge drum dusk dwell dwindle ebb eddy edge effloresce elapse emanate embark
  emerge emigrate encamp encroach ensue err erupt escape eventuate excel exist exit expand experiment expire fade faint
  falcon fall falter fantasy farm fawn feast feud fib fidget filigree fin financier fish fistfight fizzle flake flare
  flee fleet flicker flinch flirt flit float flock flop flounce flounder flourish flow fluoresce flurry flush fluster
  flutter fly foam forage forbear founder fowl fraternize freak fret frolic froth frown fructify fullback fulminate
  fumble fume function funk fuse fuss gabble gad gallop gape garden gasp gawk gaze gee germinate gesticulate gesture
  geyser ghost giggle gimp gird glance glare gleam glimmer glint glisten glitter gloat glory glow glower glut go golf
  goof gorge gossip graduate gravitate grieve grimace grin gripe groan grope grouse grovel grow growl grumble grunt gush
  gyrate haggle hanker happen harden hare hark harp hasten hat haw heal hearken helm hemorrhage hesitate hibernate hint
  hiss honeymoon hoof hoot hop housekeep hover howl huddle hulk hunch hurrah hurry hurtle hypertrophy idle incubate
  inform inhabit insist interact intercede interconnect interfere interlude interpenetrate intersect intervene introject
  intrude inveigh jabber jangle jaw jeer jest jet jib jibe jig jingle jive joke jolly jostle joust jumble jump keel
  kitten kneel labour ladder lag lam lamb languish lap lapse lark laugh laze league lean leap leapfrog lecture leer
  lessen levant lie lilt limp linger lisp listen live loaf loiter look loom lope lounge lumber lunch lunge lurch lurk
  lust luxuriate malinger march mass mate materialize matriculate matter mature meander meddle mediate meditate merge
  metamorphose mew migrate minister miscarry misfire mist mix moan moo moonlight motion motor mountaineer mourn mouth
  muck mull muse mushroom mutiny nap nest nestle nucleate nut nuzzle object obstinate occur officiate originate ossify
  overdose overeat overflow overheat overindulge oyster pace pal pale pall pant pantomime parachute parley participate
  patter pause peach peak peal pearl peep peer perch perish persevere persist philosophise philosophize phonate picnic
  pig pimp pine piss plead plod plummet plunge polka ponder populate pore potter pounce pout powwow prance prattle pray
  preach preamble predominate preside prevail prim prizefight procrastinate profit profiteer progress promenade prosper
  protest protrude puke pulsate pun punt pup pupate purl pyramid quack quail quake qualify quarrel quarterback quest
  queue quickstep quip quiver rabbit race racket racketeer rage rail ramble ramp ranch rave react readjust reappear rear
  rebel rebound recoil reconvene recur redden reek refrain regroup reign rejoice relapse relax relent remain reminisce
  remonstrate remount rendezvous renegade repent resettle reside resound respond rest retail reticulate retire retort
  return revel reverberate revert rhyme ricochet ring riot rise rivet roar rock roleplay roll romp roost root rotate ruck
  rumble rummage rumor rumour rumpus run rush rust rustle sag salivate sashay scab scamper scant scheme scoff scoot scowl
  scramble scream screech scrimmage scroll scrounge scud scuff scuffle scurry scuttle secede seep settle shack shamble
  shark sheer shimmer shimmy shin shine shiver shop shrimp shrink shrug shudder shuffle shuttle shy sidle sigh sin single
  sink sit sizzle skedaddle skid skipper skirmish skulk skylark slacken slaver sleep sleet slew slide slim slink slip
  slough slumber slump smart smile smirk smolder snack snail snake snarl sneer sneeze snicker snigger snoop snore snort
  snow snowball snuggle soar sob solo somersault sorrow sour spar sparkle spat speak speculate speechify speed spiral
  splinter spout sprawl spree spring sprint sprout spume spurt squabble squall squat squawk squeak squeal squint squirm
  stag stagger stale stalk stall stand stare starve stay steam steamer step stew stiffen stink stint stomp stool stoop
  storm straggle streak stream stroll struggle strut stumble sub sublime subside subsist succeed succumb suffice sunburn
  surf surge swagger swarm swash sway swear sweat swell swerve swish swoon swoop sympathise sympathize talk tango taper
  tarry taxi teem teeter telescope testify thin thirst thresh thrive throb throng thumb thump thunder tide tiller tilt
  tingle tinker tinkle tiptoe titter toil tool topple totter tout tower toy trail tramp trample transact transpirate
  travel tread trek tremble tremor trespass trickle trifle trip triumph trot trudge trundle trust tug tumble tunnel turn
  turtle tut twig twitch twitter unfold unify unite vacation vanish vary veer victual vie vomit vote waffle waft wage
  wail waitress wake walk waltz wan wander wane wanton warm waver wee weep welch welsh welter wench whale wheel wheeze
  whelp whimper whine whinny whir whirlpool whistle whiz whore widen wilt wince wind wing wink winter wisecrack wither
  wobble womanise wonder woolgather work worm worry worsen wrangle wreathe wrestle wriggle writhe yacht yack yap yarn
  yawn yearn yell yellow yelp yen zigzag zoom
`
