#!/usr/bin/env -S node --max-semi-space-size=16
// The option has garbage collected earlier than Node would: a busy server needs 150 MB less for it.
// Old syntax on purpose: an old Node must get as far as the sentence below instead of a syntax error.
var major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    'nymdex: needs Node 24 or newer, and this is Node ' +
      process.versions.node +
      '. Run it through npm (npm start, npx nymdex), which uses the Node that "npm ci" installed.'
  )
  process.exit(1)
}
import('node:module')
  .then(function (module) {
    // Later starts find the types already stripped, which saves most of the time to the first answer.
    module.enableCompileCache()
    return import('../src/cli/main.ts')
  })
  .catch(function (error) {
    console.error('nymdex: ' + (error && error.message ? error.message : error))
    process.exit(1)
  })
