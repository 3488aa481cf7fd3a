/** What is counted is many: no "much door". */
import { inflect } from '../inflect.ts'
import { countNouns } from './bare-nouns.ts'
import type { Rule } from './index.ts'
import { endsPhrase, isSubject, nounPhraseAt } from './noun-phrase.ts'
import { verbInPlural } from './verbs-after.ts'
import { setOf } from './word-lists.ts'

const DEGREES = setOf('so too how very as')
/** The verb of "there is much" is before it, and may be far. */
const BEFORE_SUBJECT = setOf("is was be been there there's isn't wasn't")

export const quantities: Rule = {
  name: 'quantities',
  tags: setOf('NN'),
  repair(place) {
    if (!countNouns.has(place.filled.plain)) return undefined
    const { before } = nounPhraseAt(place)
    if (!before || before.filled || before.lower !== 'much') return undefined
    // "So much" begins with "so".
    const degree = place.before(before.offset)
    const start = degree && DEGREES.has(degree.lower) ? degree.offset : before.offset
    const first = place.before(start)
    if (first && BEFORE_SUBJECT.has(first.lower.replace('’', "'"))) return undefined
    const many = place.replace(before, 'many')
    const nouns = place.rewrite(inflect(place.filled.plain, 'NNS'))
    const after = place.after()
    const verb = after && verbInPlural(place, after)
    if (!verb) return endsPhrase(place) ? [many, nouns] : undefined
    return isSubject(place, start, first) ? [many, nouns, verb] : undefined
  },
}
