/** From words back to terms. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { baseForms, forms } from '../../src/language/index.ts'
import { formsAmong, matchable } from '../../src/language/match.ts'
import { variantsOf } from '../../src/language/variants.ts'

function* sampleTerms(): Generator<string> {
  for (const [file, member] of [
    ['quadranym', /^(?:name|[eros])$/],
    ['polynym', /^(?:name|p[0-9]+)$/],
  ] as const) {
    for (const line of readFileSync(`sample/${file}.ndjson`, 'utf8').trimEnd().split('\n')) {
      for (const [name, value] of Object.entries(JSON.parse(line))) if (member.test(name)) yield String(value)
    }
  }
}

test('every form of every term of the sample leads back to it', () => {
  let forms = 0
  for (const term of new Set(sampleTerms())) {
    for (const { form } of matchable(term)) {
      forms++
      assert.ok(baseForms(form).includes(term.toLowerCase()), `${form} of ${term}: ${baseForms(form).join(', ')}`)
    }
  }
  assert.ok(forms > 10_000)
})

test('looking up some words finds the same forms of a term as listing all its forms', () => {
  const terms = new Set(sampleTerms())
  for (const term of [
    ...terms,
    ...[...terms].map((each) => each.toLowerCase()),
    'to',
    'up',
    'be',
    'zzyzx',
    'zzyzxes',
  ]) {
    const all = matchable(term).map(({ form }) => form)
    const words = new Set([...all.filter((_, i) => i % 2 === 0), 'door'])
    assert.deepEqual(formsAmong(words, term).sort(), all.filter((form) => words.has(form)).sort(), term)
  }
  // A term that was not looked up before.
  for (const term of ['unzap', 'zapify', 'remitch', 'mousefoot', 'overzap', 'zappy']) {
    const words = { has: (form: string) => form !== term }
    assert.deepEqual(
      formsAmong(words, term).sort(),
      matchable(term)
        .flatMap(({ form }) => (form === term ? [] : [form]))
        .sort(),
    )
  }
})

test('irregular, doubled, joined and capital forms lead back', () => {
  for (const [form, term] of [
    ['went', 'go'],
    ['children', 'child'],
    ['grandchildren', 'grandchild'],
    ['undone', 'undo'],
    ['worse', 'bad'],
    ['stopping', 'stop'],
    ['panicked', 'panic'],
    ['dying', 'die'],
    ['wolves', 'wolf'],
    ['crises', 'crisis'],
    ['houses', 'house'],
    ['are', 'be'],
    ['Darkest', 'dark'],
    ['mothers-in-law', 'mother-in-law'],
    ['passers-by', 'passer-by'],
    ['half-brothers', 'half-brother'],
    ['half-brothers-in-law', 'half-brother-in-law'],
    ['better-known', 'well-known'],
    ['travelled', 'travel'],
    ['traveling', 'travel'],
    ['learnt', 'learn'],
    ['gotten', 'get'],
    ['were', 'be'],
    ['am', 'be'],
    ['indices', 'index'],
    ['cactuses', 'cactus'],
    ['persons', 'person'],
    ['elder', 'old'],
    ['further', 'far'],
    ['benefitted', 'benefit'],
    ['worshiping', 'worship'],
    ['pricier', 'pricey'],
    ['could', 'can'],
    ['ghostwrote', 'ghostwrite'],
  ] as const) {
    assert.ok(baseForms(form).includes(term), `${form}: ${baseForms(form).join(', ')}`)
  }
})

test('a word comes first among its own forms, and every suggested term has the word as a form', () => {
  const endings = fc.constantFrom('', 's', 'es', 'ed', 'ing', 'er', 'est', 'men', 'ies', '-in-law')
  const words = fc.tuple(
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...'abcdeiosty') })),
    endings,
  )
  fc.assert(
    fc.property(words, ([start, end]) => {
      const word = (start + end).toLowerCase()
      const [first, ...others] = baseForms(start + end)
      assert.equal(first, word)
      // Words are compared in lower case, and the term may be an acronym or a name: IXs of IX, Marys of Mary.
      const written = (base: string) => [base, base.toUpperCase(), base.charAt(0).toUpperCase() + base.slice(1)]
      for (const base of others) {
        const all = (term: string) => [...forms(term), ...variantsOf(term)].map(({ form }) => form.toLowerCase())
        assert.ok(written(base).some((term) => all(term).includes(word)))
      }
    }),
  )
})
