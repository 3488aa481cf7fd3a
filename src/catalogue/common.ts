/** Groups of fields that several resources share. */
import { type Errors, group, optionalText, owner, text, votes } from '../declare/index.ts'
import { type Grammar, MOST_INDEX, parse, tokens, write } from '../language/index.ts'

export const named = group('head', {
  name: text({ max: 200, search: { as: 'name' }, inside: true, does: 'The name of the record.' }),
  user: owner(),
})
export const sourced = group('head', {
  src: optionalText({
    max: 200,
    search: { as: 'text' },
    inside: true,
    indexed: true,
    does: 'Where the record comes from: an author, a book or a tradition.',
  }),
  area: optionalText({
    max: 64,
    search: { as: 'area' },
    indexed: true,
    does: 'The subject area, such as myth, music or medicine.',
  }),
  wiki: optionalText({ max: 500, does: 'Where to read more: usually a web address, sometimes a remark.' }),
})
export const voted = group('votes', { votes: votes() })

/** The first members of every set and text that has an owner. */
export const head = { ...named, ...sourced, ...voted }

/** Known realms are suggested; others are accepted. */
export const realm = optionalText({
  max: 64,
  search: { as: 'text' },
  indexed: true,
  does: 'The domain it belongs to, such as Spatial, Temporal, Social or Emotional.',
})

/** Descriptions of members that several kinds of text have. */
export const TOKEN_MEMBERS = {
  qode: '`body` with tokens such as q1e_NN in place of words. The server writes it when a body leaves it out.',
  subs: 'The slot letters of the tokens, in the order of the text.',
  width: 'The number of tokens in `qode`.',
} as const

/** In phrases and fables q1e, without a tag, is a token too. */
export const untagged: Grammar = { untagged: true }

interface QodeRules {
  readonly does: string
  readonly max: number
  readonly blank?: boolean
  readonly grammar?: Grammar
  /** Whether its words are stored nowhere else. */
  readonly searched?: boolean
}

/** The error for the first token index that is too large. */
export function faultOfIndexes(qode: string, grammar: Grammar = {}): string | undefined {
  const token = tokens(qode, grammar).find(({ index }) => index > MOST_INDEX)
  if (!token) return undefined
  const written = qode.slice(token.offset, token.offset + token.length)
  return `Ensure the index of each token is no larger than ${MOST_INDEX}: ${written}.`
}

/** Text with tokens; older spellings of a token are stored in the current one. */
export function qode({ grammar = {}, searched = false, ...rules }: QodeRules) {
  const words = (given: string) =>
    parse(given, grammar)
      .map((piece) => (piece.kind === 'text' ? piece.text : ' '))
      .join('')
  return text({
    ...rules,
    ...(searched ? { search: { as: 'text', of: words } } : {}),
    check: (given) => faultOfIndexes(given, grammar),
    tidy: (given) => write(parse(given, grammar)),
  })
}

export const NO_TOKEN: Errors = { qode: ['Needs at least one token.'] }
export const TOO_MANY_TOPICS: Errors = { qode: ['Too many topics!'] }
