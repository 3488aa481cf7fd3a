/** Recovery by mail: addresses that are confirmed by a link, and links that set a new password. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { BadSetting, readSettings } from '../../src/cli/settings.ts'
import { Mailer } from '../../src/engine/index.ts'
import { Site } from '../support/site.ts'
import { SmtpServer } from '../support/smtp.ts'
import { Browser, basic, PASSWORD, signUp } from './browser.ts'

const NEW = 'a new good password'
const SENT = { detail: 'If this account has a confirmed email address, a link is on its way to it.' }
const BASE = 'http://nymdex.example'

describe('Recovery by mail', () => {
  const smtp = new SmtpServer()
  let site: Site
  before(async () => {
    await smtp.start()
    const mail = { url: smtp.url, from: 'nymdex@nymdex.example' }
    site = new Site('SQLite', { sample: false, settings: { mail, baseUrl: BASE } })
    await site.start()
  })
  after(async () => {
    await site.stop()
    await smtp.stop()
    assert.deepEqual(site.bugs, [])
  })

  const post = (path: string, json: unknown, headers = {}) => site.ask(path, { method: 'POST', json, headers })
  const linkIn = (data: string) => {
    // Long lines are sent as quoted-printable.
    const plain = data.replaceAll('=\n', '').replaceAll('=3D', '=')
    return /http:\/\/nymdex\.example(\/accounts\/\S+\?token=([A-Za-z0-9_-]{43}))/.exec(plain)!
  }

  test('{mail.address} an address counts once it is confirmed, with a button and not by opening the link', async () => {
    const browser = new Browser(site)
    const own = { headers: { origin: BASE } }
    const form = { username: 'ada', password: PASSWORD, email: 'ada@example.org' }
    const joined = await browser.submit('/accounts/signup/', form, own)
    assert.equal(joined.status, 201, joined.text)
    const { from, to, data } = await smtp.mail(0)
    assert.deepEqual([from, to], ['nymdex@nymdex.example', ['ada@example.org']])
    assert.match(data, /^Subject: Confirm your email address$/m)
    assert.match(data, /^Auto-Submitted: auto-generated$/m)
    const [, path, token] = linkIn(data)
    const asked = await post('/accounts/recover/mail/', { username: 'ada' })
    assert.deepEqual([asked.status, asked.json], [200, SENT])
    assert.match((await browser.ask(path!)).text, new RegExp(`name="token" value="${token}"`))
    assert.match((await browser.ask('/accounts/')).text, /Email address<\/a><\/b><p>None\./)
    const confirmed = await browser.submit(path!, { token: token! }, own)
    assert.deepEqual([confirmed.status, confirmed.headers.location], [303, '/accounts/'])
    assert.match((await browser.ask('/accounts/')).text, /ada@example\.org/)
    const again = await post('/accounts/mail/confirm/', { token })
    assert.deepEqual(again.json, { non_field_errors: ['This link is no longer valid. Ask for a new one.'] })
  })

  test('{mail.address} only one valid address is accepted, and only with the password', async () => {
    for (const email of [
      'nobody',
      'a@b@c.example',
      'a@example.org, b@example.org',
      'a@example.org\r\nBcc: b@example.org',
      '"a" <a@example.org>',
      `${'a'.repeat(300)}@example.org`,
    ]) {
      const reply = await post('/accounts/mail/', { email, password: PASSWORD }, basic('ada'))
      assert.deepEqual([reply.status, reply.json], [400, { email: ['Enter a valid email address.'] }], email)
    }
    const wrong = await post('/accounts/mail/', { email: 'eve@example.org', password: 'x' }, basic('ada'))
    assert.deepEqual(wrong.json, { password: ['Your password was entered incorrectly.'] })
    assert.equal(smtp.mails.length, 1)
  })

  test('{mail.recover} a link sets a new password once; {mail.silent} nothing tells who has an account', async () => {
    const forged = { host: 'evil.example' }
    for (const username of ['nobody', 'ada']) {
      const reply = await post('/accounts/recover/mail/', { username }, forged)
      assert.deepEqual([reply.status, reply.json], [200, SENT])
    }
    const { to, data } = await smtp.mail(1)
    assert.deepEqual(to, ['ada@example.org'])
    assert.ok(!data.includes('evil'))
    const [, path, token] = linkIn(data)
    assert.equal((await site.ask(path!, { headers: { accept: 'text/html' } })).status, 200)
    const short = await post('/accounts/recover/link/', { token, new_password: 'short' })
    assert.deepEqual(Object.keys(short.json), ['new_password'])
    const tries = Array.from({ length: 4 }, () => post('/accounts/recover/link/', { token, new_password: NEW }))
    const replies = await Promise.all(tries)
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400, 400, 400])
    assert.equal((await site.ask('/accounts/', { headers: basic('ada', NEW) })).status, 200)
    assert.equal((await site.ask('/accounts/', { headers: basic('ada') })).status, 401)
  })

  test('{mail.recover} {recovery.use} who knew the old password keeps neither an address nor codes', async () => {
    await signUp(site, 'vic')
    const sent = async (path: string, json: object, headers = {}) => {
      const place = smtp.mails.length
      assert.equal((await post(path, json, headers)).status, 200)
      const { to, data } = await smtp.mail(place)
      return { to, token: linkIn(data)[2] }
    }
    const setAddress = (email: string, password: string) =>
      sent('/accounts/mail/', { email, password }, basic('vic', password))
    const confirm = (token: string | undefined) => post('/accounts/mail/confirm/', { token })
    const recover = (code: string) => post('/accounts/recover/', { username: 'vic', code, new_password: NEW })
    await confirm((await setAddress('eve@example.org', PASSWORD)).token)
    const { codes } = (await post('/accounts/recovery-codes/', { password: PASSWORD }, basic('vic'))).json
    const unconfirmed = await setAddress('eve@example.com', PASSWORD)
    assert.equal((await recover(codes[0])).status, 200)
    const late = await confirm(unconfirmed.token)
    assert.deepEqual(late.json, { non_field_errors: ['This link is no longer valid. Ask for a new one.'] })
    const account = await site.ask('/accounts/', { headers: { ...basic('vic', NEW), accept: 'text/html' } })
    assert.match(account.text, /Email address<\/a><\/b><p>None\./)
    await confirm((await setAddress('vic@example.org', NEW)).token)
    const { to, token } = await sent('/accounts/recover/mail/', { username: 'vic' })
    assert.deepEqual(to, ['vic@example.org'])
    assert.equal((await post('/accounts/recover/link/', { token, new_password: PASSWORD })).status, 200)
    assert.equal((await recover(codes[1])).status, 400)
    assert.deepEqual((await site.ask('/accounts/recovery-codes/', { headers: basic('vic') })).json, { left: 0 })
  })

  test('{mail.silent} a person gets three mails an hour', async () => {
    const before = smtp.mails.length
    for (let i = 0; i < 5; i++) await post('/accounts/recover/mail/', { username: 'ada' })
    await smtp.mail(before)
    const removed = await post('/accounts/mail/', { email: '', password: NEW }, basic('ada', NEW))
    assert.deepEqual(removed.json, { detail: 'Address removed.' })
    assert.equal(smtp.mails.length, before + 1)
  })
})

test('mail needs a server, a sender and a base URL, and no message shows the password', () => {
  const url = 'smtp://nymdex:secret@mail.example:587'
  const good = { NYMDEX_SMTP_URL: url, NYMDEX_MAIL_FROM: 'nymdex@mail.example', NYMDEX_BASE_URL: BASE }
  assert.deepEqual(readSettings(good).mail, { url, from: 'nymdex@mail.example' })
  assert.equal(readSettings({}).mail, undefined)
  for (const wrong of [
    { NYMDEX_SMTP_URL: 'http://nymdex:secret@mail.example' },
    { NYMDEX_SMTP_URL: 'smtp:nymdex:secret' },
    { NYMDEX_MAIL_FROM: '' },
    { NYMDEX_MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' },
    { NYMDEX_BASE_URL: '' },
  ]) {
    assert.throws(
      () => readSettings({ ...good, ...wrong }),
      (error) => error instanceof BadSetting && !error.message.includes('secret'),
      JSON.stringify(wrong),
    )
  }
})

test('a server that says something now and then, but never takes the mail, is disconnected', async () => {
  const server = createServer((socket) => {
    socket.write('220 hello\r\n')
    const dripping = setInterval(() => socket.write('250-wait\r\n'), 20)
    socket.on('error', () => {})
    socket.resume().once('close', () => {
      clearInterval(dripping)
      server.emit('left')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const left = once(server, 'left')
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mailer = new Mailer({ url, from: 'nymdex@site.example' }, 300)
  const mail = { to: 'ada@home.example', subject: 'Hello', text: 'Hello.' }
  await assert.rejects(mailer.send(mail), /a mail was not sent within 0\.3 seconds/)
  await left
  server.close()
})
