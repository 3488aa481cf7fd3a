/** Making and changing records: forms that keep the input, pictures, duplicates, stories and tales. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { RELATIONS } from '../../src/catalogue/polymap.ts'
import { RELATIONS as OFFERED_RELATIONS } from '../../src/web/kinds/form-words.ts'
import { clickThrough, DESKTOP, hasFocus, openPage, PHONE, siteInBrowser } from '../support/browser.ts'
import { onEachEngine } from '../support/site.ts'
import { expected, faultsOf, widthOf } from './looking.ts'

const PASSWORD = 'a long enough secret'
const KINDS = [
  ...['quadranym', 'polynym', 'quadraset', 'polyset', 'polymap', 'vectornym', 'fortune', 'quote', 'phrase', 'fable'],
  ...['story', 'tale', 'queue'],
]

type Fields = Record<string, string | string[]>

onEachEngine('making by form', {}, (site) => {
  const html = { accept: 'text/html' }
  const get = (path: string, as?: string) => site.ask(path, { headers: html, ...(as ? { as } : {}) })
  const send = (path: string, form: Fields, as = 'ada') => site.ask(path, { method: 'POST', headers: html, form, as })
  const made = async (path: string, form: Fields) => {
    const saved = await send(path, form)
    assert.equal(saved.status, 303, saved.text)
    return (await site.ask(`/api${saved.headers.location}`)).json
  }

  test('every kind has a form with a field for each writable member', async () => {
    for (const kind of KINDS) {
      const { status, text } = await get(`/make/${kind}/`, 'ada')
      assert.equal(status, 200, kind)
      assert.match(text, /href="\/make\/" aria-current="page">Make<\/a>/, kind)
      assert.equal(text.split('aria-current="page"').length, 2, kind)
      const { json } = await site.ask(`/api/${kind}/`, { method: 'OPTIONS', as: 'ada' })
      for (const [member, { read_only }] of Object.entries<any>(json.actions.POST)) {
        const names = { q1: 'quadranyms', q2: 'quadranyms', lines: 'line_quadranym' } as Record<string, string>
        const name = /^r[0-9]+$/.test(member) ? 'relation_code' : (names[member] ?? member)
        const has = new RegExp(`name="${name}"`).test(text)
        assert.equal(has, !read_only, `${kind}.${member}`)
      }
    }
  })

  test('a visitor who is not signed in is asked to, and returns to the same form', async () => {
    const { status, text } = await get('/make/quadranym/?name=umbrella')
    assert.equal(status, 401)
    assert.match(text, /Sign in to make a quadranym/)
    assert.match(text, /href="\/make\/" aria-current="page">/)
    assert.ok(text.includes(`href="/accounts/login/?next=${encodeURIComponent('/make/quadranym/?name=umbrella')}"`))
  })

  test('a form keeps what was written if another user has signed in, or if its record is gone', async () => {
    const record = await made('/make/quadranym/', { name: 'gate', e: 'open' })
    const path = `/make/quadranym/${record.quadranym_id}/`
    const written = { name: 'gate', e: 'swing', _etag: '"1"' }
    const other = await send(path, written, 'bea')
    assert.equal(other.status, 403)
    assert.match(other.text, /It belongs to ada, and you are signed in as bea\. Nothing that you wrote is lost/)
    assert.match(other.text, /<a[^>]* href="\/make\/quadranym\/\?name=gate&amp;e=swing">Make one of your own from it</)
    const form = (text: string) => /<form class="maker".*?<\/form>/s.exec(text)?.[0] ?? ''
    assert.match(form(other.text), new RegExp(`action="${path}".*id="e"[^>]* value="swing"`, 's'))
    assert.equal((await site.ask(`/api${path.replace('make/', '')}`)).json.e, 'open')
    await site.ask(`/api${path.replace('make/', '')}`, { method: 'DELETE', as: 'ada' })
    const gone = await send(path, written)
    assert.equal(gone.status, 404)
    assert.match(gone.text, /The record is no longer there\. Nothing that you wrote is lost/)
    assert.match(form(gone.text), /action="\/make\/quadranym\/".*id="e"[^>]* value="swing".*>Make it</s)
    assert.doesNotMatch(form(gone.text), /_etag/)
  })

  test('errors are shown at their fields, and the input is kept', async () => {
    const { status, text } = await send('/make/quadranym/', { name: 'umbrella', e: 'open', r: 'fold', pos: 'noun' })
    assert.equal(status, 400)
    assert.match(text, /<span class="wrong" id="pos-wrong">Use one to eight capital letters/)
    assert.match(text, /<input id="pos" name="pos" aria-describedby="pos-wrong" aria-invalid="true" value="noun"/)
    assert.match(text, /id="e"[^>]* value="open"/)
    const blank = await send('/make/polynym/', { name: '', p1: 'a', p3: 'c' })
    assert.match(blank.text, /id="name-wrong">Fill this in\./)
    assert.match(blank.text, /id="mode-wrong">Fill this in\./)
    assert.match(blank.text, /id="p2-wrong">Fill this in\./)
  })

  test('a valid record is created, and only its owner can change it', async () => {
    const record = await made('/make/quadranym/', {
      name: 'umbrella',
      e: 'open',
      r: 'fold',
      o: 'cloth',
      s: 'shelter',
      realm: 'Physical',
    })
    const { quadranym_id: id, ...members } = record
    assert.deepEqual(members, {
      name: 'umbrella',
      user: 'ada',
      e: 'open',
      r: 'fold',
      o: 'cloth',
      s: 'shelter',
      realm: 'Physical',
    })
    const path = `/make/quadranym/${id}/`
    assert.match((await get(path, 'ada')).text, /id="s"[^>]* value="shelter"/)
    const changed = await made(path, { name: 'umbrella', e: 'open', r: 'close', o: 'cloth', s: 'shelter', realm: '' })
    assert.deepEqual(changed, {
      name: 'umbrella',
      user: 'ada',
      e: 'open',
      r: 'close',
      o: 'cloth',
      s: 'shelter',
      quadranym_id: id,
    })
    const theirs = await get(path, 'eve')
    assert.equal(theirs.status, 403)
    assert.match(theirs.text, /It belongs to ada\. You can make one of your own from it\./)
    assert.equal((await send(path, { name: 'mine' }, 'eve')).status, 403)
    assert.match((await get(`/make/quadranym/?from=${id}`, 'eve')).text, /id="s"[^>]* value="shelter"/)
    assert.equal((await get('/make/quadranym/999999/', 'ada')).status, 404)
  })

  test('a duplicate is named, with a link to the existing record', async () => {
    const door = { name: 'door', e: 'open', r: 'close', o: 'barrier', s: 'passage', pos: 'NN' }
    const { status, text } = await send('/make/quadranym/', door)
    assert.equal(status, 400)
    assert.match(text, /There is already one like this\./)
    assert.match(
      text,
      /This one already exists: ?<a href="\/quadranym\/1\/">door \(open, close, barrier, passage\)<\/a>/,
    )
    const { text: named } = await get('/make/quadranym/?name=door', 'ada')
    assert.match(named, /There is already one with this name:/)
    const fortune = await send('/make/fortune/', { body: 'What goes up must come down.' })
    assert.match(
      fortune.text,
      /This one already exists: ?<a href="\/fortune\/\d+\/">What goes up must come down\.<\/a>/,
    )
  })

  test('other records are given by number or by name', async () => {
    const [one, two] = (await site.ask('/api/polynym/?search=tree&page_size=2')).json.results
    const set = await made('/make/polyset/', {
      name: 'Two',
      polynyms: `${one.polynym_id}\r\n${two.name} #${two.polynym_id}\r\n`,
    })
    assert.deepEqual(
      set.polynyms.map((each: any) => each.polynym_id),
      [one.polynym_id, two.polynym_id],
    )
    const unknown = await send('/make/polyset/', { name: 'Three', polynyms: 'Zyxwv vwxyz' })
    assert.match(unknown.text, /id="polynyms-wrong">There is no polynym named “Zyxwv vwxyz”\./)
    assert.match(
      (await send('/make/polyset/', { name: 'None', polynyms: '' })).text,
      /id="polynyms-wrong">Choose at least one\./,
    )
    const vector = await made('/make/vectornym/', {
      name: 'Two',
      v1: String(one.polynym_id),
      v2: `x #${two.polynym_id}`,
    })
    assert.deepEqual([vector.length, vector.v2.polynym_id], [2, two.polynym_id])
    const relation = `${one.p1},RelatedTo,${two.p1}`
    const map = await made('/make/polymap/', {
      name: 'Map',
      pa: String(one.polynym_id),
      pb: String(two.polynym_id),
      r1: relation,
    })
    assert.equal(map.r1, relation)
  })

  test('texts are created plain, marked by the server, or with tokens', async () => {
    const plain = await made('/make/fortune/', { body: 'Nothing is marked here.', qode: '', quadranyms: '' })
    assert.deepEqual([plain.qode, plain.depth], ['', 0])
    const marked = await made('/make/fortune/', { body: 'A door opens.', quadranyms: 'door #1' })
    assert.equal(marked.qode, 'A q1n_NN q1e_VBZ.')
    const quote = await made('/make/quote/', { body: 'Doors close.', quadranym: '1', src: 'Ada' })
    assert.equal(quote.qode, 'q1n_NNS q1r_VBP.')
    const phrase = await made('/make/phrase/', { name: 'Once', qode: 'Once there was a q1n_NN.' })
    assert.equal(phrase.subs, 'n')
    const wordless = await send('/make/fortune/', { body: 'Not here.', quadranyms: '1' })
    assert.match(wordless.text, /id="quadranyms-wrong">Quadranym 1, &quot;door&quot;, has no word in the text\./)
    // Code is folded, unless it is wrong.
    const folded = (isOpen: boolean) =>
      new RegExp(`<details class="code"${isOpen ? ' open' : ''}>(?:(?!</details>)[^])*name="qode"`)
    for (const kind of ['fortune', 'quote']) assert.match((await get(`/make/${kind}/`, 'ada')).text, folded(false))
    assert.match((await send('/make/fortune/', { body: 'A door.', qode: 'A q1n_NN.' })).text, folded(true))
  })

  test('a story is made line by line: added, moved, removed, read, saved', async () => {
    const [first, second] = (await site.ask('/api/phrase/?search=behind')).json.results.concat(
      (await site.ask('/api/phrase/?search=morning')).json.results,
    )
    const lines = { line_phrase: [`${first.phrase_id}`, `${second.phrase_id}`, ''], line_quadranym: ['16', '1', ''] }
    const read = await send('/make/story/', { name: 'By form', ...lines, action: 'preview' })
    assert.equal(read.status, 200)
    assert.match(read.text, /<section class="preview"[^>]*><p class="text">[\s\S]*class="tok/)
    const moved = await send('/make/story/', { name: 'By form', ...lines, action: 'down:0' })
    assert.deepEqual(
      Array.from(moved.text.matchAll(/name="line_quadranym" value(?:="([^"]*)")?/g), ([, value = '']) => value),
      ['1', '16', ''],
    )
    const removed = await send('/make/story/', { name: 'By form', ...lines, action: 'remove:0' })
    assert.deepEqual(
      Array.from(removed.text.matchAll(/name="line_phrase" value(?:="([^"]*)")?/g), ([, value = '']) => value).slice(
        0,
        2,
      ),
      [`${second.phrase_id}`, ''],
    )
    const wrong = await send('/make/story/', { name: 'By form', line_phrase: ['1', ''], line_quadranym: ['', '1'] })
    assert.match(wrong.text, /id="line-0-wrong">Choose a topic\.[\s\S]*id="line-1-wrong">Choose a phrase\./)
    const story = await made('/make/story/', { name: 'By form', ...lines })
    assert.equal(story.length, 2)
    const told = await site.ask(`/api/storyline/?story=${story.story_id}`)
    assert.deepEqual(
      told.json.results.map(({ phrase, quadranym }: any) => [phrase.phrase_id, quadranym.quadranym_id]),
      [
        [first.phrase_id, 16],
        [second.phrase_id, 1],
      ],
    )
    const path = `/make/story/${story.story_id}/`
    assert.match((await get(path, 'ada')).text, /name="line_quadranym" value="door: open \/ close"/)
    assert.equal(
      (await made(path, { name: 'By form', line_phrase: `${first.phrase_id}`, line_quadranym: '1' })).length,
      1,
    )
  })

  test('records of one name are told apart by their words, and numbers still work', async () => {
    const set = await made('/make/quadraset/', { name: 'Doors', quadranyms: 'door: open / close\ndoor #3\nmountain' })
    assert.deepEqual(set.quadranyms.map((each: any) => each.name).slice(0, 2), ['door', 'door'])
    const { text } = await get(`/make/quadraset/${set.quadraset_id}/`, 'ada')
    assert.match(text, /<textarea id="quadranyms"[^>]*>door: open \/ close\ndoor: [^\n#]+\nmountain<\/textarea>/)
    const which = await send('/make/quadraset/', { name: 'Which', quadranyms: 'door' })
    assert.match(which.text, /Which quadranym is “door”\? door: open \/ close; door: /)
  })

  test('a paragraph needs no topic, and a story is pasted as pairs or as two lists', async () => {
    const pairs = {
      name: 'Pasted',
      paste_pairs: 'Departure, mountain\n\nArrival, door: open / close\nArrival, nowhere',
    }
    const pasted = await send('/make/story/', { ...pairs, action: 'paste' })
    assert.match(pasted.text, /<li class="line-row break" data-line="1">[\s\S]*New paragraph/)
    assert.match(pasted.text, /id="line-3-wrong">There is no quadranym named “nowhere”\./)
    assert.match(pasted.text, /behind us and did not look back\. <\/p><p class="text">So we came/)
    assert.match(pasted.text, /<textarea id="paste_pairs"[^>]*><\/textarea>/)
    // Until it is added, it stays in its field, which is shown.
    const kept = await send('/make/story/', { ...pairs, action: 'more' })
    const field =
      /<details class="code" open[^>]*>[\s\S]*<textarea id="paste_pairs"[^>]*>Departure, mountain\n\nArrival, /
    assert.match(kept.text, field)
    const saving = await send('/make/story/', { name: 'Pasted', paste_pairs: 'Nothing, nowhere' })
    assert.equal(saving.status, 400)
    assert.match(saving.text, /Which phrase is “Nothing”\? [^<]+\. There is no quadranym named “nowhere”\./)
    const long = await send('/make/story/', { name: 'Pasted', paste_phrases: 'Departure\n'.repeat(301) })
    assert.equal(long.status, 400)
    assert.match(
      long.text,
      /A form takes 300 lines\. Paste fewer\.[\s\S]*<textarea id="paste_phrases"[^>]*>Departure\n/,
    )
    const form = { ...pairs, action: 'save' }
    const ended = await site.ask('/make/story/', { method: 'POST', headers: html, form })
    assert.match(ended.text, /name="line_quadranym" value="nowhere"/)
    assert.equal((await made('/make/story/', { name: 'Pasted', paste_pairs: 'Departure, mountain' })).length, 1)
    const lists = { paste_phrases: 'Departure\n\nArrival', paste_topics: 'mountain' }
    const both = await send('/make/story/', { name: 'Pasted', ...lists, action: 'paste' })
    assert.deepEqual(
      Array.from(
        both.text.matchAll(/name="line_(?:phrase|quadranym)" value(?:="([^"]*)")?/g),
        ([, value = '']) => value,
      ).slice(0, 6),
      ['Departure', 'mountain', '-', '', 'Arrival', 'mountain'],
    )
    const lines = { line_phrase: ['Departure', '-', 'Arrival'], line_quadranym: ['mountain', '', 'mountain'] }
    const story = await made('/make/story/', { name: 'In two paragraphs', ...lines })
    const told = await site.ask(`/api/story/${story.story_id}/tell/`)
    assert.equal(
      told.json.text.replace(/\s*\n\s*/, ' | '),
      'We left the mountain behind us and did not look back. | So we came at last to the mountain.',
    )
    const opened = await get(`/make/story/${story.story_id}/`, 'ada')
    assert.match(opened.text, /<li class="line-row break" data-line="1">/)
  })

  test('the preview of a tale shows no code for topics that are not chosen yet', async () => {
    const { text } = await send('/make/tale/', {
      name: '',
      fable: 'The two builders',
      line_quadranym: ['', 'mountain'],
      action: 'topics',
    })
    const [, told = ''] = /<section class="preview"[^>]*>([\s\S]*?)<\/section>/.exec(text) ?? []
    assert.match(told, /trusted the <span class="tok open n">topic 1<\/span>/)
    assert.match(told, /another trusted the <a[^>]*>mountain<\/a>/)
    assert.doesNotMatch(told, /q[0-9]n/)
  })

  test('the rows of a polymap are chosen from lists; typed rows may have spaces', async () => {
    const [one, two] = (await site.ask('/api/polynym/?search=tree&page_size=2')).json.results
    const pair = { name: 'Rows', pa: `x #${one.polynym_id}`, pb: `x #${two.polynym_id}` }
    const shown = await send('/make/polymap/', {
      ...pair,
      relation_code: `${one.p1}, SimilarTo , ${two.p2}`,
      action: 'relations',
    })
    assert.match(shown.text, new RegExp(`name="from1"[\\s\\S]*<option value="${one.p1}" selected>`))
    assert.match(shown.text, /<option value="SimilarTo" selected>similar to<\/option>/)
    const rows = { from1: one.p1, relation1: 'IsA', to1: two.p1, from3: one.p2, relation3: 'PartOf', to3: two.p2 }
    const map = await made('/make/polymap/', { ...pair, ...rows })
    assert.deepEqual([map.r1, map.r2], [`${one.p1},IsA,${two.p1}`, `${one.p2},PartOf,${two.p2}`])
    const half = await send('/make/polymap/', { ...pair, name: 'Half', from1: one.p1, relation1: 'IsA', to1: '' })
    assert.match(half.text, /id="r1-wrong">Choose a word of the second set\./)
    const removed = await send('/make/polymap/', { ...pair, ...rows, action: 'unrelate:1' })
    assert.match(removed.text, new RegExp(`name="from1"[\\s\\S]*?<option value="${one.p2}" selected>`))
    assert.deepEqual(new Set(OFFERED_RELATIONS), RELATIONS)
  })

  test('many polynyms are pasted as a table, checked, saved together, and changed together', async () => {
    const path = '/make/polynym/table/'
    const pasted =
      'Name,Mode,Area,p1,p2,p3\nTable one,Part,sea,ebb,"flood, high"\r\nTable two,type,,beach,"cliff\nor bluff",dune\n'
    const checked = await send(path, { table: pasted, action: 'check' })
    assert.equal(checked.status, 200)
    assert.match(checked.text, /All 2 rows are right\. Nothing is saved yet\./)
    assert.match(checked.text, /href="\/make\/" aria-current="page">/)
    assert.equal((await site.ask('/api/polynym/?name=Table+one')).json.count, 0)
    const wrong = await send(path, { table: `${pasted}Table three,tide,,x`, action: 'save' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /<li>Row 3, [^<]*: “tide” is not one of the choices: [a-z, ]*part[a-z, ]*\.<\/li>/)
    assert.match(wrong.text, /Table three\ttide\tx/)
    assert.equal((await site.ask('/api/polynym/?name=Table+one')).json.count, 0)
    assert.equal((await send(path, { table: pasted, action: 'save' })).status, 303)
    const [one] = (await site.ask('/api/polynym/?name=Table+one')).json.results
    assert.deepEqual([one.mode, one.area, one.p2, one.user], ['part', 'sea', 'flood, high', 'ada'])
    assert.equal((await site.ask('/api/polynym/?name=Table+two')).json.results[0].p2, 'cliff or bluff')
    const { text } = await get(`${path}?mine`, 'ada')
    assert.match(text, new RegExp(`Table one\\t[^\\n]*\\t${one.polynym_id}\\n`))
    const changed = `polynym_id\tname\tmode\tp1\tp2\n${one.polynym_id}\tTable one\tpart\tebb\tslack`
    assert.equal((await send(path, { table: changed, action: 'save' })).status, 303)
    assert.equal((await site.ask(`/api/polynym/${one.polynym_id}/`)).json.p2, 'slack')
    assert.equal((await send(path, { table: '', action: 'save' })).status, 400)
    const long = await send(path, { table: `name\tmode\nkept\t${'x'.repeat(500_000)}`, action: 'save' })
    assert.match(long.text, /That is too much for one table\.[\s\S]*\nkept\tx/)
    assert.equal((await get('/make/quadranym/table/')).status, 401)
    assert.equal((await get('/make/story/table/', 'ada')).status, 404)
  })

  test('a table changes only the rows that its user has changed, and asks if others have changed them', async () => {
    const path = '/make/polynym/table/'
    const table = 'Name\tMode\tp1\tp2\nHigh\tpart\tebb\tflood\nLow\tpart\tmud\tsand\nEven\tpart\tcalm\tswell'
    assert.equal((await site.ask(path, { method: 'POST', as: 'nora', form: { table, action: 'save' } })).status, 303)
    const records = () => site.ask('/api/polynym/?user=nora&ordering=id').then(({ json }) => json.results)
    const [high, low, even] = await records()
    const change = (id: number, json: object) => site.ask(`/api/polynym/${id}/`, { method: 'PATCH', as: 'nora', json })
    const sent = ({ text }: { text: string }, edit: (table: string) => string) => {
      const fieldIn = (pattern: RegExp) => (pattern.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')
      const rows = fieldIn(/<textarea id="table"[^>]*>([^<]*)</)
      const columns = fieldIn(/name="columns" value="([^"]*)"/)
      return { table: edit(rows), opened: fieldIn(/name="opened" value="([^"]*)"/), columns, action: 'save' }
    }
    const mine = await get(`${path}?mine`, 'nora')
    await change(low.polynym_id, { p1: 'clay' })
    await change(even.polynym_id, { p1: 'still', p2: 'surge' })
    const edit = sent(mine, (rows) => rows.replace('flood', 'spring').replace('swell', 'wave'))
    const asked = await send(path, edit, 'nora')
    assert.equal(asked.status, 412)
    assert.match(
      asked.text,
      /<li>Row 1, [^<]* 2: In the meantime this was changed to “surge”\. Save again to overwrite/,
    )
    assert.deepEqual((await records())[0].p2, 'flood')
    assert.equal(
      (
        await send(
          path,
          sent(asked, (rows) => rows),
          'nora',
        )
      ).status,
      303,
    )
    assert.deepEqual(
      (await records()).map(({ p1, p2 }: any) => [p1, p2]),
      [
        ['ebb', 'spring'],
        ['clay', 'sand'],
        ['still', 'wave'],
      ],
    )
    const again = await get(`${path}?mine`, 'nora')
    await change(high.polynym_id, { p1: 'low' })
    const row = await send(
      path,
      sent(again, (rows) => rows.replace('spring', 'neap')),
      'nora',
    )
    assert.match(row.text, /<li>Row 2: The record was changed in the meantime\./)
    assert.match(row.text, /High\tpart\tlow\tneap/)
    const same = await send(
      path,
      sent(again, (rows) => rows),
      'nora',
    )
    assert.match(same.text, /No row has changed\. There is nothing to save\./)
    const form = sent(again, (rows) => rows.replace('spring', 'neap'))
    const ended = await site.ask(path, { method: 'POST', headers: html, form })
    assert.equal(ended.status, 401)
    assert.match(ended.text, /You are no longer signed in; nothing is lost\.[\s\S]*High\tpart\tebb\tneap/)
    assert.deepEqual(
      sent(ended, (rows) => rows),
      form,
    )
    const many = Array.from({ length: 1000 }, (_, i) => ({ name: `Tide ${i}`, mode: 'part', p1: 'a', p2: 'b' }))
    for (let i = 0; i < many.length; i += 200) {
      const records = many.slice(i, i + 200)
      await site.ask('/api/batch/', { method: 'POST', as: 'nora', json: { resource: 'polynym', records } })
    }
    assert.match(
      (await get(`${path}?mine`, 'nora')).text,
      /You have 1,003 polynyms\. These are the first 200 of them\./,
    )
    assert.match((await get('/polynym/')).text, />nora \(1,003\)<\/option>/)
  })

  test('a tale has a line for each topic of its fable', async () => {
    const { json: fable } = await site.ask('/api/fable/1/')
    const shown = await send('/make/tale/', { name: 'By form', fable: '1', action: 'topics' })
    assert.equal(shown.text.split('name="line_quadranym"').length - 1, fable.length)
    const missing = async (...line_quadranym: string[]) => {
      const { status, text } = await send('/make/tale/', { name: 'By form', fable: '1', line_quadranym })
      assert.equal(status, 400)
      return Array.from(text.matchAll(/id="line-(\d+)-wrong">Choose a topic\./g), ([, line]) => Number(line))
    }
    const all = Array.from({ length: fable.length }, (_, i) => i)
    assert.deepEqual(await missing(), all)
    assert.deepEqual(await missing('door: open / close', ''), all.slice(1))
    // Fields of a longer fable go away if they are blank, and are wrong if they are filled.
    const line_quadranym = [...Array(fable.length).fill('door: open / close'), '', 'winter', '']
    const longer = { name: 'By form', fable: '1', line_quadranym }
    const blank = await send('/make/tale/', {
      ...longer,
      line_quadranym: line_quadranym.map(() => ''),
      action: 'topics',
    })
    assert.equal(blank.text.split('name="line_quadranym"').length - 1, fable.length)
    const unused = await send('/make/tale/', longer)
    assert.equal(unused.status, 400)
    assert.deepEqual(
      Array.from(unused.text.matchAll(/id="(line-\d+-wrong)">([^<]*)/g), ([, id, says]) => [id, says]),
      [[`line-${fable.length + 1}-wrong`, `The fable has only ${fable.length} topics. Empty this field.`]],
    )
    const topics = Array(fable.length).fill('door: open / close')
    const tale = await made('/make/tale/', { name: 'By form', fable: `${fable.name} #1`, line_quadranym: topics })
    assert.deepEqual([tale.length, tale.fable.fable_id], [fable.length, 1])
    const lines = await site.ask(`/api/taleline/?tale=${tale.tale_id}`)
    assert.equal(lines.json.count, fable.length)
  })

  test('a session that ended loses nothing', async () => {
    const form = { name: 'lamp', e: 'shine', action: 'save' }
    const ended = await site.ask('/make/quadranym/', { method: 'POST', headers: html, form })
    assert.equal(ended.status, 401)
    assert.match(ended.text, /id="e"[^>]* value="shine"/)
    const [, next] = /href="\/accounts\/login\/\?next=([^"]+)">Sign in and come back/.exec(ended.text) ?? []
    assert.match((await get(decodeURIComponent(next!), 'ada')).text, /id="e"[^>]* value="shine"/)
    const story = { name: 'Lost', line_phrase: ['1', '2'], line_quadranym: ['3', '4'] }
    const line = await site.ask('/make/story/', { method: 'POST', headers: html, form: story })
    const [, back] = /href="\/accounts\/login\/\?next=([^"]+)">Sign in and come back/.exec(line.text) ?? []
    const again = await get(decodeURIComponent(back!), 'ada')
    assert.deepEqual(
      Array.from(again.text.matchAll(/name="line_quadranym" value="([^"]+)"/g), ([, value = '']) => value),
      ['door: welcome / refuse', 'fortune: smile / frown'],
    )
    const changing = await site.ask('/make/quadranym/1/', { method: 'POST', headers: html, form: { name: 'door' } })
    assert.match(changing.text, /<h1>Change door<\/h1>[\s\S]*>Save<\/button>/)
    assert.doesNotMatch(changing.text, /There is already one|optional<\/span>/)
  })

  test('the picture is drawn from the input so far', async () => {
    const quadranym = await get('/make/quadranym/picture/?name=lamp&e=shine')
    assert.match(quadranym.text, /^<figure><svg [^>]*aria-label="lamp: shine \(expansive\)/)
    assert.match((await get('/make/polynym/picture/?mode=step&p1=a&p2=b')).text, /<svg/)
    assert.equal((await get('/make/story/picture/')).text, '')
    assert.deepEqual(site.bugs, [])
  })
})

describe('making in a browser', () => {
  const { site, browser } = siteInBrowser()

  const signUp = async (page: Page, username: string) => {
    const answer = await page.request.post('/accounts/signup/', { data: { username, password: PASSWORD } })
    assert.equal(answer.status(), 201)
  }

  test('a visitor signs up, corrects a wrong field, creates and changes a quadranym; another may not', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto('/make/')
    await page.getByRole('link', { name: 'Quadranym A topic' }).click()
    await page.getByRole('link', { name: 'I need an account' }).click()
    await page.locator('main input[name=username]').fill('lea')
    await page.locator('main input[name=password]').fill(PASSWORD)
    await page.locator('main input[name=password]').press('Enter')
    await page.waitForURL(/\/accounts\/|\/make\/|\/people\//)
    await page.goto('/make/quadranym/')
    await page.locator('#name').fill('lamp')
    await page.getByLabel(/^Expansive/).fill('shine')
    await page.locator('figure svg[aria-label^="lamp: shine (expansive)"]').waitFor()
    await page.getByText('More about it').click()
    await page.getByLabel('Part of speech of the name').fill('noun')
    await page.getByRole('button', { name: 'Make it' }).click()
    assert.match((await page.locator('#pos-wrong').textContent())!, /capital letters/)
    await page.locator('#pos:focus').waitFor()
    assert.equal(await page.getByLabel(/^Expansive/).inputValue(), 'shine')
    await page.getByLabel('Part of speech of the name').fill('NN')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/quadranym\/[0-9]+\/$/)
    const path = new URL(page.url()).pathname
    await page.goto(`/make${path}`)
    await page.getByLabel(/^Subjective/).fill('comfort')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(new RegExp(`${path}$`))
    const { json } = await site.ask(`/api${path}`)
    assert.deepEqual([json.name, json.user, json.e, json.s, json.pos], ['lamp', 'lea', 'shine', 'comfort', 'NN'])
    await page.context().clearCookies()
    await signUp(page, 'mia')
    await page.goto(`/make${path}`)
    assert.equal(await page.locator('h1').textContent(), 'You cannot change this')
    await page.getByRole('link', { name: 'Make one like it' }).click()
    assert.equal(await page.getByLabel(/^Subjective/).inputValue(), 'comfort')
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('while the user types, duplicates are shown, words are suggested, slots are added', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'noa')
    await page.goto('/make/polynym/')
    assert.equal(await page.locator('.slots li:visible').count(), 2)
    await page.locator('#name').fill('seasons')
    await page.getByText('There is already one with this name:').waitFor()
    await page.locator('#name').fill('Seasons of mine')
    await page.getByText('There is already one with this name:').waitFor({ state: 'hidden' })
    await page.locator('#p1').fill('spr')
    await page.locator('datalist#terms-p1 option[value=spring]').waitFor({ state: 'attached' })
    await page.locator('#p1').fill('spring')
    await page.locator('#p2').fill('autumn')
    assert.equal(await page.locator('.slots li:visible').count(), 3)
    await page.getByLabel('What the words are').selectOption('step')
    await page.locator('figure svg').waitFor()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/polynym\/[0-9]+\/$/)
    await page.goto(`/make/polynym/?from=${/[0-9]+/.exec(new URL(page.url()).pathname)}`)
    await page.getByRole('button', { name: 'Make it' }).click()
    await hasFocus(page, 'There is already one like this.')
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('a set is made by typing and choosing, and put in order', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'ola')
    await page.goto('/make/quadraset/')
    await page.locator('#name').fill('Doors and seas')
    const box = page.getByRole('combobox', { name: 'Quadranyms' })
    assert.equal(await page.getByText('on its own line').count(), 0, 'there are no lines to type')
    // What names no record, or several, is not added: it stays, to be corrected.
    await box.fill('zzzzqq')
    await box.press('Enter')
    await page.locator('.none', { hasText: 'Nothing matches' }).waitFor()
    await box.fill('door')
    await box.press('Enter')
    await page.getByRole('option', { name: 'door open' }).waitFor()
    assert.equal(await page.locator('.none').count(), 0)
    assert.deepEqual([await box.inputValue(), await page.locator('.picked li').count()], ['door', 0])
    for (const [i, typed] of ['winter', 'door: welcome / refuse'].entries()) {
      await box.fill(typed)
      await box.press('Enter')
      await page.locator('.picked li').nth(i).waitFor()
      assert.equal(await box.inputValue(), '')
    }
    for (const name of ['winter', 'door: welcome / refuse'])
      await page.getByRole('button', { name: `Remove ${name}` }).click()
    for (const [typed, wanted] of [
      ['door', 'door open'],
      ['sea', 'sea'],
      ['mountain', 'mountain'],
    ]) {
      await box.fill(typed!)
      await page.getByRole('option', { name: wanted! }).first().click()
    }
    await page.getByRole('button', { name: 'Move up mountain' }).press('Enter')
    await page.getByRole('button', { name: 'Remove sea' }).press('Enter')
    assert.deepEqual(await page.locator('.picked li > span').allTextContents(), ['door: open / close ', 'mountain '])
    // What is typed and not chosen is not lost when the form is sent.
    await box.fill('door')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('alert').getByText('“door” does not name one quadranym.').waitFor()
    assert.equal(await page.locator('[aria-invalid]:focus').inputValue(), 'door')
    await box.fill('winter')
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/quadraset\/[0-9]+\/$/)
    const { json } = await site.ask(`/api${new URL(page.url()).pathname}`)
    assert.deepEqual(
      json.quadranyms.map(({ name }: { name: string }) => name),
      ['door', 'mountain', 'winter'],
    )
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    test(`a phrase and a fable are made on a ${device} by pressing words, without code`, async () => {
      const { page, complaints } = await openPage(browser, site.base, options)
      await signUp(page, `pen-${device}`)
      const press = async (word: string, stands: string) => {
        const button = page.locator('.word', { hasText: word }).first()
        await (device === 'phone' ? button.tap() : button.press('Enter'))
        await page.getByRole('button', { name: stands }).click()
        await page.locator('.word.tok', { hasText: word }).first().waitFor()
      }
      const seen = async () => {
        const text = await page.locator('main').innerText()
        assert.doesNotMatch(text, /q[0-9][neros]|_[A-Z]{2}/)
      }
      await page.goto('/make/phrase/')
      await page.locator('#name').fill(`Pressed on a ${device}`)
      // A sentence that is refused has the focus, and what is wrong with it.
      await page.getByRole('button', { name: 'Make it' }).click()
      await page.locator('#sentence[aria-invalid=true][aria-describedby~=qode-wrong]:focus').waitFor()
      await page.getByLabel('The sentence').fill('Behind every door.')
      await page.locator('#sentence:not([aria-invalid])').waitFor()
      assert.equal(await page.locator('.wrong').count(), 0)
      await page.getByRole('button', { name: 'Mark words for me' }).click()
      await page.locator('.word.tok:focus', { hasText: 'door' }).waitFor()
      // A long word does not widen the page.
      await page.getByLabel('The sentence').fill('a'.repeat(200))
      await page.locator('.word', { hasText: 'aaa' }).click()
      assert.ok((await widthOf(page)) <= (options.viewport?.width ?? 0))
      await page.getByLabel('The sentence').fill(`Each lake has a shore that calls my ${device}.`)
      await press('lake', 'the topic itself')
      await press('shore', 'the thing, from outside')
      await press('calls', 'what it opens to')
      await page.locator('.thrice li').nth(2).waitFor()
      await seen()
      await page.getByRole('button', { name: 'Make it' }).click()
      await page.waitForURL(/\/phrase\/[0-9]+\/$/)
      const path = new URL(page.url()).pathname
      const qode = `Each q1n_NN has a q1o_NN that q1e_VBZ my ${device}.`
      assert.equal((await site.ask(`/api${path}`)).json.qode, qode)
      // Code that was written elsewhere is read as a sentence, and only a change writes it again.
      await page.evaluate('sessionStorage.clear()')
      await page.goto(`/make${path}`)
      await page.locator('.word.tok', { hasText: 'barrier' }).waitFor()
      assert.equal(await page.locator('#qode').inputValue(), qode)

      await page.goto('/make/fable/')
      await page.locator('#name').fill(`Pressed on a ${device}`)
      await page.getByLabel('The text').fill(`The dog met the cat. The dog went to the ${device}.`)
      await press('dog', 'the topic itself')
      await page.locator('.word', { hasText: 'cat' }).click()
      await page.getByRole('button', { name: 'Another topic' }).click()
      await press('cat', 'the topic itself')
      await page.locator('.thrice li').nth(2).waitFor()
      await seen()
      await page.getByRole('button', { name: 'Make it' }).click()
      await page.waitForURL(/\/fable\/[0-9]+\/$/)
      const fable = (await site.ask(`/api${new URL(page.url()).pathname}`)).json
      assert.equal(fable.qode, `The q1n_NN met the q2n_NN. The dog went to the ${device}.`)
      assert.deepEqual(expected(complaints), [])
      await page.context().close()
    })

    test(`a story of four lines and a polymap are made on a ${device} from lists`, async () => {
      const { page, complaints } = await openPage(browser, site.base, options)
      await signUp(page, `list-${device}`)
      await page.goto('/make/story/')
      await page.locator('#name').fill(`Listed on a ${device}`)
      // The lists are shown before anything is typed, and the phrases are sentences about the topic.
      const choose = async (name: string, at: number) => {
        await page.getByRole('combobox', { name, exact: true }).click()
        const option = page.locator('.picks:visible li').nth(at)
        await option.waitFor()
        assert.doesNotMatch((await option.textContent())!, /q[0-9][neros]|#[0-9]/)
        const sentence = (await option.locator('span').textContent())!
        await option.click()
        return sentence
      }
      const next = async (line: number) => {
        if (device === 'phone') await page.getByRole('button', { name: `Add a line after line ${line}` }).tap()
        else await page.getByRole('combobox', { name: `topic of line ${line}`, exact: true }).press('Enter')
        await page.locator(`[data-key=phrase-${line}]:focus`).waitFor()
      }
      for (const line of [1, 2, 3, 4]) {
        if (line > 1) await next(line - 1)
        await choose(`topic of line ${line}`, line)
        const sentence = await choose(`phrase of line ${line}`, line)
        await page.locator('.preview', { hasText: sentence }).waitFor()
      }
      await page.getByRole('button', { name: 'New paragraph' }).click()
      await page.locator('.line-row.break').waitFor()
      await page.getByRole('button', { name: 'Make it' }).click()
      await page.waitForURL(/\/story\/[0-9]+\/$/)
      const { json: story } = await site.ask(`/api${new URL(page.url()).pathname}`)
      assert.equal(story.length, 5)

      await page.goto('/make/polymap/')
      await page.locator('#name').fill(`Listed on a ${device}`)
      await choose('First polynym', 0)
      await page.getByText('Paste code').click()
      await choose('Second polynym', 1)
      await page.getByLabel('First word of row 1').waitFor()
      await page.getByLabel('Relations as code').waitFor()
      for (const row of [1, 2]) {
        await page.getByLabel(`First word of row ${row}`).selectOption({ index: row })
        await page.getByLabel(`Relation of row ${row}`).selectOption({ label: 'part of' })
        await page.getByLabel(`Second word of row ${row}`).selectOption({ index: row })
      }
      await page.getByLabel('First word of row 3').waitFor()
      await page.getByRole('button', { name: 'Remove row 2' }).click()
      await page.getByLabel('First word of row 3').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Make it' }).click()
      await page.waitForURL(/\/polymap\/[0-9]+\/$/)
      const { json: map } = await site.ask(`/api${new URL(page.url()).pathname}`)
      assert.deepEqual([map.r1, map.r2], [`${map.pa.p1},PartOf,${map.pb.p1}`, undefined])
      assert.deepEqual(expected(complaints), [])
      await page.context().close()
    })
  }

  test('the lines of a story and a tale are chosen, moved, read and saved', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'pia')
    await page.goto('/make/story/')
    await page.locator('#name').fill('Picked')
    const pick = async (label: string, typed: string, wanted: string | RegExp) => {
      const box = page.getByRole('combobox', { name: label, exact: true })
      await box.fill(typed)
      await page.getByRole('option', { name: wanted }).first().click()
    }
    await pick('phrase of line 1', 'Departure', 'Departure')
    await pick('topic of line 1', 'sea', 'sea')
    await page.locator('.preview', { hasText: 'We left the sea behind us' }).waitFor()
    await pick('phrase of line 2', 'Arrival', 'Arrival')
    await pick('topic of line 2', 'door', 'door open')
    await page.locator('.preview', { hasText: 'So we came at last to the door.' }).waitFor()
    await page.getByRole('button', { name: 'Move up line 2' }).press('Enter')
    await page.locator('.preview', { hasText: /^So we came at last to the door\. We left/ }).waitFor()
    await page.locator('[aria-label="Move down line 1"]:focus').waitFor()
    // The list that an empty field opens does not take the keys that move its line.
    await page.getByRole('combobox', { name: 'phrase of line 3' }).focus()
    await page.locator('.picks:visible li').first().waitFor()
    await page.keyboard.press('Alt+ArrowUp')
    await page.locator('[data-key=phrase-1]:focus').waitFor()
    await page.getByRole('button', { name: 'Move down line 2' }).click()
    await page.locator('[aria-label="Move up line 3"]:focus').waitFor()
    await page.getByText('Paste a whole story').click()
    await page.getByLabel('Pairs').fill('Arrival, mountain\nNowhere, mountain')
    await page.getByRole('button', { name: 'Add these lines' }).click()
    await page.locator('[data-key=phrase-3][aria-invalid=true]:focus').waitFor()
    await page.getByRole('button', { name: 'Remove line 4' }).click()
    await page.locator('[data-line="3"]').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove line 3' }).click()
    await page.locator('[data-key=phrase-2][value=""]').waitFor()
    await page.getByRole('button', { name: 'Add lines' }).click()
    await page.getByRole('combobox', { name: 'phrase of line 6' }).waitFor()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/story\/[0-9]+\/$/)
    const told = await site.ask(`/api${new URL(page.url()).pathname}tell/`)
    assert.equal(told.json.text, 'So we came at last to the door. We left the sea behind us and did not look back.')

    const { json: fable } = await site.ask('/api/fable/1/')
    await page.goto('/make/tale/')
    await page.locator('#name').fill('Picked')
    await pick('Fable', fable.name, fable.name)
    for (let i = 1; i <= fable.length; i++) await pick(`topic ${i}`, 'door', 'door open')
    await page.locator('.preview .tok').first().waitFor()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/tale\/[0-9]+\/$/)
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('a press on a shown choice takes that one, while the list for the typed text is on its way', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'quin')
    await page.goto('/make/story/')
    const box = page.getByRole('combobox', { name: 'phrase of line 1', exact: true })
    await box.focus()
    const second = page.getByRole('option').nth(1)
    const name = await second.locator('b').innerText()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/qode/verse/', async (route) => {
      await held.promise
      await route.continue()
    })
    const asked = page.waitForRequest('**/api/qode/verse/')
    await box.fill('Departure')
    await asked
    await second.click()
    held.resolve()
    await page.unrouteAll({ behavior: 'wait' })
    const isTaken = (name: string) => document.querySelector<HTMLInputElement>('[data-key=phrase-0]')?.value === name
    await page.waitForFunction(isTaken, name)
    assert.equal(await page.getByRole('option').count(), 0)
    // What the keys pointed at in one list is not pointed at in the next.
    const next = page.getByRole('combobox', { name: 'phrase of line 2', exact: true })
    await next.focus()
    await page.getByRole('option').nth(1).waitFor()
    await next.press('ArrowDown')
    await next.fill('Departure')
    await page.getByRole('option', { name: 'Departure', selected: false }).first().waitFor()
    await page.locator('.picks:visible:not(:has([aria-selected=true]))').waitFor()
    assert.equal(await next.getAttribute('aria-activedescendant'), null)
    // A search that would begin after a press does not begin.
    const topic = page.getByRole('combobox', { name: 'topic of line 1', exact: true })
    await topic.focus()
    await page.getByRole('option').nth(1).waitFor()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    const searches: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('search=')) searches.push(request.url())
    })
    await topic.fill('se')
    await page.getByRole('option').nth(1).click()
    await page.clock.runFor(1000)
    await page.evaluate(() => fetch('/healthz'))
    assert.deepEqual(searches, [])
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('a form whose session ended is saved after signing in in another tab', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'rea')
    await page.goto('/make/queue/')
    await page.getByLabel('Word').fill('lantern')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByText('You are no longer signed in; nothing is lost.').waitFor()
    await page.request.post('/accounts/login/', { data: { username: 'rea', password: PASSWORD } })
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/queue\/[0-9]+\/$/)
    assert.equal((await site.ask('/api/queue/?name=lantern')).json.count, 1)
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('a form is saved after signing in again in another tab, with a script and without', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled })
      const name = `renewed-${javaScriptEnabled}`
      await signUp(page, name)
      const signInAgain = async () => {
        await page.context().clearCookies()
        await page.request.post('/accounts/login/', { data: { username: name, password: PASSWORD } })
      }
      // Some browsers refuse to store anything.
      await page.addInitScript(
        'Object.defineProperty(window, "localStorage", { get() { throw new Error("refused") } })',
      )
      await page.goto('/make/story/')
      await page.locator('#name').fill(name)
      await signInAgain()
      await page.getByLabel('phrase of line 1').fill('Departure')
      await page.getByLabel('topic of line 1').fill('mountain')
      await page.getByText('Paste a whole story').click()
      await page.getByLabel('Pairs').fill('Arrival, mountain')
      await page.getByRole('button', { name: 'Add lines' }).click()
      await page.getByLabel('phrase of line 6').waitFor()
      assert.equal(await page.getByLabel('Pairs').inputValue(), 'Arrival, mountain')
      assert.ok(await page.getByLabel('Pairs').isVisible())
      await signInAgain()
      await clickThrough(page, page.getByRole('button', { name: 'Make it' }))
      await page.getByText('You have signed in again since you opened this page.').waitFor()
      await clickThrough(page, page.getByRole('button', { name: 'Make it' }))
      assert.match(page.url(), /\/story\/[0-9]+\/$/)
      assert.equal((await site.ask(`/api${new URL(page.url()).pathname}`)).json.length, 2)
      await signInAgain()
      await page.getByRole('button', { name: 'Like' }).click()
      if (!javaScriptEnabled) {
        await clickThrough(page, page.getByRole('link', { name: 'Go back' }))
        await page.getByRole('button', { name: 'Like' }).click()
      }
      await page.getByRole('button', { name: 'Take your like back' }).waitFor()
      if (javaScriptEnabled) {
        // What is refused is said on the page.
        const { pathname } = new URL(page.url())
        assert.equal((await site.ask(`/api${pathname}`, { method: 'DELETE', as: name })).status, 204)
        await page.getByRole('button', { name: 'Take your like back' }).click()
        await page.locator('#message', { hasText: 'the record may have been deleted' }).waitFor()
        assert.equal(new URL(page.url()).pathname, pathname)
      }
      assert.deepEqual(expected(complaints), [])
      await page.context().close()
    }
  })

  test('a form takes the token of the new session of its user, and not that of another user', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await signUp(page, 'renate')
    const { page: elsewhere } = await openPage(browser, site.base)
    await signUp(elsewhere, 'other')
    const tab = await page.context().newPage()
    const signIn = async (name: string) => {
      await page.context().clearCookies()
      await tab.goto('/accounts/login/?next=/learn/')
      await tab.locator('main input[name=username]').fill(name)
      await tab.locator('main input[name=password]').fill(PASSWORD)
      await clickThrough(tab, tab.locator('main').getByRole('button', { name: 'Sign in' }))
      await tab.locator('.account a[title]', { hasText: name }).waitFor()
    }
    await page.goto('/make/queue/')
    await page.getByLabel('Word').fill('renewal')
    await signIn('renate')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.waitForURL(/\/queue\/[0-9]+\/$/)
    await page.goto(`/make${new URL(page.url()).pathname}`)
    await page.getByLabel('Word').fill('renewed')
    await signIn('other')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else made it, and you are signed in as other.').waitFor()
    await signIn('renate')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\d\/queue\/[0-9]+\/$/)
    assert.equal((await site.ask('/api/queue/?name=renewed')).json.count, 1)
    await page.goto('/make/queue/')
    await page.getByLabel('Word').fill('by another')
    await signIn('other')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByText('You have signed in again since you opened this page. You are other now.').waitFor()
    assert.equal(await page.getByLabel('Word').inputValue(), 'by another')
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('without a script a quadranym, a set and a story are created', async () => {
    const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await signUp(page, 'sol')
    await page.goto('/make/quadranym/')
    await page.locator('#name').fill('footbridge')
    await page.getByLabel(/^Expansive/).fill('span')
    await clickThrough(page, page.getByRole('button', { name: 'Make it' }))
    assert.match(page.url(), /\/quadranym\/[0-9]+\/$/)
    await page.goto('/make/quadraset/')
    await page.locator('#name').fill('Bridges')
    await page.getByText('Each quadranym on its own line, by its name.').waitFor()
    await page.getByLabel(/^Quadranyms/).fill('footbridge\nmountain')
    await clickThrough(page, page.getByRole('button', { name: 'Make it' }))
    assert.match(page.url(), /\/quadraset\/[0-9]+\/$/)
    await page.goto('/make/story/')
    await page.locator('#name').fill('Of bridges')
    await page.getByLabel('phrase of line 1').fill('Departure')
    await page.getByLabel('topic of line 1').fill('footbridge')
    await clickThrough(page, page.getByRole('button', { name: 'Show how it reads' }))
    assert.equal(
      (await page.locator('.preview').textContent())!.trim(),
      'We left the footbridge behind us and did not look back.',
    )
    await clickThrough(page, page.getByRole('button', { name: 'Make it' }))
    assert.match(page.url(), /\/story\/[0-9]+\/$/)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a table is filled from a spreadsheet and saved', async () => {
    const { page, complaints } = await openPage(browser, site.base, DESKTOP)
    await signUp(page, 'tabea')
    await page.goto('/make/quadranym/table/')
    // A spreadsheet quotes a cell with a line break.
    const cells = 'lantern\tshine, glow\tdim\t"glass\r\nor ""horn"""\tcomfort\r\n\r\nanchor\tlift\tdrop\tiron\tcalm\r\n'
    await page.getByLabel('Name of row 1', { exact: true }).focus()
    await page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(cells)})
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }`)
    assert.equal(await page.getByLabel('Name of row 2', { exact: true }).inputValue(), '')
    assert.equal(await page.getByLabel('Objective of row 1', { exact: true }).inputValue(), 'glass or "horn"')
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.getByLabel('Name of row 4', { exact: true }).fill('kite')
    await page.getByRole('button', { name: 'Remove row 4' }).click()
    await page.getByRole('button', { name: 'Remove row 2' }).click()
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.getByLabel('Name of row 3', { exact: true }).fill('kite')
    const tag = page.getByLabel('Part of speech of the name of row 3', { exact: true })
    await tag.fill('noun')
    await page.getByRole('button', { name: 'Check it' }).click()
    await page.locator('[role=alert]:focus', { hasText: 'One thing is wrong, and nothing was saved.' }).waitFor()
    assert.match((await tag.getAttribute('title'))!, /capital letters/)
    await tag.fill('NN')
    assert.deepEqual([await tag.getAttribute('title'), await tag.getAttribute('aria-invalid')], [null, null])
    await page.getByRole('button', { name: 'Remove row 3' }).click()
    await page.getByRole('button', { name: 'Add a row' }).click()
    assert.equal(await tag.getAttribute('aria-invalid'), null)
    // After the session has ended and the user has signed in again, the rows are still there.
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save all' }).click()
    await page.getByText('You are no longer signed in; nothing is lost.').waitFor()
    await page.request.post('/accounts/login/', { data: { username: 'tabea', password: PASSWORD } })
    await page.getByRole('button', { name: 'Save all' }).click()
    await page.getByText('You have signed in again since you opened this page.').waitFor()
    await page.getByRole('button', { name: 'Check it' }).click()
    await page.getByText('All 2 rows are right.').waitFor()
    await page.getByRole('button', { name: 'Save all' }).click()
    await page.waitForURL(/\/quadranym\/\?user=tabea/)
    const { json } = await site.ask('/api/quadranym/?user=tabea&ordering=id')
    assert.deepEqual(
      json.results.map(({ name, e, o, s }: any) => [name, e, o, s]),
      [
        ['lantern', 'shine, glow', 'glass or "horn"', 'comfort'],
        ['anchor', 'lift', 'iron', 'calm'],
      ],
    )
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('Enter never saves a form: with a script it goes to the next field, without one it says so', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled })
      await signUp(page, `enter-${javaScriptEnabled}`)
      await page.goto('/make/polynym/')
      await page.locator('#name').fill('Half of it')
      await page.locator('#mode').selectOption('part')
      await page.locator('#p1').fill('one')
      await page.locator('#p2').fill('two')
      await page.locator('#p1').press('Enter')
      if (javaScriptEnabled) await page.locator('#p2:focus').waitFor()
      else await page.getByText('Not saved yet.').waitFor()
      assert.equal(await page.locator('#p2').inputValue(), 'two')
      assert.equal(new URL(page.url()).pathname, '/make/polynym/')
      assert.equal((await site.ask('/api/polynym/?name=Half+of+it')).json.count, 0)
      assert.deepEqual(complaints, [])
      await page.context().close()
    }
  })

  test('every form is accessible', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/make/quadranym/?name=umbrella')
    assert.deepEqual(await faultsOf(page), [], 'signed out')
    await signUp(page, 'tia')
    const wrong = await page.request.post('/api/quadranym/', { data: {} })
    assert.equal(wrong.status(), 403)
    for (const address of [
      '/make/',
      ...KINDS.map((kind) => `/make/${kind}/`),
      '/make/quadranym/table/',
      '/make/quadranym/1/',
      '/make/story/?from=1',
      '/make/tale/?from=1',
      '/make/polyset/?from=1',
    ]) {
      await page.goto(address)
      assert.deepEqual(await faultsOf(page), [], address)
      assert.ok((await widthOf(page)) <= 360, address)
    }
    await page.goto('/make/quadranym/?pos=noun&name=door')
    await page.getByRole('button', { name: 'Make it' }).click()
    assert.deepEqual(await faultsOf(page), [], 'with faults')
    assert.deepEqual(expected(complaints), [])
    assert.deepEqual(site.bugs, [])
    await page.context().close()
  })
})
