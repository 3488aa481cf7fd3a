/** Hono that sends cached bytes from a Map. PORT ANSWERS.json, an object from address to the file of its response */
import { readFileSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { KeptAnswer } from '../speed/answer.ts'

const [port, file] = process.argv.slice(2)
const kept = new Map<string, { readonly body: Uint8Array<ArrayBuffer>; readonly headers: Record<string, string> }>()
for (const [target, answer] of Object.entries<string>(JSON.parse(readFileSync(file!, 'utf8')))) {
  const { lines, body }: KeptAnswer = JSON.parse(readFileSync(answer, 'utf8'))
  const headers: Record<string, string> = {}
  for (let i = 0; i < lines.length; i += 2) headers[lines[i]!] = lines[i + 1]!
  kept.set(target, { body: new Uint8Array(Buffer.from(body, 'base64')), headers })
}

const app = new Hono()
app.get('/api/*', (context) => {
  const found = kept.get(context.req.url.slice(context.req.url.indexOf('/', 8)))
  return found ? context.body(found.body, 200, found.headers) : context.notFound()
})
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' })
