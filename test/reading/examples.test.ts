/** The examples of docs/api.md: runs each `$ curl` that only reads, and compares the response. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { addWinners } from '../support/winners.ts'

interface Example {
  readonly command: string
  readonly method: string
  readonly headers: Record<string, string>
  readonly path: string
  /** As printed: wrapped, and with ... for omitted parts. */
  readonly output: string
}

const COMMAND = /^curl((?: -i| -I| -H '[^']*')*) '?http:\/\/localhost:8000(\/[^' ]*)'?$/

function examplesOf(document: string): Example[] {
  const blocks = Array.from(document.matchAll(/^```\n(\$ .*?)^```$/gms), ([, block]) => block!)
  return blocks
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .flatMap((each) => {
      const [command = '', output = ''] = each.split(/\n(.*)/s)
      const [, options, path] = COMMAND.exec(command) ?? []
      if (options === undefined || path === undefined) return []
      const given = Array.from(
        options.matchAll(/-H '([^:]*): ([^']*)'/g),
        ([, name, value]) => [name!, value!] as const,
      )
      const headers = {
        accept: '*/*',
        ...Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value])),
      }
      return [{ command, method: options.includes('-I') ? 'HEAD' : 'GET', headers, path, output }]
    })
}

/** Line breaks of the page are not those of the answer, so spacing is left aside. */
function asPrinted(printed: string): RegExp {
  const parts = printed.replace(/\s+/g, '').split('...')
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`, 's')
}

const examples = examplesOf(readFileSync('docs/api.md', 'utf8'))

onEachEngine('Examples of the documentation', {}, (site) => {
  before(() => addWinners(site))
  after(() => assert.deepEqual(site.bugs, []))

  test('{examples.real} there are examples', () => assert.ok(examples.length >= 7))

  for (const { command, method, headers, path, output } of examples) {
    test(`{examples.real} ${command}`, async () => {
      const reply = await site.ask(path, { method, headers: { ...headers, host: 'localhost:8000' } })
      if (!/ -[iI] /.test(command)) return assert.match(reply.text.replace(/\s+/g, ''), asPrinted(output))
      // Some of the headers are shown; a long one continues in lines that begin with a space.
      for (const line of output.trimEnd().split(/\n(?! )/)) {
        const [name = '', value = ''] = line.split(/: (.*)/s)
        if (name.startsWith('HTTP/')) assert.equal(reply.status, Number(line.split(' ')[1]))
        else assert.match(String(reply.headers[name.toLowerCase()]).replace(/\s+/g, ''), asPrinted(value))
      }
      return undefined
    })
  }
})
