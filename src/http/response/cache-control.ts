/** How long caches may keep a response. */

/** What never changes. After a day, what the operator has forgotten leaves the caches too. */
export const IMMUTABLE = 'public, max-age=86400, immutable'
