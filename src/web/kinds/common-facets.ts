/** Facets that several kinds have. */
export const AREA = { area: 'Area' }
export const REALM = { realm: 'Realm' }
export const MAKER = { user: 'Made by' }

/** The charts of the catalogue that count the values of a member. */
export const CHARTS: Readonly<Record<string, string>> = {
  area: 'areas',
  realm: 'realms',
  src: 'sources',
  mode: 'modes',
}
