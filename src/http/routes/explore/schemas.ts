/** The schemas of the answers of random, facets, related, nested, term and compare. */
import type { AnyResource, Schema } from '../../../declare/index.ts'
import { COUNT, exactly, ID, listOf, means, schemaRef, TEXT } from '../../openapi/operation.ts'

const AT_LEAST_ONE: Schema = { type: 'integer', minimum: 1 }
const RESOURCE = means(TEXT, 'The collection that the record belongs to.')

const SHARE: Schema = {
  title: 'jaccard',
  type: 'number',
  minimum: 0,
  maximum: 1,
  description: 'Their similarity: the number of shared terms divided by the number of all terms.',
}

function recordOf(resources: readonly AnyResource[]): Schema {
  if (resources.length === 0) return means({ type: 'object' }, 'The record.')
  return means({ anyOf: resources.map(({ name }) => schemaRef(name)) }, 'The record.')
}

/** One schema for every collection: the members of `facets` are those that the client asks for. */
export const FACETS: Schema = {
  title: 'facets',
  ...exactly({
    count: means(COUNT, 'The number of records that match.'),
    facets: {
      type: 'object',
      description: 'For each requested member, its values, the most frequent first.',
      additionalProperties: listOf(
        exactly({
          value: means({ type: ['string', 'integer'] }, 'The value; an empty text for records without one.'),
          count: means(AT_LEAST_ONE, 'The number of records that have it.'),
        }),
      ),
    },
    'sample?': {
      type: 'object',
      description: 'Members that were counted in some records.',
      additionalProperties: exactly({
        read: means(COUNT, 'Records counted.'),
        of: means(COUNT, 'Records that match.'),
      }),
    },
  }),
}

/** A set that shares terms with another one. */
export function sharingSchema(sets: readonly AnyResource[]): Schema {
  return {
    title: 'sharing',
    ...exactly({
      resource: RESOURCE,
      shared: means(listOf(TEXT), 'The terms that both sets have.'),
      jaccard: SHARE,
      record: recordOf(sets),
    }),
  }
}

export function relatedSchema(sets: readonly AnyResource[]): Schema {
  return {
    title: 'related',
    ...exactly({
      count: means(COUNT, 'The number of results.'),
      results: means(listOf(sharingSchema(sets)), 'The sets that share terms; those that share the most come first.'),
    }),
  }
}

/** `name` is the name of this schema in the document, because it refers to itself. */
export function nestedSchema({ name: resource }: AnyResource, name: string): Schema {
  const term = exactly({
    slot: means(TEXT, 'The slot of the term.'),
    term: means(TEXT, 'The term.'),
    records: means(listOf(schemaRef(name)), 'The sets that have the term as their name.'),
  })
  return exactly({
    name: means(TEXT, 'The name of the set.'),
    [`${resource}_id`]: means(ID, 'The id of the set.'),
    'repeated?': means({ const: true }, 'The set already occurs higher up and is not expanded again.'),
    'nested?': means(listOf(term), 'The terms of the set; left out on the last level.'),
  })
}

export function termSchema(sets: readonly AnyResource[], texts: readonly AnyResource[]): Schema {
  const place = exactly({
    resource: RESOURCE,
    slot: means(TEXT, 'The member that holds the term: `name` or a slot.'),
    record: recordOf(sets),
  })
  const foundTexts = exactly({
    count: means(COUNT, 'The number of texts.'),
    results: means(listOf(exactly({ resource: RESOURCE, record: recordOf(texts) })), 'The first of them.'),
  })
  const neighbour = exactly({
    term: means(TEXT, 'Another term.'),
    count: means(AT_LEAST_ONE, 'The number of sets that hold both.'),
    text: means(TEXT, 'The term as the first of these sets writes it.'),
  })
  return exactly({
    term: means(TEXT, 'The term as it is compared: in lower case, without accents.'),
    forms: means(listOf(TEXT), 'The term and its other forms that occur in texts.'),
    count: means(COUNT, 'The number of names and slots that hold the term.'),
    slots: means(
      { type: 'object', additionalProperties: { type: 'object', additionalProperties: COUNT } },
      'The same number for each collection and each of its members.',
    ),
    sets: means(listOf(place), 'The records that hold the term in their name or a slot.'),
    texts: means(foundTexts, 'The texts that hold one of the forms.'),
    neighbours: means(listOf(neighbour), 'The terms that most often share a set with it.'),
    did_you_mean: means(listOf(TEXT), 'Known words with a similar spelling, when the term occurs nowhere.'),
  })
}

export const SUGGESTIONS: Schema = exactly({
  q: means(TEXT, 'The text.'),
  values: means(
    listOf(
      exactly({
        member: means(TEXT, 'The member: `area`, `realm`, `src` or `user`.'),
        value: means(TEXT, 'The value, to filter lists by.'),
        count: means(AT_LEAST_ONE, 'The number of records that have it.'),
        collections: means(
          { type: 'object', additionalProperties: AT_LEAST_ONE },
          'The same number for each collection.',
        ),
      }),
    ),
    'Values that have all words: of each member at most twenty, the best first.',
  ),
  did_you_mean: means(listOf(TEXT), 'Searches with a similar spelling, for a word that is unknown or rare.'),
})

/** A set among those that are compared. */
export const SET_ADDRESS = schemaRef('set-address')

export function setAddressSchema(names: readonly string[]): Schema {
  return { type: 'string', pattern: `^(${names.join('|')}):[1-9][0-9]*$` }
}

export function compareSchema(): Schema {
  const terms = (meaning: string) => means(listOf(TEXT), meaning)
  const one = exactly({
    set: means(SET_ADDRESS, 'The set.'),
    name: means(TEXT, 'Its name.'),
    terms: terms('Its terms, in order.'),
    only: terms('Those that no other set has.'),
    labels: means({ type: 'object', additionalProperties: TEXT }, 'Its area, source and realm, by member.'),
  })
  const term = exactly({
    term: means(TEXT, 'The term.'),
    in: means(listOf(COUNT), 'The places in `sets` of those that have it, from 0.'),
  })
  const convergence = exactly({
    of: means(TEXT, '`terms`, or a member of `labels`.'),
    all: means(COUNT, 'The number of values, repeats included.'),
    distinct: means(COUNT, 'The number of different values.'),
    rate: means({ type: 'number', minimum: 0 }, '`all` divided by `distinct`, minus 1.'),
  })
  const product = exactly({
    count: means({ type: 'string', pattern: '^[0-9]+$' }, 'The number of combinations, in digits.'),
    results: means(listOf(listOf(TEXT)), 'Some of them.'),
  })
  const pair = exactly({
    sets: means({ ...listOf(SET_ADDRESS), minItems: 2, maxItems: 2 }, 'The two sets.'),
    shared: terms('The terms that both have.'),
    relation: means(
      { type: 'string', enum: ['equal', 'subset', 'superset', 'overlap', 'disjoint'] },
      'The first set relative to the second.',
    ),
    jaccard: SHARE,
  })
  return exactly({
    sets: means(listOf(one), 'The sets, in the order asked for.'),
    shared: terms('The terms that all sets have.'),
    union: terms('The terms that any of the sets has.'),
    symmetric_difference: terms('The terms that an odd number of the sets has: of two sets, one.'),
    jaccard: SHARE,
    terms: means(listOf(term), 'Each term of the union, and which sets have it.'),
    convergence: means(listOf(convergence), 'How much the sets repeat each other.'),
    product: means(product, 'Combinations of one term from each set.'),
    pairs: means(listOf(pair), 'Each pair of sets.'),
  })
}
