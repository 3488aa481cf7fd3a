/** What a resource does, whatever asks for it. */
export { type Collection, collectionsOf, rootIndex, titleOf } from './collection.ts'
export { type Account, createRecord, type Engine } from './create.ts'
export { describe } from './describe.ts'
export { Problem, problems } from './problem.ts'
export { type Page, readPage, readRecord } from './read.ts'
