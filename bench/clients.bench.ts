/**
 * Other people's clients, from the npm registry, against our server: each reads, creates, changes, votes and deletes.
 * They are installed into a temporary folder, and are not dependencies of the project. It needs the registry and some
 * minutes, and fails when a check fails.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clients } from './clients/clients.ts'
import { startServer } from './clients/server.ts'
import { Workshop } from './clients/workshop.ts'

const folder = mkdtempSync(join(tmpdir(), 'nymdex-clients-'))
const server = await startServer(folder)
const { base, user, password, token } = server
const document = join(folder, 'openapi.json')
writeFileSync(document, await (await fetch(`${base}/api/schema/`)).text())
const env = { NYMDEX: base, NYMDEX_TOKEN: token, NYMDEX_USER: user, NYMDEX_PASSWORD: password }
const summary: string[] = []
/** BENCH_CLIENT=prism runs that one alone. */
const wanted = Object.entries(clients).filter(([name]) =>
  name.toLowerCase().includes(process.env['BENCH_CLIENT'] ?? ''),
)
for (const [i, [name, run]] of wanted.entries()) {
  console.log(`\n${name}`)
  try {
    const { held, failed } = await run({ workshop: new Workshop(folder, `client-${i}`), server, document, env })
    summary.push(`${name}: ${held} of ${held + failed} held`)
    if (failed > 0) process.exitCode = 1
  } catch (error) {
    console.log(`  FAILED  ${(error as Error).message}`)
    summary.push(`${name}: did not run`)
    process.exitCode = 1
  }
}
await server.stop()
rmSync(folder, { recursive: true, force: true })
console.log(`\n${summary.join('\n')}`)
