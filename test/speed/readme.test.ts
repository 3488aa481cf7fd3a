/** The figures of the README are the measured ones. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CHART, chart, readmeWith, results } from '../../bench/speed/readme.ts'

test('the table and the chart of the README show the figures of bench/results.json', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  assert.match(readme, /\| measured \| goal \|/)
  assert.equal(readmeWith(readme, results()), readme)
  assert.equal(readFileSync(CHART, 'utf8'), chart(results()))
})
