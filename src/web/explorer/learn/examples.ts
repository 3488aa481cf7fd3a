/** Examples that /learn/ needs, so that it also explains a catalogue with nothing in it. */
import type { FourTerms } from '../../pictures/index.ts'

export const DOOR: FourTerms = { name: 'door', e: 'open', r: 'close', o: 'barrier', s: 'passage' }
export const STAR: FourTerms = { name: 'star', e: 'rise', r: 'set', o: 'constellation', s: 'guidance' }

/** A proverb, with the words of its topic as tokens. */
export const PROVERB = 'When one q1n_NN q1r_VBZ, another q1n_NN q1e_VBZ.'
