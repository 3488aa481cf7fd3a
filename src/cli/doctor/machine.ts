/** Checks what the server needs from the machine: Node, a port, and its own files. */
import { accessSync, constants, readdirSync } from 'node:fs'
import type { RequestOptions } from 'node:http'
import { Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { catalogue } from '../../catalogue/index.ts'
import { http } from '../../engine/index.ts'
import { tag } from '../../language/index.ts'
import type { Settings } from '../settings.ts'
import { type Finding, fail, ok, warn, wordsOf } from './finding.ts'

const TESTED_MAJOR = 24
const SAMPLE = new URL('../../../sample/', import.meta.url)
const PATIENCE_MS = 2000

export function checkNode(): Finding {
  const { node } = process.versions
  if (Number(node.split('.')[0]) === TESTED_MAJOR) return ok(`Node ${node} runs this`)
  return warn(`this is Node ${node}, and Nymdex is tested with Node ${TESTED_MAJOR}: npm ci installs it, npx uses it`)
}

export async function checkPort({ host, port, hosts }: Settings): Promise<Finding> {
  if (port === 0) return ok('a free port will be picked')
  const place = `port ${port} on ${host}`
  const code = await listenFor(host, port)
  if (code === undefined) return ok(`${place} is free`)
  if (code === 'EACCES') return fail(`${place} may not be used: it needs special rights, set PORT to 1024 or more`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return fail(`HOST: this machine has no address ${host}: set it to one that it has, such as 127.0.0.1 or 0.0.0.0`)
  }
  if (code !== 'EADDRINUSE') return fail(`${place} cannot be used: ${code}`)
  const status = await nymdexAt(host, port, hosts)
  if (status === undefined) return fail(`${place} is used by another program: stop it, or set PORT`)
  if (status === 200) return ok(`Nymdex runs at ${place}`)
  return fail(`Nymdex runs at ${place}, but its database does not answer: see its log`)
}

/** Why nothing can listen there; undefined if it can. */
function listenFor(host: string, port: number): Promise<string | undefined> {
  return new Promise((found) => {
    const probe = new Server()
    probe.once('error', (error: NodeJS.ErrnoException) => found(error.code ?? error.message))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => found(undefined)))
  })
}

/** The status of /healthz, if Nymdex answers there. */
async function nymdexAt(host: string, port: number, hosts: readonly string[] | undefined): Promise<number | undefined> {
  const every: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
  const address = every[host] ?? host
  // A host name that the server accepts, if it has the same settings.
  const named = hosts?.find((each) => !each.includes('*')) ?? (address.includes(':') ? `[${address}]` : address)
  const ask = (path: string) => answerOf({ host: address, port, path, headers: { host: named } })
  try {
    const index: unknown = JSON.parse((await ask('/api/')).text)
    const names = catalogue.map(({ name, listedAs }) => listedAs ?? name)
    const ours = typeof index === 'object' && index !== null && names.some((name) => name in index)
    return ours ? (await ask('/healthz')).status : undefined
  } catch {
    return undefined
  }
}

/** Unlike fetch, this can name a host other than the one it connects to. */
function answerOf(asked: RequestOptions): Promise<{ readonly status: number; readonly text: string }> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  return new Promise((answered, failed) => {
    const request = http.get({ ...asked, agent: false, signal }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (chunk) => {
        text += chunk
      })
      reply.on('error', failed)
      reply.on('end', () => answered({ status: reply.statusCode!, text }))
    })
    request.on('error', failed)
  })
}

export function checkSample(): Finding {
  const folder = fileURLToPath(SAMPLE)
  try {
    const files = readdirSync(SAMPLE).filter((name) => name.endsWith('.ndjson'))
    for (const name of files) accessSync(new URL(name, SAMPLE), constants.R_OK)
    if (files.length > 0) return ok('the sample catalogue can be read')
    return fail(`${folder} holds no sample catalogue: install Nymdex again, or set NYMDEX_SAMPLE=off`)
  } catch (error) {
    return fail(
      `the sample catalogue cannot be read (${wordsOf(error)}): install Nymdex again, or set NYMDEX_SAMPLE=off`,
    )
  }
}

export function checkModel(): Finding {
  try {
    tag(['words'])
    return ok('the language model can be read')
  } catch (error) {
    return fail(`the language model cannot be read (${wordsOf(error)}): install Nymdex again`)
  }
}
