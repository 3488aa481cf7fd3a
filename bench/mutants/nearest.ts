/**
 * The tests that are nearest to a source file. Files that only PostgreSQL uses, or the program itself, have none on
 * SQLite.
 */

const NEAREST: readonly (readonly [source: RegExp, tests: string])[] = [
  [/store\/(postgres.*|watcher|write-queue|redact|copy|swap|files|inspect|setup|verify|steps|migrate)\.ts/, ''],
  [
    /store\/(commit|connection|sqlite.*|database.*|generations|reading-thread.*|deadline|version|request|in-time)\.ts/,
    'robust/work speed/commit speed/kept robust/sqlite-outage robust/slow-queries reading/streams',
  ],
  [/store\/rename\.ts/, 'commands/people'],
  [/store\/(accounts|answers|names|votes)\.ts/, 'accounts/tokens accounts/signing writing/following writing/repeating'],
  [
    /store\/(narrow|search|lists|finding|words|terms)\.ts/,
    'finding/lookups finding/search finding/ordering finding/facets words/term',
  ],
  [/store\//, 'speed/rank speed/shown speed/counts writing/resources robust/model robust/work'],
  [/engine\/explore\//, 'words/term words/compare words/related words/nested'],
  [
    /engine\/(accounts|names|passwords|people|lookalikes|common-passwords|hash-queue|access)\.ts/,
    'accounts/signing accounts/credentials accounts/tokens accounts/limits',
  ],
  [
    /engine\/(kept|shelf|walks|depend|show|cache.*)\.ts/,
    'speed/kept speed/walks speed/counts speed/readers reading/paging',
  ],
  [
    /engine\/(narrow|facets|pick|lookups|patience|budget)\.ts/,
    'finding/lookups finding/facets finding/chance robust/slow-queries robust/costs',
  ],
  [/engine\/(csv|stream|project|printable)\.ts/, 'reading/streams reading/fields reading/negotiation'],
  [/engine\//, 'writing/resources writing/bodies writing/deleting writing/repeating writing/following telling/tell'],
  [/http\/openapi\//, 'openapi/document openapi/served'],
  [/http\/exploring\//, 'words/term words/compare words/related finding/chance'],
  [/http\/server\//, 'reading/errors reading/headers robust/connections robust/overload reading/limits'],
  [
    /http\/(accounts|tokens|identify|cookies|check|forms|signin-limits|throttle|unfolding|offering|visiting)\.ts/,
    'accounts/signing accounts/tokens accounts/forgery accounts/limits accounts/credentials',
  ],
  [/http\/(kept|conditions)\.ts/, 'speed/kept reading/conditions reading/headers'],
  [/http\/(streaming|negotiate|projecting|compress)\.ts/, 'reading/streams reading/negotiation reading/fields'],
  [/http\//, 'reading/wire reading/errors reading/paging reading/negotiation writing/bodies reading/headers'],
]
/** For a mutant that none of those has found. */
const THEN = ['reading/resources', 'speed/kept', 'writing/resources']

export function nearestTests(file: string): string[] {
  const tests = NEAREST.find(([source]) => source.test(file))?.[1] ?? ''
  if (tests === '') return []
  return [...new Set([...tests.split(' '), ...THEN])].map((name) => `test/${name}.test.ts`)
}
