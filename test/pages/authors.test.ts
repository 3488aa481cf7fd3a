/** Pages of authors: everything that one author said or wrote, however the name is spelled. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../support/site.ts'

onEachEngine('an author', {}, (site) => {
  const get = (path: string) => site.page(path)

  test('the page shows all texts by work, and the topics they are told through', async () => {
    const { json } = await site.ask('/api/quote/?src__startswith=Oscar%20Wilde&page_size=100')
    assert.ok(json.count > 3)
    const { status, text } = await get('/author/Oscar%20Wilde/')
    assert.equal(status, 200)
    for (const { quote_id, src, quadranym } of json.results) {
      const work = src.split(', ')[1]
      assert.match(text, new RegExp(`<h2>${work}</h2>.*href="/quote/${quote_id}/"`))
      assert.match(text, new RegExp(`<a class="card tile" href="/quadranym/${quadranym.quadranym_id}/">`))
    }
    assert.match(text, new RegExp(`<span>${json.count} quotes</span>`))
  })

  test('sets, sayings that name the author in their text, and what was made after the author are there', async () => {
    const shakespeare = (await get('/author/William%20Shakespeare/')).text
    assert.match(shakespeare, /I must be .* only to be/)
    assert.match(shakespeare, /<h2>Sets from William Shakespeare<\/h2>.*Ages of man/)
    const homer = (await get('/author/Homer/')).text
    assert.match(homer, /<h2>After Homer<\/h2>.*A letter to Ithaca/)
    // Nothing but sayings names this one.
    assert.match((await get('/author/Ella%20Wheeler%20Wilcox/')).text, /, and the world /)
  })

  test('spellings of one name are one author, and lead to the most frequent one', async () => {
    for (const src of [
      'shakespeare, William',
      'W. Shakespeare, Hamlet',
      'WILLIAM SHAKESPEARE',
      'Shakespeare',
      'R. Browning',
    ]) {
      const json = { body: `Mind the door, said ${src.length}.`, src, quadranym: 1 }
      assert.equal((await site.ask('/api/quote/', { method: 'POST', as: 'ada', json })).status, 201)
    }
    for (const given of ['Shakespeare', 'william%20shakespeare', 'W.%20Shakespeare', 'Sir%20William%20Shakespeare']) {
      const { status, headers } = await get(`/author/${given}/`)
      assert.deepEqual([status, headers['location']], [303, '/author/William%20Shakespeare/'], given)
    }
    const { text } = await get('/author/William%20Shakespeare/')
    assert.equal(text.match(/Mind the/g)?.length, 4)
    assert.match(text, /href="#work-hamlet">Hamlet <span class="soft">4<\/span>/)
    // Two Brownings have a first name; only one of them begins with R. A country is nobody's last name.
    assert.equal((await get('/author/Browning/')).status, 404)
    assert.equal((await get('/author/R.%20Browning/')).headers['location'], '/author/Robert%20Browning/')
    assert.match((await get('/author/France/')).text, /<h1>France<\/h1>/)
  })

  test('the list has every author once, and texts, cards and lists link to their authors', async () => {
    const { text } = await get('/authors/')
    assert.equal(text.match(/href="\/author\/William%20Shakespeare\/">William Shakespeare<\/a>/g)?.length, 1)
    assert.match(text, /href="\/author\/Aristotle\/"/)
    assert.match((await get('/texts/')).text, /href="\/authors\/">Authors</)
    const { json } = await site.ask('/api/quote/?src__startswith=Oscar%20Wilde&page_size=1')
    const link = /<a href="\/author\/Oscar%20Wilde\/">Oscar Wilde<\/a>, /
    assert.match((await get(`/quote/${json.results[0].quote_id}/`)).text, link)
    assert.match((await get('/quote/?search=wilde')).text, link)
    assert.match((await get('/polynym/?search=Elements')).text, /Elements/)
    const { json: elements } = await site.ask('/api/polynym/?src=Empedocles')
    const page = (await get(`/polynym/${elements.results[0].polynym_id}/`)).text
    assert.match(page, /from <a href="\/author\/Empedocles\/">Empedocles<\/a>/)
    const saying = await site.ask('/api/fortune/?search=wilcox')
    const own = (await get(`/fortune/${saying.json.results[0].fortune_id}/`)).text
    assert.match(own, /More from <a href="\/author\/Ella%20Wheeler%20Wilcox\/">/)
  })

  test('an unknown author returns 404, and odd names are no error', async () => {
    for (const name of ['Nobody%20At%20All', '%3Cscript%3E', '.', 'x'.repeat(300), '%20', '%F0%9F%98%80']) {
      assert.equal((await get(`/author/${name}/`)).status, 404, name)
    }
    assert.equal((await get('/authors/?page=99')).status, 200)
    assert.deepEqual(site.bugs, [])
  })
})
