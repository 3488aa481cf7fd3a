/**
 * Phrases whose words mean nothing of their own: "a good deal", "on the other hand", "never mind". In the lists, commas
 * separate phrases and bars alternatives; `~keep` is any form of the verb, `#` a number, `my` any possessive.
 */
import { formsOf } from './nearby-words.ts'
import type { Passage } from './passage.ts'

const PHRASES = `
  a good|great deal, a good #, a good while, quite a few, good for nothing, good morning|evening|afternoon|night|luck|grief|heavens|lord|god,
  for the most part, at best|worst|large|hand|last|length, by and large, no matter how|what|when|where|why|who,
  on the one|other hand, in hand, hand in hand, out of hand, in order to|that|for, from time to time, time and again,
  on occasion|purpose|account|average|behalf|board|top, in fact|general|particular|vain|case|charge, as far as, so|thus|by far,
  as matters|things stand|stood, ~stand a chance, ~stand by|out, how 's|is|are it|things|everything going,
  here goes, here|there we|you|he|she go|goes, ~go without saying, ~go ahead|on, ~let go,
  ~come on, ~come to think, come what may, when it comes to, ~fall in love, ~fall asleep|apart|short|for, ~fall into place,
  ~keep|bear in mind, never mind, ~make up my mind, ~keep away|off|out|on|up|track|from|going,
  ~put off|on|out|up|down|in|forth|aside, ~set off|out|up|forth|aside|about, ~bring in|about|up|out, ~give way|rise, ~work|turn out,
  ~shut|show|end up, ~break down, ~hang|hold on, ~call for, ~see fit, ~cut it, ~serve as, ~reach a conclusion,
  ~feel free, ~lose sight of, ~make sense, ~play a part|role, ~take place|part, so to speak,
  generally|strictly|roughly|frankly|properly|broadly speaking, by the way, by way of, under way, way too|more,
  in view of, point|points of view, in light of, in the light of, in|on the face of, face to face, in the long run, in line with,
  common sense, free of charge, all right, right away|now|there|here, at|by heart, of late, sooner or later, later on, vice versa
`

/** Pairs of nouns that name a thing which the first or the second does not: nobody sets a firing squad on fire. */
const COMPOUNDS = `
  source code|codes, ice cream, hand grenade|grenades, room service, square|cube root|roots, root password|user|directory|account,
  firing squad|squads|line|range, shoulder blade|blades, concentration camp|camps, fortune cookie|cookies|teller|tellers|file|files,
  venture capital|capitalist|capitalists, rock band|bands|music|concert|concerts|group|groups|singer, pop|movie|film|rock star|stars,
  command|finish|punch|party|hot|bottom line|lines, dead end|line, phone|telephone book|books, bridge hand|hands|player|players,
  field trip|trips|worker|workers, power plant|plants|supply|tool|tools, table tennis, mouse button|buttons|pad, old timer|timers,
  window manager|managers, shell script|scripts
`

const POSSESSIVES = ['my', 'your', 'his', 'her', 'its', 'our', 'their', "one's"]
const NUMBER =
  /^(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred)$/

type Part = ReadonlySet<string> | 'number'

function partOf(written: string): Part {
  if (written === '#') return 'number'
  if (written === 'my') return new Set(POSSESSIVES)
  return written.startsWith('~') ? formsOf(written.slice(1).replaceAll('|', ' ')) : new Set(written.split('|'))
}

const isPart = (part: Part, word: string) => (part === 'number' ? NUMBER.test(word) : part.has(word))

interface Place {
  readonly parts: readonly Part[]
  readonly at: number
}

let known: Map<string, Place[]> | undefined

/** A word -> the phrases that have it, and where. */
function placesInPhrases(): ReadonlyMap<string, readonly Place[]> {
  if (known) return known
  known = new Map()
  for (const phrase of `${PHRASES.trim()}, ${COMPOUNDS.trim()}`.split(/,\s+/)) {
    const parts = phrase.split(/\s+/).map(partOf)
    parts.forEach((part, at) => {
      if (part === 'number') return
      for (const word of part) {
        const places = known?.get(word)
        if (places) places.push({ parts, at })
        else known?.set(word, [{ parts, at }])
      }
    })
  }
  return known
}

export function isInFixedPhrase(passage: Passage, place: number): boolean {
  const textAt = (at: number) => passage.words[at]?.text.toLowerCase().replace('’', "'") ?? ''
  const places = placesInPhrases().get(textAt(place)) ?? []
  return places.some(({ parts, at }) => parts.every((part, i) => isPart(part, textAt(place - at + i))))
}
