/** The ceiling: node:http that writes one constant buffer with constant headers, or a constant 304. PORT ANSWER.json */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { KeptAnswer } from '../speed/answer.ts'

const [port, file] = process.argv.slice(2)
const { lines, unchanged, etag, body: encoded }: KeptAnswer = JSON.parse(readFileSync(file!, 'utf8'))
const body = Buffer.from(encoded, 'base64')

const server = createServer((request, response) => {
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, unchanged)
    response.end()
  } else {
    response.writeHead(200, lines)
    response.end(body)
  }
})
server.keepAliveTimeout = 65_000
server.listen(Number(port), '127.0.0.1')
