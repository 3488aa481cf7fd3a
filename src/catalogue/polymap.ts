import { type Errors, one, resource, slots } from '../declare/index.ts'
import { head } from './common.ts'
import { polynym } from './polynym.ts'
import { slotGaps } from './repairs.ts'

/** The names ConceptNet gives to relations between terms. */
export const RELATIONS: ReadonlySet<string> = new Set(
  `RelatedTo FormOf IsA PartOf HasA UsedFor CapableOf AtLocation Causes HasSubevent HasFirstSubevent HasLastSubevent
   HasPrerequisite HasProperty MotivatedByGoal ObstructedBy Desires CreatedBy Synonym Antonym DistinctFrom DerivedFrom
   SymbolOf DefinedAs MannerOf LocatedNear HasContext SimilarTo EtymologicallyRelatedTo EtymologicallyDerivedFrom
   CausesDesire MadeOf ReceivesAction NotDesires NotUsedFor NotCapableOf NotHasProperty InstanceOf Entails`.split(
    /\s+/,
  ),
)

export const polymap = resource('polymap', {
  does: 'Two polynyms and the relations between their terms.',
  fields: {
    ...head,
    pa: one(polynym, { does: 'The polynym that the relations start from.' }),
    pb: one(polynym, { does: 'The polynym that the relations lead to.' }),
    r: slots('r', {
      from: 0,
      to: 12,
      max: 1200,
      search: { as: 'text' },
      does: 'A relation: `term of pa,Relation,term of pb`, with a relation of ConceptNet.',
    }),
  },
  derive: {},
  order: ['name'],
  unique: [['name', 'user']],
  repairs: { 'gaps closed': slotGaps('r', 12) },
  check({ pa, pb, r }, before): Errors {
    const errors: Record<string, string[]> = {}
    r.forEach((row, i) => {
      // A row that was valid when it was stored stays valid after the terms of its polynyms change.
      if (before?.r[i] === row && before.pa.id === pa.id && before.pb.id === pb.id) return
      const fault = faultOfRow(row, pa.p, pb.p)
      if (fault) errors[`r${i + 1}`] = [fault]
    })
    return errors
  },
})

/** A row reads "term of pa,Relation,term of pb"; terms may contain commas, so they are matched, not split. */
function faultOfRow(row: string, termsA: readonly string[], termsB: readonly string[]): string | undefined {
  const starts = termsA.filter((term) => row.startsWith(`${term},`))
  const ends = termsB.filter((term) => row.endsWith(`,${term}`))
  if (starts.length === 0) return 'Must begin with a term of pa and a comma.'
  if (ends.length === 0) return 'Must end with a comma and a term of pb.'
  const fits = starts.some((a) => ends.some((b) => RELATIONS.has(row.slice(a.length + 1, -b.length - 1))))
  return fits ? undefined : "Use one of ConceptNet's relation names between the two terms."
}
