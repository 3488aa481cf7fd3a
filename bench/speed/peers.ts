/** Compares servers on the same pages. Servers that are not installed are reported as such. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type KeptAnswer, keepAnswer } from './answer.ts'
import type { Spread } from './client.ts'
import { interleaved, load, type Target } from './load.ts'
import { FASTIFY, PAGES } from './reads.ts'
import type { Results } from './results.ts'
import { freePort, isInstalled, type Running, start, startNymdex, startPeer } from './servers.ts'

const KINDS = ['polynyms', 'middle', 'polysets', 'record'] as const
type Kind = (typeof KINDS)[number]
const COLUMNS = ['100 polynyms', 'page 50 of them', '100 polysets', 'one record'] as const
const DRF = join(import.meta.dirname, '../peers/drf/server.py')

interface Peer {
  readonly name: string
  readonly running: readonly Running[]
  /** The addresses of what it has; a kind that it does not have is left out. */
  readonly at: Partial<Record<Kind, Target>>
}

export async function comparePeers(results: Results, file: string, folder: string): Promise<void> {
  const peers: Peer[] = []
  const absent: string[] = []
  const ours = await startNymdex({ database: `sqlite:${file}` })
  peers.push(everywhere('Nymdex', ours))
  try {
    const answers = new Map<Kind, string>()
    for (const kind of KINDS) answers.set(kind, await keepAnswer(ours.base, PAGES[kind], folder))
    peers.push(everywhere('Nymdex, every cache off', await startNymdex({ database: `sqlite:${file}`, cache: 'off' })))
    peers.push(await bare(answers))
    peers.push(everywhere('Hono, kept bytes from a Map', await hono(answers, folder)))
    for (const { way, name } of FASTIFY) {
      peers.push(everywhere(name, await startPeer('fastify-sqlite', [file, way])))
    }
    peers.push(await jsonServer(file))
    for (const [name, starting] of [
      ['nginx, static file', nginx(answers, folder)],
      ['Django REST framework', drf(file)],
    ] as const) {
      const peer = await starting
      if (peer) peers.push(peer)
      else absent.push(name)
    }
    print(results, peers, absent, await measure(peers))
  } finally {
    for (const { running } of peers) for (const each of running) await each.stop()
  }
}

async function measure(peers: readonly Peer[]): Promise<Record<string, Spread>> {
  const runs: Record<string, () => Promise<Spread>> = {}
  for (const kind of KINDS) {
    for (const { name, at } of peers) {
      const target = at[kind]
      if (!target) continue
      await load(target, 1)
      runs[`${name} ${kind}`] = () => load(target)
    }
  }
  return interleaved(runs)
}

function print(
  results: Results,
  peers: readonly Peer[],
  absent: readonly string[],
  found: Record<string, Spread>,
): void {
  const rate = (name: string, kind: Kind) => found[`${name} ${kind}`]?.rate
  const rows = (figure: (name: string, kind: Kind) => number | string): [string, ...(number | string)[]][] => [
    ...peers.map(({ name }): [string, ...(number | string)[]] => [name, ...KINDS.map((kind) => figure(name, kind))]),
    ...absent.map((name): [string, string] => [name, 'not installed']),
  ]
  results.table({
    title: 'requests a second',
    columns: COLUMNS,
    rows: rows((name, kind) => Math.round(rate(name, kind) ?? Number.NaN) || ''),
  })
  results.table({
    title: 'ratio to bare node:http',
    columns: COLUMNS,
    rows: rows((name, kind) =>
      rate(name, kind) ? Number((rate(name, kind)! / rate(BARE, kind)!).toPrecision(3)) : '',
    ),
  })
}

function everywhere(name: string, running: Running): Peer {
  const at = Object.fromEntries(KINDS.map((kind) => [kind, { ...running, path: PAGES[kind] }]))
  return { name, running: [running], at }
}

const BARE = 'bare node:http, one constant buffer'

/** One server for each response: it has only the one. */
async function bare(answers: ReadonlyMap<Kind, string>): Promise<Peer> {
  const running: Running[] = []
  const at: Peer['at'] = {}
  for (const [kind, answer] of answers) {
    const server = await startPeer('bare', [answer])
    running.push(server)
    at[kind] = { ...server, path: PAGES[kind] }
  }
  return { name: BARE, running, at }
}

async function hono(answers: ReadonlyMap<Kind, string>, folder: string): Promise<Running> {
  const list = join(folder, 'answers.json')
  writeFileSync(list, JSON.stringify(Object.fromEntries(Array.from(answers, ([kind, file]) => [PAGES[kind], file]))))
  return startPeer('hono-cached', [list])
}

async function jsonServer(file: string): Promise<Peer> {
  const server = await startPeer('json-server', [file], { first: '/polynym/1' })
  return {
    name: 'json-server',
    running: [server],
    at: {
      polynyms: { ...server, path: '/polynym?_page=1&_limit=100' },
      middle: { ...server, path: '/polynym?_page=50&_limit=100' },
      record: { ...server, path: '/polynym/4711' },
    },
  }
}

async function nginx(answers: ReadonlyMap<Kind, string>, folder: string): Promise<Peer | undefined> {
  if (!isInstalled('nginx')) return undefined
  const port = await freePort()
  const home = join(folder, 'nginx')
  mkdirSync(join(home, 'logs'), { recursive: true })
  for (const [kind, answer] of answers) {
    const { body }: KeptAnswer = JSON.parse(readFileSync(answer, 'utf8'))
    writeFileSync(join(home, `${kind}.json`), Buffer.from(body, 'base64'))
  }
  const config = join(home, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${home}/nginx.pid; error_log ${home}/error.log;
     ${process.getuid?.() === 0 ? 'user root;' : ''}
     events { worker_connections 256; }
     http { access_log off; sendfile on; keepalive_requests 1000000000; types { application/json json; }
       ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${home}/${name};`).join(' ')}
       server { listen 127.0.0.1:${port}; root ${home}; } }\n`,
  )
  const server = await start('nginx', ['nginx', '-p', home, '-c', config], { port, first: '/record.json' })
  const at = Object.fromEntries(KINDS.map((kind) => [kind, { ...server, path: `/${kind}.json` }]))
  return { name: 'nginx, static file', running: [server], at }
}

/** Asks the system's Python, where Debian's packages are installed. */
async function drf(file: string): Promise<Peer | undefined> {
  const python = '/usr/bin/python3'
  const has = (module: string) => spawnSync(python, ['-c', `import ${module}`]).status === 0
  if (!has('rest_framework')) return undefined
  const port = await freePort()
  const env = { ...process.env, NYMDEX_FILE: file, PYTHONDONTWRITEBYTECODE: '1' }
  const command = has('gunicorn')
    ? [python, '-m', 'gunicorn', '-w', '1', '-b', `127.0.0.1:${port}`, '--chdir', join(DRF, '..'), 'server:application']
    : [python, DRF, String(port)]
  return everywhere(
    'Django REST framework',
    await start('Django REST framework', command, { port, first: PAGES.record, env }),
  )
}
