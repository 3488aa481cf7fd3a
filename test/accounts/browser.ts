/** A visitor with a browser: keeps cookies, and submits forms as their pages built them. */
import assert from 'node:assert/strict'
import type { Reply, Sent, Site } from '../support/site.ts'

export const PASSWORD = 'a good password'

export class Browser {
  readonly #site: Site
  readonly cookies = new Map<string, string>()

  constructor(site: Site) {
    this.#site = site
  }

  async ask(path: string, sent: Sent = {}): Promise<Reply> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const headers = { accept: 'text/html', ...(cookie ? { cookie } : {}), ...sent.headers }
    const reply = await this.#site.ask(path, { ...sent, headers })
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/; Max-Age=0;/.test(line)) this.cookies.delete(name!)
      else this.cookies.set(name!, value!)
    }
    return reply
  }

  /** The CSRF token in the forms of a page. */
  async tokenOn(path: string): Promise<string> {
    const { status, text } = await this.ask(path)
    assert.equal(status, 200)
    return tokenIn(text)
  }

  /** Opens a page, fills in its form and sends it. */
  async submit(path: string, form: Readonly<Record<string, string>>, sent: Sent = {}): Promise<Reply> {
    const csrfmiddlewaretoken = await this.tokenOn(path)
    return await this.ask(path, {
      method: 'POST',
      form: { csrfmiddlewaretoken, ...form },
      ...sent,
      headers: { origin: this.#site.base, ...sent.headers },
    })
  }
}

/** All forms of a page have the same token. */
export function tokenIn(page: string): string {
  const tokens = Array.from(page.matchAll(/name="csrfmiddlewaretoken" value="([^"]+)"/g), ([, token]) => token!)
  assert.equal(new Set(tokens).size, 1)
  return tokens[0]!
}

/** Signs up over HTTP like a program; the response has the session cookie. */
export async function signUp(site: Site, username: string, password = PASSWORD): Promise<Reply> {
  const reply = await site.ask('/accounts/signup/', { method: 'POST', json: { username, password } })
  assert.equal(reply.status, 201, reply.text)
  return reply
}

/** A browser that has just signed up. */
export async function signedUp(site: Site, username: string): Promise<Browser> {
  const browser = new Browser(site)
  const reply = await browser.submit('/accounts/signup/', { username, password: PASSWORD })
  assert.equal(reply.status, 201, reply.text)
  return browser
}

export function basic(username: string, password = PASSWORD): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}
