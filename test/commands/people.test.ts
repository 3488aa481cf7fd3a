/** nymdex user, token, report and hidden, while a server runs on the same database. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { type StartedServer, startServer } from '../../src/cli/index.ts'
import { BIN, ended, runCommand } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'

const PASSWORD = 'a good password'

for (const engine of ENGINES) {
  describe(`People (${engine})`, () => {
    let database: FreshDatabase
    let server: StartedServer
    let url = ''

    const environment = () => ({ PATH: process.env['PATH'], PORT: '0', DATABASE_URL: database.url })

    /** Runs the command, which must succeed, and returns what it printed. */
    async function works(args: readonly string[], input?: string): Promise<string> {
      const { code, out, err } = await runCommand(args, environment(), input)
      assert.deepEqual({ code, err }, { code: 0, err: '' })
      return out
    }

    /** Runs the command, which must fail with one line and exit code 1. */
    async function fails(args: readonly string[], input?: string): Promise<string> {
      const { code, out, err } = await runCommand(args, environment(), input)
      assert.deepEqual({ code, out }, { code: 1, out: '' })
      assert.match(err, /^nymdex: [^\n]+\n$/)
      return err.slice('nymdex: '.length, -1)
    }

    const add = (name: string, ...options: string[]) =>
      works(['user', 'add', name, '--password-stdin', ...options], `${PASSWORD}\n`)

    const whoami = async (authorization: string): Promise<string> =>
      await (await fetch(`${url}accounts/`, { headers: { authorization } })).text()
    const basic = (name: string, password = PASSWORD) =>
      `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
    const WRONG = '{"detail":"Invalid username/password."}'

    before(async () => {
      database = await freshDatabase(engine, { sample: false, tables: true })
      server = await startServer({ databaseUrl: database.url, port: 0, sample: false })
      url = server.address
    })
    after(async () => {
      await server.close()
      await database.drop()
    })

    test('user add creates a user who can sign in at once, staff or not', async () => {
      assert.equal(await works(['user', 'add', 'Ada', '--password-stdin'], PASSWORD), 'added Ada\n')
      assert.equal(await add('sam', '--staff'), 'added sam (staff)\n')
      assert.equal(await whoami(basic('ada')), '{"username":"Ada","staff":false}')
      assert.equal(await whoami(basic('sam')), '{"username":"sam","staff":true}')
    })

    test('the operator may use a name under which nobody can sign up', async () => {
      assert.equal(await add('admin'), 'added admin\n')
      assert.equal(await works(['user', 'remove', 'admin']), 'removed admin\n')
    })

    test('a password from standard input loses its last line end and nothing else', async () => {
      assert.equal(await works(['user', 'add', 'edgy', '--password-stdin'], ' two  spaces \r\n'), 'added edgy\n')
      assert.equal(await whoami(basic('edgy', ' two  spaces ')), '{"username":"edgy","staff":false}')
      assert.equal(await works(['user', 'remove', 'edgy']), 'removed edgy\n')
    })

    test('errors about a new user are one line', async () => {
      const refused = async (name: string, input: string) =>
        await fails(['user', 'add', '--password-stdin', '--', name], input)
      assert.equal(await refused('ADA', PASSWORD), 'A user with that username already exists.')
      assert.equal(
        await refused('a b', 'short'),
        'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters. ' +
          'This password is too short. It must contain at least 10 characters.',
      )
      assert.match(await refused('..', PASSWORD), /^Enter a valid username\. This value must contain a letter /)
      assert.equal(await refused('carl', 'password1234\n'), 'This password is too common.')
      assert.equal(await refused('carl', '\n'), 'standard input has no password')
      assert.equal(await refused('carl', ''), 'standard input has no password')
    })

    test('a password is never taken from the arguments, and from standard input only with the option', async () => {
      const unasked = 'give the password with --password-stdin, or run this at a terminal'
      for (const args of [
        ['user', 'add', 'carl'],
        ['user', 'passwd', 'ada'],
      ]) {
        assert.equal(await fails(args, PASSWORD), unasked)
        assert.match(await fails([...args, PASSWORD, '--password-stdin'], PASSWORD), /^too many arguments/)
        assert.match(await fails([...args, '--password', PASSWORD], PASSWORD), /^unknown option '--password'/)
      }
    })

    test('user list shows all users by name, and what they are', async () => {
      const polynym = { name: 'coat', mode: 'part', p1: 'sleeve', p2: 'collar' }
      const headers = { authorization: basic('ada'), 'content-type': 'application/json' }
      await fetch(`${url}api/polynym/`, { method: 'POST', headers, body: JSON.stringify(polynym) })
      assert.equal(await works(['user', 'list']), 'Ada\tuser\nadmin\tremoved\nedgy\tremoved\nsam\tstaff\n')
    })

    test('user rename changes the name of a user, everywhere and at once in the running server', async () => {
      await add('rex')
      await add('una')
      const token = `Token ${(await works(['token', 'create', 'rex'])).trim()}`
      const send = async (method: string, path: string, authorization: string, body?: object) => {
        const headers = { authorization, 'content-type': 'application/json' }
        const sent = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
        return await fetch(`${url}api/${path}`, sent)
      }
      const polynym = { name: 'renamed', mode: 'part', p1: 'sleeve', p2: 'collar' }
      const other = { ...polynym, name: 'another' }
      const { polynym_id: id } = (await (await send('POST', 'polynym/', token, polynym)).json()) as any
      const { polynym_id: voted } = (await (await send('POST', 'polynym/', basic('una'), other)).json()) as any
      await send('POST', `polynym/${voted}/vote/`, token)
      await send('POST', 'polyset/', basic('una'), { name: 'both', polynyms: [id, voted] })
      const mine = { name: 'mine', polynyms: [id] }
      assert.equal((await send('POST', 'polyset/', token, mine)).status, 201)
      const paths = ['polynym/', `polynym/${id}/`, `polynym/${voted}/`, 'polyset/', 'polynym/facets/?by=user']
      const read = async (): Promise<string[]> => {
        const texts: string[] = []
        for (const path of [...paths, ...paths]) texts.push(await (await fetch(`${url}api/${path}`)).text())
        return texts
      }
      const count = async (user: string) =>
        ((await (await fetch(`${url}api/polynym/?user=${user}`)).json()) as { count: number }).count
      const before = await read()
      for (const text of before) assert.match(text, /"rex"/)
      assert.deepEqual([await count('rex'), await count('roy')], [1, 0])
      assert.equal(await fails(['user', 'rename', 'rex', 'UNA']), 'A user with that username already exists.')
      assert.equal(await fails(['user', 'rename', 'rex', 'un\u0251']), 'A user with that username already exists.')
      assert.match(await fails(['user', 'rename', 'rex', 'r x']), /^Enter a valid username/)
      assert.equal(await works(['user', 'rename', 'rex', 'roy']), 'rex is called roy now\n')
      const expected = before.map((text) => text.replaceAll('"rex"', '"roy"').replaceAll('user=rex', 'user=roy'))
      assert.deepEqual(await read(), expected)
      assert.deepEqual([await count('rex'), await count('roy')], [0, 1])
      assert.equal(await whoami(token), '{"username":"roy","staff":false}')
      assert.equal(await whoami(basic('roy')), '{"username":"roy","staff":false}')
      assert.equal(await whoami(basic('rex')), WRONG)
      // The name in a record means its owner, whatever the owner is called.
      assert.equal((await send('POST', 'polyset/', token, mine)).status, 400)
      await add('rex')
      assert.equal((await send('POST', 'polyset/', basic('rex'), mine)).status, 201)
      for (const name of ['rex', 'roy', 'una']) await works(['user', 'remove', name])
    })

    test('{auth.at-once} user passwd sets a new password, and the old one stops working in the running server', async () => {
      assert.equal(await whoami(basic('ada')), '{"username":"Ada","staff":false}')
      const login = await fetch(`${url}accounts/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'ada', password: PASSWORD }),
      })
      const cookie = login.headers.getSetCookie()[0]!.split(';', 1)[0]!
      const withCookie = async () => (await fetch(`${url}accounts/`, { headers: { cookie } })).status
      assert.equal(await withCookie(), 200)
      const token = `Token ${(await works(['token', 'create', 'ada'])).trim()}`
      const kept = await works(['user', 'passwd', 'ada', '--password-stdin', '--keep-tokens'], 'yet another one\n')
      assert.equal(kept, 'changed the password of Ada\n')
      assert.equal(await whoami(token), '{"username":"Ada","staff":false}')
      const changed = await works(['user', 'passwd', 'ADA', '--password-stdin'], 'another password\n')
      assert.equal(changed, 'changed the password of Ada and revoked 1 token\n')
      assert.equal(await whoami(token), '{"detail":"Invalid token."}')
      assert.equal(await whoami(basic('ada')), WRONG)
      assert.equal(await withCookie(), 401)
      assert.equal(await whoami(basic('ada', 'another password')), '{"username":"Ada","staff":false}')
      assert.equal(
        await fails(['user', 'passwd', 'ada', '--password-stdin'], 'ada\n'),
        'This password is too short. It must contain at least 10 characters. The password is the same as the username.',
      )
      await works(['user', 'passwd', 'ada', '--password-stdin'], PASSWORD)
      assert.equal(await whoami(basic('ada')), '{"username":"Ada","staff":false}')
    })

    test('user recovery-codes prints codes that let the user choose a new password', async () => {
      const codes = (await works(['user', 'recovery-codes', 'ADA'])).trim().split('\n')
      assert.equal(codes.length, 8)
      const recovered = await fetch(`${url}accounts/recover/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'ada', code: codes[3], new_password: 'yet another one' }),
      })
      assert.deepEqual([recovered.status, await recovered.json()], [200, { username: 'Ada' }])
      await works(['user', 'passwd', 'ada', '--password-stdin'], PASSWORD)
      assert.equal(await fails(['user', 'recovery-codes', 'nobody'], ''), 'there is no user "nobody"')
    })

    test('user sign-out ends sessions, and user reset locks everybody out and prints a code for the owner', async () => {
      const post = (path: string, json: object) =>
        fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(json),
        })
      const signedIn = await post('accounts/login/', { username: 'ada', password: PASSWORD })
      const [cookie = ''] = signedIn.headers.getSetCookie().map((each) => each.split(';')[0])
      const inSession = async () => (await fetch(`${url}accounts/`, { headers: { cookie } })).status
      assert.equal(await inSession(), 200)
      assert.equal(await works(['user', 'sign-out', 'ADA']), 'Ada is signed out everywhere\n')
      assert.equal(await inSession(), 401)
      const code = (await works(['user', 'reset', 'ada'])).trim()
      assert.equal(await whoami(basic('ada')), WRONG)
      const recovered = await post('accounts/recover/', { username: 'ada', code, new_password: PASSWORD })
      assert.equal(recovered.status, 200)
      assert.equal(await whoami(basic('ada')), '{"username":"Ada","staff":false}')
      assert.equal(await fails(['user', 'reset', 'nobody']), 'there is no user "nobody"')
    })

    test('report lists and settles what people report, and hidden lists what staff have hidden', async () => {
      const send = async (path: string, method: string, json: object) => {
        const headers = { 'content-type': 'application/json', authorization: basic('sam') }
        return await (await fetch(url + path, { method, headers, body: JSON.stringify(json) })).json()
      }
      const { queue_id: id } = (await send('api/queue/', 'POST', { name: 'buy this' })) as { queue_id: number }
      const report = { resource: 'queue', id, reason: 'spam', note: 'It\nsells.' }
      const { id: number, at } = (await send('api/report/', 'POST', report)) as { id: number; at: string }
      const line = `${number}\t${at}\tqueue ${id}\tspam\tsam\tIt sells.\n`
      assert.equal(await works(['report', 'list']), line)
      assert.equal(await works(['report', 'done', String(number)]), `settled report ${number}\n`)
      assert.deepEqual([await works(['report', 'list']), await works(['report', 'list', '--done'])], ['', line])
      assert.equal(await works(['report', 'open', String(number)]), `opened report ${number} again\n`)
      assert.equal(await fails(['report', 'done', '0x1']), 'there is no report 0x1')
      assert.equal(await works(['hidden']), '')
      await fetch(`${url}api/queue/${id}/`, { method: 'DELETE', headers: { authorization: basic('sam') } })
      await send('api/hidden/', 'PUT', { resource: 'queue', id, hidden: true })
      assert.match(await works(['hidden']), new RegExp(`^queue ${id}\t\\d{4}-[^\t]+Z\tsam\tbuy this\n$`))
    })

    test('{may.staff} user staff grants and revokes staff rights, at once', async () => {
      assert.equal(await works(['user', 'staff', 'ada', 'on']), 'Ada is staff now\n')
      assert.equal(await whoami(basic('ada')), '{"username":"Ada","staff":true}')
      assert.equal(await works(['user', 'staff', 'ada', 'off']), 'Ada is not staff now\n')
      assert.equal(await whoami(basic('ada')), '{"username":"Ada","staff":false}')
      assert.equal(await fails(['user', 'staff', 'ada', 'perhaps']), '"perhaps" is not on or off')
    })

    test('{auth.at-once} token create prints a key that works at once; revoked, it does not', async () => {
      const plain = await works(['token', 'create', 'ada'])
      assert.match(plain, /^[0-9a-f]{40}\n$/)
      const named = await works(['token', 'create', 'ADA', '--name', 'backup job', '--days', '30'])
      assert.equal(await whoami(`Token ${plain.trim()}`), '{"username":"Ada","staff":false}')
      const list = await works(['token', 'list', 'ada'])
      const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'
      const lines = new RegExp(
        `^(\\d+)\tcommand line\tmade ${time}\texpires never\tused ${time}\n` +
          `(\\d+)\tbackup job\tmade ${time}\texpires ${time}\tused never\n$`,
      )
      const [, first, second] = lines.exec(list)!
      assert.equal(await works(['token', 'revoke', 'ada', first!]), `revoked token ${first} of Ada\n`)
      assert.equal(await whoami(`Token ${plain.trim()}`), '{"detail":"Invalid token."}')
      assert.equal(await whoami(`Bearer ${named.trim()}`), '{"username":"Ada","staff":false}')
      assert.equal(await fails(['token', 'revoke', 'ada', first!]), `Ada has no token ${first}`)
      assert.equal(await fails(['token', 'revoke', 'sam', second!]), `sam has no token ${second}`)
    })

    test('an invalid number of days, or an unknown token number, is reported in one line', async () => {
      for (const days of ['0', '-1', '1.5', 'soon', '99999']) {
        const message = await fails(['token', 'create', 'ada', `--days=${days}`])
        assert.equal(message, `--days: "${days}" is not a whole number of days`)
      }
      for (const id of ['x', '1.5', '1e30']) {
        assert.equal(await fails(['token', 'revoke', 'ada', id]), `Ada has no token ${id}`)
      }
    })

    test('the name of a token cannot break the lines of the list', async () => {
      const headers = { authorization: basic('sam'), 'content-type': 'application/json' }
      const body = JSON.stringify({ name: 'nice\u001b[2J\n99\tforged' })
      await fetch(`${url}accounts/tokens/`, { method: 'POST', headers, body })
      const list = await works(['token', 'list', 'sam'])
      assert.ok(list.split('\n').length <= 2, list)
      assert.equal(list.includes('\u001b'), false)
    })

    test('{auth.at-once} user remove revokes all access of the user; the name stays taken', async () => {
      await add('gone')
      const key = (await works(['token', 'create', 'gone'])).trim()
      assert.equal(await whoami(basic('gone')), '{"username":"gone","staff":false}')
      assert.equal(await works(['user', 'remove', 'GONE']), 'removed gone\n')
      assert.equal(await whoami(basic('gone')), WRONG)
      assert.equal(await whoami(`Token ${key}`), '{"detail":"Invalid token."}')
      const again = await fails(['user', 'add', 'Gone', '--password-stdin'], PASSWORD)
      assert.equal(again, 'A user with that username already exists.')
      for (const args of [
        ['user', 'remove', 'gone'],
        ['user', 'staff', 'gone', 'on'],
        ['token', 'create', 'gone'],
        ['token', 'list', 'gone'],
      ]) {
        assert.equal(await fails(args), 'the user "gone" was removed')
      }
      assert.equal(await fails(['user', 'passwd', 'gone', '--password-stdin'], PASSWORD), 'the user "gone" was removed')
    })

    test('an unknown user is reported in one line', async () => {
      for (const args of [
        ['user', 'remove', 'nobody'],
        ['user', 'staff', 'nobody', 'on'],
        ['token', 'create', 'nobody'],
        ['token', 'list', 'nobody'],
        ['token', 'revoke', 'nobody', '1'],
      ]) {
        assert.equal(await fails(args), 'there is no user "nobody"')
      }
    })

    test('--database-url names the database, and one that cannot be used is reported in one line', async () => {
      const { DATABASE_URL: _, ...without } = environment()
      const child = spawn(process.execPath, [BIN, 'user', 'list', '--database-url', database.url], { env: without })
      const { code, out } = await ended(child)
      assert.equal(code, 0)
      assert.match(out, /^Ada\tuser\n/)
      assert.match(
        await fails(['user', 'list', '--database-url', 'mysql://x']),
        /^--database-url: "mysql:\/\/x" is not /,
      )
      assert.match(
        await fails(['user', '--database-url', 'postgres://127.0.0.1:1/x', 'list']),
        /nothing listens there$/,
      )
    })

    // util-linux's script gives the command a terminal of its own.
    if (spawnSync('script', ['--version']).stdout?.includes('util-linux')) {
      const terminal = (line: string) => {
        const command = `'${process.execPath}' '${BIN}' ${line}`
        return spawn('script', ['-qec', command, '/dev/null'], { env: { ...environment(), SHELL: '/bin/sh' } })
      }

      test('at a terminal the password is asked for twice and not shown', async () => {
        const child = terminal('user add typed')
        const finished = ended(child)
        await answer(child, 'Password: ', 'a typed password\r')
        await answer(child, 'Again: ', 'a typed password\r')
        const { code, out } = await finished
        assert.equal(out.replaceAll('\r', ''), 'Password: \nAgain: \nadded typed\n')
        assert.equal(code, 0)
        assert.equal(await whoami(basic('typed', 'a typed password')), '{"username":"typed","staff":false}')
      })

      test('at a terminal two different passwords change nothing', async () => {
        const child = terminal('user passwd typed')
        const finished = ended(child)
        await answer(child, 'Password: ', 'another password\r')
        await answer(child, 'Again: ', 'yet another one\r')
        const { code, out } = await finished
        assert.equal(out.replaceAll('\r', ''), 'Password: \nAgain: \nnymdex: the two passwords differ\n')
        assert.equal(code, 1)
        assert.equal(await whoami(basic('typed', 'a typed password')), '{"username":"typed","staff":false}')
      })

      test('at a terminal Ctrl-C and Ctrl-D cancel, with one line and without a trace', async () => {
        for (const key of ['\u0003', '\u0004']) {
          const child = terminal('user add quitter')
          const finished = ended(child)
          await answer(child, 'Password: ', key)
          const { code, out } = await finished
          assert.match(out.replaceAll('\r', ''), /^Password: \n?(nymdex: [^\n]*\n)?$/)
          assert.ok(code === 1 || code === 130, `exit code ${code}`)
        }
      })
    }
  })
}

/** Types the answer when the prompt appears. */
function answer(child: ChildProcess, prompt: string, typed: string): Promise<void> {
  return new Promise((asked) => {
    let out = ''
    const listen = (chunk: Buffer) => {
      out += chunk
      if (!out.includes(prompt)) return
      child.stdout!.off('data', listen)
      child.stdin!.write(typed)
      asked()
    }
    child.stdout!.on('data', listen)
  })
}
