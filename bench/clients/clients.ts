/** Each client: what is installed, what is generated, and what runs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { recipes } from '../../test/clients/blocks.ts'
import { freePort } from '../speed/servers.ts'
import type { Server } from './server.ts'
import { program, type Workshop } from './workshop.ts'

interface Given {
  readonly workshop: Workshop
  readonly server: Server
  /** The file of the OpenAPI document. */
  readonly document: string
  readonly env: Readonly<Record<string, string>>
}

type Found = Promise<{ held: number; failed: number }>

const TYPESCRIPT = 'typescript@5.9.3'
const ESBUILD = 'esbuild@0.25.12'
const STRICT = [
  '--strict',
  '--noEmit',
  '--skipLibCheck',
  '--target',
  'esnext',
  '--lib',
  'esnext,dom',
  '--types',
  'node',
]

export const clients: Readonly<Record<string, (given: Given) => Found>> = {
  async 'openapi-fetch 0.17.0, types of openapi-typescript 7.13.0'({ workshop, document, env }) {
    await workshop.install('openapi-fetch@0.17.0', 'openapi-typescript@7.13.0', '@types/node@24', TYPESCRIPT)
    await workshop.tool('openapi-typescript/bin/cli.js', document, '-o', 'schema.d.ts')
    workshop.write('cycle.ts', program('openapi-fetch.ts'))
    const modules = ['--module', 'nodenext', '--allowImportingTsExtensions']
    await workshop.tool('typescript/bin/tsc', ...STRICT, ...modules, 'cycle.ts')
    return await workshop.run('cycle.ts', env)
  },

  async '@hey-api/openapi-ts 0.99.0'({ workshop, document, env }) {
    await workshop.install('@hey-api/openapi-ts@0.99.0', '@types/node@24', TYPESCRIPT, ESBUILD)
    const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
    await workshop.tool('@hey-api/openapi-ts/bin/run.js', '-i', document, '-o', 'client', '-p', ...plugins)
    workshop.write('cycle.ts', program('hey-api.ts'))
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler']
    await workshop.tool('typescript/bin/tsc', ...STRICT, ...modules, 'cycle.ts')
    const bundle = [
      'cycle.ts',
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--outfile=cycle.mjs',
      '--log-level=error',
    ]
    await workshop.tool('esbuild/bin/esbuild', ...bundle)
    return await workshop.run('cycle.mjs', env)
  },

  async 'ra-data-drf 2.0.0, answers checked by react-admin 5 (ra-core 5.15.4)'({ workshop, server, env }) {
    await workshop.install('ra-data-drf@2.0.0', 'react@16', 'react-dom@16', 'ra-core-5@npm:ra-core@5.15.4')
    // As docs/clients.md says.
    for (const file of ['with-ids.js', 'data-provider.js']) {
      workshop.write(file, recipes().get(file)!.replaceAll('http://localhost:8000', server.base))
    }
    workshop.write('cycle.js', program('react-admin.js'))
    return await workshop.run('cycle.js', env)
  },

  async 'Prism 5.16.0 as a validating proxy'({ workshop, server, document, env }) {
    await workshop.install('@stoplight/prism-cli@5.16.0')
    workshop.write('cycle.js', program('prism.js'))
    const port = String(await freePort())
    const cli = join(workshop.folder, 'node_modules/@stoplight/prism-cli/dist/index.js')
    const proxy = spawn(process.execPath, [cli, 'proxy', document, server.base, '-p', port, '--host', '127.0.0.1'])
    try {
      await ready(proxy.stdout)
      return await workshop.run('cycle.js', { ...env, PRISM: `http://127.0.0.1:${port}` })
    } finally {
      proxy.kill()
      if (proxy.exitCode === null && proxy.signalCode === null) await once(proxy, 'exit')
    }
  },
}

/** Prism says when it listens. Its messages about each request are also in its responses. */
function ready(output: NodeJS.ReadableStream): Promise<void> {
  let heard = ''
  return new Promise((listening, failed) => {
    output.on('data', (chunk) => {
      heard += chunk
      if (heard.includes('Prism is listening')) listening()
    })
    output.once('end', () => failed(new Error(`Prism ended: ${heard.slice(-500)}`)))
  })
}
