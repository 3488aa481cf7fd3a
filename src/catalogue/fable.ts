import { derived, resource } from '../declare/index.ts'
import { depth, subs, width } from '../language/index.ts'
import { head, NO_TOKEN, qode, realm, TOKEN_MEMBERS, untagged } from './common.ts'
import { largeIndexes, oddTags } from './repairs.ts'
import { type OpenText, spinQuestion } from './spinning.ts'

export const fable = resource('fable', {
  does: 'A text with several topics, to be told with a quadranym for each.',
  fields: {
    ...head,
    qode: qode({
      max: 8192,
      grammar: untagged,
      searched: true,
      does: 'The text with tokens such as q2e_NN: term `e` of the quadranym for topic 2, as a noun.',
    }),
    subs: derived.text({ does: TOKEN_MEMBERS.subs }),
    length: derived.integer({ does: 'The highest token index in `qode`: how many topics the text has.' }),
    width: derived.integer({ does: TOKEN_MEMBERS.width }),
    realm,
  },
  textIn: 'qode',
  derive: {
    subs: ({ qode }) => subs(qode, untagged),
    length: ({ qode }) => depth(qode, untagged),
    width: ({ qode }) => width(qode, untagged),
  },
  order: ['name'],
  unique: [['qode']],
  check: ({ qode }) => (depth(qode, untagged) === 0 ? NO_TOKEN : {}),
  questions: {
    spin: {
      ...spinQuestion(({ qode, src }: OpenText) => ({ qode, src, plain: qode, own: [], grammar: untagged })),
      needs: ['quadranym'],
    },
  },
  repairs: { 'odd tags': oddTags, 'large indexes': largeIndexes(untagged) },
})
