/** Caches: values in memory up to a number of bytes, each with a stamp that says whether it still holds. */
export { ownBytes, ownJoined } from './bytes.ts'
export { Cache, CacheMemory } from './lru.ts'
export { ALWAYS, type Dependencies, GenerationStamp, type Moment, type Stamp } from './stamp.ts'
