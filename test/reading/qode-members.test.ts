/** Tokens in the texts that clients read, and the members computed from tokens. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'

onEachEngine('Tokens in qode', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const quadranyms: number[] = []
  before(async () => {
    for (let i = 1; i <= 12; i++) {
      const { json } = await site.ask('/api/quadranym/', { method: 'POST', as: 'gus', json: { name: `topic ${i}` } })
      quadranyms.push(json.quadranym_id)
    }
  })

  /** Sends a record to the server, and reads it back. */
  async function stored(collection: string, members: object): Promise<any> {
    const { status, text, headers } = await site.ask(`/api/${collection}/`, {
      method: 'POST',
      as: 'gus',
      json: members,
    })
    assert.equal(status, 201, text)
    return (await site.ask(headers.location!.slice(site.base.length))).json
  }
  const fortune = (body: string, qode: string, topics = 1) =>
    stored('fortune', { body, qode, q1: quadranyms.slice(0, topics) })
  const fable = (qode: string) => stored('fable', { name: 'a fable', qode })
  const phrase = (qode: string) => stored('phrase', { name: 'a phrase', qode })
  const quote = (body: string, qode: string) => stored('quote', { body, qode, quadranym: quadranyms[0], src: 'Gus' })

  test('{qode.token} a token is q, an index, one of five slots, _ and a tag', async () => {
    const qode = 'The q1n_NN, q1e_VBG; (q2r_JJ) and q10o_NNS: half-q3s_RP.'
    const { subs, length, width, qode: read } = await fable(qode)
    assert.deepEqual({ subs, length, width, read }, { subs: 'neros', length: 10, width: 5, read: qode })
  })

  test('{qode.boundary} {qode.plain} what only looks like a token is text, and stays unchanged', async () => {
    for (const lookalike of [
      'xq1e_NN',
      'q1e_NNs',
      'q1e_NN2',
      '_q1e_NN',
      'éq1e_NN',
      'q1e_NNé',
      'q0e_NN',
      'q01e_NN',
      'q1x_NN',
      'q1E_NN',
      'q1e_nn',
      'q1e-NN',
      'q1e_',
      'qe_NN',
      'q1_NN',
    ]) {
      const { qode, subs, depth } = await fortune(`${lookalike} thing`, `${lookalike} q1n_NN`)
      assert.deepEqual([qode, subs, depth], [`${lookalike} q1n_NN`, 'n', 1])
    }
  })

  test('{qode.caret} a caret instead of _ makes a token', async () => {
    const { qode, subs } = await fortune('the Thing of things', 'the q1n^NN of q1e_NNS')
    assert.deepEqual([qode, subs], ['the q1n^NN of q1e_NNS', 'ne'])
  })

  test('{qode.capital-q} a capital Q is stored and sent as a caret', async () => {
    const { qode, subs } = await fortune('my Thing', 'my Q1n_NN')
    assert.deepEqual([qode, subs], ['my q1n^NN', 'n'])
    assert.equal((await fable('my Q1n_NN and Q2r^VB')).qode, 'my q1n^NN and q2r^VB')
  })

  test('{qode.untagged} without a tag it is a token in a phrase and a fable, text in a fortune and a quote', async () => {
    const { subs, width } = await phrase('from q1e to q1r, and q1n_NN')
    assert.deepEqual([subs, width], ['ern', 3])
    const told = await fable('from q1e to q2r')
    assert.deepEqual([told.subs, told.length, told.width], ['er', 2, 2])
    const said = await fortune('from q1e to q2r goes a thing', 'from q1e to q2r goes a q1n_NN')
    assert.deepEqual([said.qode, said.subs, said.depth], ['from q1e to q2r goes a q1n_NN', 'n', 1])
    const quoted = await quote('from q1e to a thing', 'from q1e to a q1n_NN')
    assert.deepEqual([quoted.qode, quoted.subs, quoted.width], ['from q1e to a q1n_NN', 'n', 1])
  })

  test('{qode.subs} {qode.width} subs are the slots in text order, width is their number', async () => {
    const { subs, width } = await quote('a b c d, and e', 'q1s_NN q1n_NN q1s^NN q1e_VB, and q1r_NN')
    assert.deepEqual([subs, width], ['snser', 5])
  })

  test('{qode.depth} depth of a fortune is the highest index, as a number', async () => {
    const words = Array.from({ length: 12 }, (_, i) => `word${i + 1}`)
    const tokens = words.map((_, i) => `q${i + 1}e_NN`)
    const { depth, subs, q1 } = await fortune(words.join(' '), tokens.join(' '), 12)
    assert.deepEqual([depth, subs, q1.length], [12, 'e'.repeat(12), 12])
  })

  test('{fortune.q1-q2} two tokens make it q2, one makes it q1', async () => {
    const { qode, q1, q2 } = await fortune('one two three', 'q1e_NN q2e_NN q2r_NN', 2)
    assert.equal(qode, 'q2e_NN q1e_NN q1r_NN')
    const ids = (list: any[]) => list.map(({ quadranym_id }) => quadranym_id)
    assert.deepEqual([ids(q1), ids(q2)], [[quadranyms[0]], [quadranyms[1]]])
  })

  test('{qode.words} each token matches one word of body, and the rest is the same except for spacing', async () => {
    const spaced = (text: string) => [...text.replace(/\s/g, '')].map((each) => RegExp.escape(each)).join('\\s*')
    for (const collection of ['fortune', 'quote']) {
      const { json } = await site.ask(`/api/${collection}/?page_size=1000`)
      const tagged = json.results.filter(({ subs }: any) => subs !== '')
      assert.ok(tagged.length > 50)
      for (const { body, qode } of tagged) {
        const texts = qode.split(/\bq[1-9][0-9]*[neros][_^][A-Z]+\b/)
        const pattern = texts.map(spaced).join("\\s*[\\p{L}\\p{M}\\p{N}'’_-]+\\s*")
        assert.match(body, new RegExp(`^${pattern}$`, 'u'))
      }
    }
    const { body, qode } = await fortune("Don't stop !", "Do n't q1n_VB!")
    assert.deepEqual([body, qode], ["Don't stop !", "Do n't q1n_VB!"])
  })

  test('{phrase.one-topic} {phrase.break} a phrase has one topic, and only the one named - has none', async () => {
    const give = (members: object) => site.ask('/api/phrase/', { method: 'POST', as: 'gus', json: members })
    const two = await give({ name: 'two', qode: 'q1e_NN and q2e_NN' })
    assert.deepEqual([two.status, two.json], [400, { qode: ['Too many topics!'] }])
    const none = await give({ name: 'none', qode: 'no topic at all' })
    assert.deepEqual([none.status, none.json], [400, { qode: ['Needs at least one token.'] }])
    const { subs, width } = await stored('phrase', { name: '-', qode: '* * *' })
    assert.deepEqual([subs, width], ['', 0])
  })

  test('{polymap.relations} {polymap.rows} the relations are those of ConceptNet, and terms may contain commas', async () => {
    const relations = `RelatedTo FormOf IsA PartOf HasA UsedFor CapableOf AtLocation Causes HasSubevent HasFirstSubevent
      HasLastSubevent HasPrerequisite HasProperty MotivatedByGoal ObstructedBy Desires CreatedBy Synonym Antonym
      DistinctFrom DerivedFrom SymbolOf DefinedAs MannerOf LocatedNear HasContext SimilarTo EtymologicallyRelatedTo
      EtymologicallyDerivedFrom CausesDesire MadeOf ReceivesAction NotDesires NotUsedFor NotCapableOf NotHasProperty
      InstanceOf Entails`.split(/\s+/)
    const terms = { mode: 'part', p1: 'bread, fresh', p2: 'salt' }
    const { polynym_id } = await stored('polynym', { name: 'for relations', ...terms })
    const rowsOf = (names: readonly string[]) =>
      Object.fromEntries(names.map((relation, i) => [`r${i + 1}`, `bread, fresh,${relation},salt`]))
    for (let from = 0; from < relations.length; from += 12) {
      const rows = rowsOf(relations.slice(from, from + 12))
      const given = { name: `from ${from}`, pa: polynym_id, pb: polynym_id, ...rows }
      const { name, user, pa, pb, polymap_id, ...read } = await stored('polymap', given)
      assert.deepEqual(read, rows)
    }
    for (const relation of ['Likes', 'isa', '', 'IsA,HasA']) {
      const given = { name: 'wrong', pa: polynym_id, pb: polynym_id, ...rowsOf([relation]) }
      assert.equal((await site.ask('/api/polymap/', { method: 'POST', as: 'gus', json: given })).status, 400)
    }
  })
})
