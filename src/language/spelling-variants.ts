/** British and American spellings of a word. A result need not be a word: search finds nothing by it. */

/** Words that no rule covers: British, American. */
const PAIRS: ReadonlyMap<string, readonly string[]> = bothWays(`
  aeroplane airplane; ageing aging; aluminium aluminum; anaemia anemia; archaeology archeology; artefact artifact;
  axe ax; carat karat; cheque check; chilli chili; cosy cozy; defence defense; disc disk; doughnut donut;
  draught draft; encyclopaedia encyclopedia; enrol enroll; foetus fetus; fulfil fulfill; grey gray; jewellery jewelry;
  judgement judgment; kerb curb; licence license; manoeuvre maneuver; maths math; mediaeval medieval; mould mold;
  moustache mustache; mum mom; offence offense; omelette omelet; paediatric pediatric; plough plow; practise practice;
  pretence pretense; programme program; pyjamas pajamas; sceptic skeptic; sceptical skeptical; skilful skillful;
  storey story; sulphur sulfur; tsar czar; tyre tire; whisky whiskey; wilful willful; yoghurt yogurt
`)

/** What follows the letters that differ. */
const AFTER_OR = '(?=$|s$|ed$|ing$|ful$|less$|able$|ite$|ites$|hood$|ly$|ist$|ists$)'
const AFTER_IS = '(?=e$|es$|ed$|er$|ers$|ing$|ation$|ations$)'
const AFTER_L = '(?=ed$|ing$|er$|ers$)'
const RULES: readonly (readonly [RegExp, string])[] = [
  // colour, color
  [new RegExp(`(?<=[a-z]{2})our${AFTER_OR}`), 'or'],
  [new RegExp(`(?<=[a-z]{2})or${AFTER_OR}`), 'our'],
  // realise, realize; analyse, analyze
  [new RegExp(`(?<=[a-z]{3})is${AFTER_IS}`), 'iz'],
  [new RegExp(`(?<=[a-z]{3})iz${AFTER_IS}`), 'is'],
  [new RegExp(`(?<=[a-z]{3}l)ys${AFTER_IS}`), 'yz'],
  [new RegExp(`(?<=[a-z]{3}l)yz${AFTER_IS}`), 'ys'],
  // theatre, theater
  [/(?<=[a-z]{2}[tbg])re(?=s?$)/, 'er'],
  [/(?<=[a-z]{2}[tbg])er(?=s?$)/, 're'],
  // traveller, traveler; not filled, filed
  [new RegExp(`(?<=[aeiou][a-z]*[^aeiou][aeiou])ll${AFTER_L}`), 'l'],
  [new RegExp(`(?<=[aeiou][a-z]*[^aeiou][aeiou])l${AFTER_L}`), 'll'],
  // dialogue, dialog
  [/(?<=[a-z]{2}[a-z]og)ue(?=s?$)/, ''],
  [/(?<=[a-z]{3}og)(?=s?$)/, 'ue'],
]

/** The other spellings of a word in lower case, without itself. */
export function spellingVariants(word: string): string[] {
  const known = PAIRS.get(word) ?? (PAIRS.get(word.replace(/s$/, '')) ?? []).map((other) => `${other}s`)
  const made = RULES.flatMap(([letters, others]) => (letters.test(word) ? word.replace(letters, others) : []))
  return [...new Set([...known, ...made])].filter((each) => each !== word)
}

function bothWays(text: string): ReadonlyMap<string, readonly string[]> {
  const pairs = text.split(';').map((pair) => pair.trim().split(/\s+/))
  return new Map(pairs.flatMap(([one = '', other = '']) => [[one, [other]] as const, [other, [one]] as const]))
}
