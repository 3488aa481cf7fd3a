/** Records in the vocabulary of schema.org, for search engines: quotations, defined terms and sets of them. */
import type { JsonObject } from '../../declare/index.ts'
import { creditOf } from '../../language/index.ts'
import { wordAddress } from '../addresses.ts'
import type { Kind, Kinds, Shown } from '../kinds/index.ts'
import { polynymOf } from '../pictures/index.ts'

const CONTEXT = { '@context': 'https://schema.org' }

interface Saying {
  readonly base: string
  /** The path of the page of the record. */
  readonly path: string
  readonly address: string
  readonly text: string
  readonly isTurned: boolean
  readonly source: string | undefined
}

/** A turned text is nobody's quotation: it is based on one. */
export function quotationData({ base, path, address, text, isTurned, source }: Saying): JsonObject {
  const common = { ...CONTEXT, text, inLanguage: 'en', url: base + address }
  if (isTurned) return { ...common, '@type': 'CreativeWork', isBasedOn: base + path }
  const credit = source === undefined ? undefined : creditOf(source)
  return {
    ...common,
    '@type': 'Quotation',
    ...(credit && !credit.isAfter ? { creator: { '@type': 'Person', name: credit.author } } : {}),
    ...(credit?.work ? { isPartOf: { '@type': 'CreativeWork', name: credit.work } } : {}),
  }
}

/** Undefined for kinds that are no sets of words. */
export function termData(base: string, kind: Kind, record: Shown, label: string): JsonObject | undefined {
  const url = base + kind.addressOf(record)
  const name = kind.nameOf(record)
  if (kind.name === 'quadranym') {
    return {
      ...CONTEXT,
      '@type': 'DefinedTerm',
      name,
      description: label,
      url,
      inDefinedTermSet: { '@type': 'DefinedTermSet', name: kind.many, url: `${base}/${kind.name}/` },
    }
  }
  const words = wordsOf(kind.name, record)
  if (!words) return undefined
  return {
    ...CONTEXT,
    '@type': 'DefinedTermSet',
    name,
    description: label,
    url,
    hasDefinedTerm: words.map((word) => ({ '@type': 'DefinedTerm', name: word, url: base + wordAddress(word) })),
  }
}

const MOST_WORDS = 100

function wordsOf(kind: string, record: Shown): readonly string[] | undefined {
  if (kind === 'polynym') return polynymOf(record).terms
  const members: readonly Shown[] | undefined = record['polynyms'] ?? record['quadranyms']
  return members?.slice(0, MOST_WORDS).map(({ name }) => name)
}

/** `found` is what the API says about a term. */
export function wordData(base: string, term: string, sets: readonly Shown[], kinds: Kinds): JsonObject {
  return {
    ...CONTEXT,
    '@type': 'DefinedTerm',
    name: term,
    url: base + wordAddress(term),
    inDefinedTermSet: sets.map(({ resource, record }) => base + kinds.get(resource).addressOf(record)),
  }
}
