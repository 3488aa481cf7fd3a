import { optionalText, resource, text } from '../declare/index.ts'
import { head, realm } from './common.ts'
import { oddPartsOfSpeech } from './repairs.ts'

const term = (does: string) => text({ max: 200, blank: true, search: { as: 'term' }, does })
const tag = (of: string) =>
  optionalText({
    max: 8,
    does: `The part of speech of ${of}, in capital letters: NN, VB or ADJ.`,
    pattern: { is: /^[A-Z]+$/, says: 'Use one to eight capital letters, such as NN, VB or ADJ.' },
  })

export const quadranym = resource('quadranym', {
  does: 'A topic and four terms: expansive, reductive, objective and subjective.',
  fields: {
    ...head,
    e: term('The expansive term: what opens or widens the topic, such as "open" for a door.'),
    r: term('The reductive term, the opposite of `e`: what closes or narrows the topic, such as "close".'),
    o: term('The objective term: the topic seen from outside, such as "barrier".'),
    s: term('The subjective term: the topic as it is experienced, such as "passage".'),
    pos: tag('`name`'),
    epos: tag('`e`'),
    rpos: tag('`r`'),
    opos: tag('`o`'),
    spos: tag('`s`'),
    realm,
  },
  derive: {},
  order: ['name'],
  unique: [['name', 'e', 'r', 'o', 's', 'pos']],
  repairs: { 'parts of speech': oddPartsOfSpeech('pos', 'epos', 'rpos', 'opos', 'spos') },
  views: { 'quadranym-id': ['name'] },
  listedAs: 'quadranym-id',
  judged: { as: 'topic', by: 'realm' },
})
