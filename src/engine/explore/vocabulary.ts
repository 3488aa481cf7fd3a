/** All words of the sets, each once: a page has the words that its records bring. */
import { fieldsOf } from '../../declare/index.ts'
import { isTerm, termOf, type Work } from '../../store/index.ts'
import { partsOf } from '../cache/page-parts.ts'
import type { Collection } from '../collection.ts'
import type { Engine } from '../engine.ts'
import { loadRecords } from '../load.ts'
import type { WantedPage } from '../page-place.ts'
import { idsOnPage, type Page } from '../read.ts'
import { holdsSlots } from './term.ts'

/**
 * Names and terms of the records of a page, as they are written, that no record with a lower id has, and no record of the
 * collections before. The cost is that of the page, however large the catalogue is.
 */
export function readVocabulary(engine: Engine, collection: Collection, wanted: WantedPage): Promise<Page> {
  const { store, catalogue } = engine
  const { resource } = collection
  const withWords = catalogue.filter(holdsSlots)
  const before = withWords.slice(0, withWords.indexOf(resource))
  return store.readAt(function* (moment): Work<Page> {
    const { ids, ...place } = yield* idsOnPage(engine, collection, wanted, moment)
    const brought = new Set(yield* store.terms.brought(resource, ids, before))
    // A word is shown as the record with the lowest id writes it.
    const rows = (yield* store.records.byIds({ resource }, ids)).toSorted((a, b) => Number(a['id']) - Number(b['id']))
    const records = yield* loadRecords(store, { resource }, rows)
    const words = new Map<string, string>()
    for (const record of records) {
      for (const [key, field] of fieldsOf(resource)) {
        for (const { as, text } of field.searched(record[key], key)) {
          const term = termOf(text)
          if ((as === 'name' || as === 'term') && isTerm(term) && brought.delete(term)) words.set(term, text)
        }
      }
    }
    return { ...place, parts: partsOf(Array.from(words.values(), (word) => JSON.stringify(word))) }
  })
}
