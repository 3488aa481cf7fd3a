/**
 * The tests that are nearest to a source file. Files that only PostgreSQL uses, or the program itself, have none on
 * SQLite.
 */

import { existsSync } from 'node:fs'

const NEAREST: readonly (readonly [source: RegExp, tests: string])[] = [
  [/store\/(postgres.*|watcher|write-queue|redact|copy|swap|files|inspect|setup|verify|steps|migrate)\.ts/, ''],
  [
    /store\/(commit|connection|sqlite.*|database.*|generations|reading-thread.*|deadline|version|request|in-time)\.ts/,
    'robust/work speed/commit speed/kept robust/sqlite-outage robust/slow-queries reading/streams',
  ],
  [/store\/rename\.ts/, 'commands/people'],
  [/store\/hooks\.ts/, 'hooks/delivery hooks/members hooks/lookups'],
  [/store\/(log-keeping|change-sets)\.ts/, 'changes/retention changes/undo changes/forget'],
  [/store\/(change-log|logged-changes|old-members)\.ts/, 'changes/feed changes/history changes/recent changes/undo'],
  [
    /store\/(.*as-of|past.*|record-state|shadow-tables|times|stretch)\.ts/,
    'changes/as-of changes/lookups changes/history',
  ],
  [/store\/(apply-copies|follow-state|scratch)\.ts/, 'changes/follow changes/as-of'],
  [/store\/compare-keys\.ts/, 'speed/rank changes/as-of'],
  [/store\/votes\.ts/, 'writing/following changes/undo'],
  [/store\/service-tables\.ts/, 'accounts/tokens writing/repeating changes/feed hooks/delivery'],
  [/store\/schema\.ts/, 'riddle speed/rank finding/lookups'],
  [
    /store\/(accounts|idempotent-responses|names)\.ts/,
    'accounts/tokens accounts/signing writing/following writing/repeating',
  ],
  [
    /store\/(narrow|search|lists|finding|words|terms)\.ts/,
    'finding/lookups finding/search finding/ordering finding/facets words/term',
  ],
  [/store\/(sync|table.*|refill|fingerprint|unused|present|declared|drift)\.ts/, 'migrations riddle toy'],
  [/store\//, 'speed/rank speed/shown speed/counts writing/resources robust/model robust/work'],
  [/engine\/explore\//, 'words/term words/compare words/related words/nested'],
  [
    /engine\/(account.*|passwords|lookalikes|common-passwords|hash-queue|access)\.ts/,
    'accounts/signing accounts/credentials accounts/tokens accounts/limits',
  ],
  [/engine\/read\.ts/, 'speed/kept speed/walks speed/counts reading/paging finding/search'],
  [/engine\/(cache\/.*|show|load)\.ts/, 'speed/kept speed/walks speed/counts speed/readers reading/paging'],
  [
    /engine\/(list-parameters|facets|pick|lookups|query-timeout|budget)\.ts/,
    'finding/lookups finding/facets finding/chance robust/slow-queries robust/costs',
  ],
  [/engine\/(csv|stream|project|printable)\.ts/, 'reading/streams reading/fields reading/negotiation'],
  [/engine\/hooks\//, 'hooks/delivery hooks/members hooks/lookups hooks/outage'],
  [
    /engine\/(feed|broadcast|subscription|change-watch|narrowed-feed|recent)\.ts/,
    'changes/feed changes/stream changes/lookups changes/resume changes/recent',
  ],
  [
    /engine\/(history|record-past|word-diff|undo.*|as-of|page-place|changed-members|forget|log-retention)\.ts/,
    'changes/history changes/undo changes/as-of changes/forget changes/retention',
  ],
  [/engine\//, 'writing/resources writing/bodies writing/deleting writing/repeating writing/following telling/tell'],
  [/http\/openapi\//, 'openapi/document openapi/served openapi/every-operation reading/errors'],
  [/http\/routes\/explore\//, 'words/term words/compare words/related finding/chance openapi/document'],
  [/http\/routes\/hook.*\.ts/, 'hooks/delivery hooks/members openapi/document'],
  [
    /http\/(routes\/(change.*|recent-changes|record-history|undoing|follower-records)|server\/live|response\/(event-stream|last-modified)|request\/(as-of.*|feed-filter))\.ts/,
    'changes/feed changes/stream changes/recent changes/history changes/undo changes/as-of changes/follow openapi/document',
  ],
  [
    /http\/server\//,
    'reading/errors reading/headers reading/settings robust/connections robust/overload reading/limits reading/wire',
  ],
  [
    /http\/(routes\/(account.*|tokens|page-routes)|request\/(identify|signin-limits|throttle|method-override)|exchange\/cookies|routing\/form.*)\.ts/,
    'accounts/signing accounts/tokens accounts/forgery accounts/limits accounts/credentials pages/forms',
  ],
  [/http\/response\/(answer-cache|etag|cache-check)\.ts/, 'speed/kept reading/conditions reading/headers'],
  [/http\/response\/(answer|compress)\.ts/, 'reading/settings reading/streams reading/negotiation reading/headers'],
  [/http\/response\//, 'reading/streams reading/negotiation reading/fields reading/headers reading/paging'],
  [/http\/(request\/body|exchange\/(wire-limits|query))\.ts/, 'writing/bodies reading/wire robust/costs'],
  [/http\/exchange\/address\.ts/, 'accounts/limits'],
  [/http\//, 'reading/wire reading/errors reading/paging reading/negotiation writing/bodies reading/headers'],
]
/** For a mutant that none of those has found. */
const THEN = ['reading/resources', 'speed/kept', 'writing/resources']

export function nearestTests(file: string): string[] {
  const tests = NEAREST.find(([source]) => source.test(file))?.[1] ?? ''
  if (tests === '') return []
  return [...new Set([...tests.split(' '), ...THEN])].map((name) => {
    const test = `test/${name}.test.ts`
    if (!existsSync(test)) throw new Error(`there is no ${test}`)
    return test
  })
}
