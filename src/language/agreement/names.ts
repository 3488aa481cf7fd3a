/** Names that have no article: "the eye of the Rome" is the eye of Rome. */
import type { Rule } from './index.ts'
import { endsPhrase } from './noun-phrase.ts'
import { setOf } from './word-lists.ts'

/** Places, people of stories, and times of the year. Rivers, seas and mountains keep their article. */
const NAMES = setOf(`
  Achilles Adam Africa Alexandria America Antarctica Aphrodite Apollo April Aristotle Asia Athena Athens Atlantis August Australia Babel
  Babylon Baghdad Beijing Berlin Bethlehem Boston Brazil Britain Budapest Byzantium Caesar Cairo Camelot Canada Carthage Chicago China
  Christmas Cleopatra Constantinople Damascus December Delhi Diwali Dublin Easter Eden Egypt England Europe Eve February Florence France
  Germany God Greece Hamlet Hannukah Hercules Hollywood Homer Icarus India Ireland Israel Istanbul Italy January Japan Jerusalem Jesus July June
  Jupiter Lent Lisbon London Macbeth Madrid Mars Mecca Mexico Moscow Moses Mumbai Napoleon Narcissus Nazareth Neptune Noah November October
  Odysseus Oedipus Olympus Orpheus Pandora Paris Persia Plato Portugal Prague Prometheus Ramadan Rome Russia Saturn Scotland September
  Shakespeare Shanghai Sisyphus Socrates Spain Sparta Tokyo Troy Turkey Ulysses Venice Venus Vienna Wales Warsaw Zen Zeus
`)

export const names: Rule = {
  name: 'names',
  tags: setOf('NN NNP'),
  repair(place) {
    if (!NAMES.has(place.filled.plain) || !endsPhrase(place)) return undefined
    const before = place.before()
    if (!before || before.filled || before.lower !== 'the') return undefined
    // "The sweeter the apple" needs both articles.
    return /er$/.test(place.before(before.offset)?.lower ?? '') ? undefined : place.remove(before, place.offset)
  },
}
