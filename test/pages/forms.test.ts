/**
 * Writing through the pages of the API, in a real Chromium, with and without a script; a toy resource has every kind of
 * field.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { integer, many, optionalText, owner, resource, slots, text, votes } from '../../src/declare/index.ts'
import { clickThrough, openPage, siteInBrowser } from '../support/browser.ts'
import { lookAt } from './looking.ts'

const shell = resource('shell', {
  does: 'A shell from the beach.',
  fields: {
    name: text({ max: 20, search: { as: 'name' }, inside: true }),
    finder: owner(),
    colour: optionalText({ max: 10, choices: ['tan', 'grey'], indexed: true }),
    votes: votes(),
    turns: integer({ min: 0, max: 99 }),
    m: slots('m', { from: 1, to: 3, max: 10, search: { as: 'term' } }),
  },
  derive: {},
  order: ['name'],
  unique: [['name']],
})
const box = resource('box', {
  does: 'A box of shells.',
  fields: { label: text({ max: 20 }), shells: many(shell, { min: 1, max: 9 }) },
  derive: {},
  order: ['label'],
  unique: [['label']],
})

const { site, browser } = siteInBrowser({ catalogue: [shell, box], sample: false })

async function signUp(page: Page, name: string): Promise<void> {
  await page.goto('/accounts/signup/?next=/api/shell/')
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Password').fill('a long enough secret')
  const again = page.getByLabel('Repeat it')
  if ((await again.count()) > 0) await again.fill('a long enough secret')
  await page.getByRole('button', { name: 'Sign up' }).click()
}

for (const javaScriptEnabled of [false, true]) {
  test(`every write of an API address can be sent from its page, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
    const { page } = await openPage(browser, site.base, { javaScriptEnabled })
    const name = javaScriptEnabled ? 'Conch' : 'Whelk'
    await page.goto('/api/shell/')
    assert.equal(await page.getByText('as a form').count(), 0)
    await page.getByRole('link', { name: 'Sign in', exact: true }).first().waitFor()
    await signUp(page, `ada-${name}`)
    await page.goto('/api/shell/')

    await page.getByText('POST as a form').click()
    await page.getByLabel(/^Name/).last().fill(name)
    await page
      .getByLabel(/^Turns/)
      .last()
      .fill('many')
    await page.getByRole('button', { name: 'POST', exact: true }).first().click()
    assert.match((await page.locator('#form-turns-wrong').textContent())!, /A valid integer is required/)
    assert.match((await page.locator('#form-m1-wrong').textContent())!, /required|blank/)
    assert.equal(await page.locator('#form-name').inputValue(), name)
    await page.locator('#form-turns').fill('7')
    await page.locator('#form-m1').fill('stripe')
    await page.getByRole('button', { name: 'POST', exact: true }).first().click()
    assert.match((await page.locator('.headers').textContent())!, /^HTTP 201 Created/)

    const [found] = (await site.ask(`/api/shell/?search=${name}`)).json.results
    await page.goto(`/api/shell/${found.shell_id}/`)
    await page.getByRole('button', { name: 'Vote', exact: true }).click()
    assert.match((await page.locator('.json').textContent())!, /"likes":\s*1/)
    await page.goto(`/api/shell/${found.shell_id}/`)
    await page.getByRole('button', { name: 'Take the vote back' }).click()
    assert.doesNotMatch((await page.locator('.json').textContent())!, /likes/)

    await page.goto(`/api/shell/${found.shell_id}/`)
    await page.getByText('PUT as a form').click()
    await page.locator('#form-colour').selectOption('tan')
    await page.getByRole('button', { name: 'PUT', exact: true }).first().click()
    assert.match((await page.locator('.request').textContent())!, /^PUT /)
    assert.equal((await site.ask(`/api/shell/${found.shell_id}/`)).json.colour, 'tan')

    await page.goto('/api/box/')
    await page.getByText('POST as JSON').click()
    await page.locator('#raw-content').fill(JSON.stringify({ label: name, shells: [found.shell_id] }))
    await page.getByRole('button', { name: 'POST', exact: true }).last().click()
    assert.match((await page.locator('.headers').textContent())!, /^HTTP 201 Created/)
    const [made] = (await site.ask('/api/box/')).json.results
    await page.goto(`/api/box/${made.box_id}/`)
    await page.getByText('DELETE', { exact: true }).click()
    await page.getByRole('button', { name: 'Yes, delete it' }).click()
    assert.equal(new URL(page.url()).pathname, '/api/box/')
    assert.equal((await site.ask(`/api/box/${made.box_id}/`)).status, 404)
  })
}

test('a list is filtered and ordered from its panel, which is made from its lookups', async () => {
  const { page } = await openPage(browser, site.base, { javaScriptEnabled: false })
  await page.goto('/api/shell/')
  await page.getByText('Filters and ordering').click()
  await page.locator('.narrowing [name=colour]').selectOption('tan')
  await page.locator('.narrowing [name=name__icontains]').fill('CON')
  assert.equal(await page.locator('.narrowing [name=shell_id__gte]').isVisible(), false)
  await page.getByText(/^More lookups/).click()
  await page.locator('.narrowing [name=shell_id__gte]').fill('1')
  await page.locator('.narrowing [name=ordering]').selectOption('-turns')
  await clickThrough(page, page.getByRole('button', { name: 'Show' }))
  const asked = new URL(page.url()).searchParams
  assert.deepEqual([asked.get('colour'), asked.get('name__icontains'), asked.get('ordering')], ['tan', 'CON', '-turns'])
  assert.match((await page.locator('.json').textContent())!, /"count":\s*1,[\s\S]*Conch/)
  assert.equal(await page.locator('.narrowing [name=name__icontains]').inputValue(), 'CON')
  await clickThrough(page, page.getByRole('button', { name: 'OPTIONS' }))
  assert.match((await page.locator('.json').textContent())!, /"name":\s*"Shell List"/)
})

test('other users see no forms to change a record, and a form without its token is refused', async () => {
  const { page } = await openPage(browser, site.base, { javaScriptEnabled: false })
  await signUp(page, 'bo')
  await page.goto('/api/shell/1/')
  assert.equal(await page.getByText('PUT as').count(), 0)
  assert.equal(await page.getByText('DELETE', { exact: true }).count(), 0)
  const answer = await page.request.post('/api/shell/1/', {
    headers: { accept: 'text/html' },
    form: { _method: 'DELETE' },
  })
  assert.equal(answer.status(), 403)
})

test('a program that sends _method gets 405', async () => {
  const { status } = await site.ask('/api/shell/1/', { method: 'POST', as: 'bo', form: { _method: 'DELETE' } })
  assert.equal(status, 405)
})

test('the pages of the API are accessible, in light and dark, on a phone', async () => {
  await lookAt(browser, site.base, ['/api/', '/api/shell/', '/api/shell/?search=con', '/api/shell/1/', '/api/nothing/'])
})
