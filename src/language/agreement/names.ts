/** Articles of names: "the eye of the Rome" is the eye of Rome, and all roads lead to the Nile. */
import type { Rule } from './index.ts'
import { endsPhrase, isAdjective } from './noun-phrase.ts'
import type { Neighbour } from './place.ts'
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

/** Rivers, seas and mountains that are always written with their article. */
const WITH_ARTICLE = setOf(`
  Acropolis Alps Amazon Andes Arctic Atlantic Balkans Baltic Bible Bosphorus Caribbean Caucasus Coliseum Colosseum Congo Crusades Danube
  Enlightenment Euphrates Ganges Hebrides Himalayas Iliad Indus Internet Jordan Kremlin Koran Louvre Mediterranean Mississippi Nile
  Odyssey Pacific Pantheon Parthenon Pyrenees Renaissance Rhine Rubicon Sahara Seine Sphinx Styx Thames Tiber Tigris Titanic Torah Vatican
  Volga Yangtze
`)

export const names: Rule = {
  name: 'names',
  tags: setOf('NN NNP'),
  repair(place) {
    const { plain } = place.filled
    const before = place.before()
    if (WITH_ARTICLE.has(plain)) return needsArticle(before) ? place.insert(place.offset, 'the') : undefined
    if (!NAMES.has(plain) || !endsPhrase(place)) return undefined
    if (!before || before.filled || before.lower !== 'the') return undefined
    // "The sweeter the apple" needs both articles.
    return /er$/.test(place.before(before.offset)?.lower ?? '') ? undefined : place.remove(before, place.offset)
  },
}

const DETERMINERS = setOf(
  'the a an my your his her its our their this that these those each every no any some another such what whose',
)

/** "Her Nile" has no article, and neither has "upper Nile", which is a name of its own. */
function needsArticle(before: Neighbour | undefined): boolean {
  return !before || (!before.filled && !DETERMINERS.has(before.lower) && !isAdjective(before))
}
