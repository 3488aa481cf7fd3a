import { optionalText, resource, text } from '../declare/index.ts'
import { head, realm } from './common.ts'
import { oddPartsOfSpeech } from './repairs.ts'

const term = () => text({ max: 200, blank: true, search: { as: 'term' } })
const tag = () =>
  optionalText({
    max: 8,
    pattern: { is: /^[A-Z]+$/, says: 'Use one to eight capital letters, such as NN, VB or ADJ.' },
  })

export const quadranym = resource('quadranym', {
  does: 'A topic and four terms: expansive, reductive, objective and subjective.',
  fields: {
    ...head,
    e: term(),
    r: term(),
    o: term(),
    s: term(),
    pos: tag(),
    epos: tag(),
    rpos: tag(),
    opos: tag(),
    spos: tag(),
    realm,
  },
  derive: {},
  order: ['name'],
  unique: [['name', 'e', 'r', 'o', 's', 'pos']],
  repairs: { 'parts of speech': oddPartsOfSpeech('pos', 'epos', 'rpos', 'opos', 'spos') },
  views: { 'quadranym-id': ['name'] },
  listedAs: 'quadranym-id',
})
