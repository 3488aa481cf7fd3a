/** Facets that several kinds have. */
export const AREA = { area: 'Area' }
export const REALM = { realm: 'Realm' }
export const MAKER = { user: 'Made by' }
