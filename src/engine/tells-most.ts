/** Which pair of a grid to judge next: the one whose answer is least certain. */
interface Counts {
  readonly yes: number
  readonly no: number
}

export interface Uncertain {
  /** What people said about the pair, about its text and about its topic. */
  readonly pair: Counts
  readonly text: Counts
  readonly topic: Counts
}

/** What is expected of a pair counts as much as this many judgements of it. */
const EXPECTED = 2

/**
 * The variance of the share of people who would say yes. What is expected comes from the text and the topic; each
 * judgement of the pair itself narrows it.
 */
export function uncertaintyOf({ pair, text, topic }: Uncertain): number {
  const expected = (shareOf(text) + shareOf(topic)) / 2
  const yes = pair.yes + EXPECTED * expected
  const no = pair.no + EXPECTED * (1 - expected)
  const all = yes + no
  return (yes * no) / (all * all * (all + 1))
}

/** Half, until there are judgements. */
function shareOf({ yes, no }: Counts): number {
  return (yes + 1) / (yes + no + 2)
}
