import { derived, resource } from '../declare/index.ts'
import { depth, subs, width } from '../language/index.ts'
import { head, NO_TOKEN, qode, realm, TOKEN_MEMBERS, TOO_MANY_TOPICS, untagged } from './common.ts'
import { largeIndexes, oddTags, tokenless } from './repairs.ts'
import { type OpenText, spinQuestion } from './spinning.ts'
import { BREAK } from './telling.ts'

export const phrase = resource('phrase', {
  does: 'A sentence with one topic, to be told with any quadranym.',
  fields: {
    ...head,
    qode: qode({
      max: 4096,
      grammar: untagged,
      searched: true,
      does: 'The sentence with tokens such as q1e_NN, all of index 1, for the terms of any quadranym.',
    }),
    subs: derived.text({ does: TOKEN_MEMBERS.subs }),
    width: derived.integer({ does: TOKEN_MEMBERS.width }),
    realm,
  },
  textIn: 'qode',
  judged: { as: 'text' },
  derive: {
    subs: ({ qode }) => subs(qode, untagged),
    width: ({ qode }) => width(qode, untagged),
  },
  order: ['name'],
  unique: [['qode']],
  check({ name, qode }) {
    const topics = depth(qode, untagged)
    if (topics > 1) return TOO_MANY_TOPICS
    return topics === 0 && name !== BREAK ? NO_TOKEN : {}
  },
  questions: {
    spin: {
      ...spinQuestion(({ qode, src }: OpenText) => ({ qode, src, plain: qode, own: [], grammar: untagged })),
      needs: ['quadranym'],
    },
  },
  repairs: { 'odd tags': oddTags, 'large indexes': largeIndexes(untagged), 'no token': tokenless(BREAK) },
})
