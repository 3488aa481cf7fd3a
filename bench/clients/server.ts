/** A server with the sample catalogue and one account, as an operator would start it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { BIN, listening } from '../../test/support/command.ts'

export interface Server {
  readonly base: string
  readonly user: string
  readonly password: string
  readonly token: string
  stop(): Promise<void>
}

const ACCOUNT = { user: 'client', password: 'a long enough secret' }

export async function startServer(folder: string): Promise<Server> {
  const env = {
    ...process.env,
    DATABASE_URL: `sqlite:${join(folder, 'n.db')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    NYMDEX_SAMPLE: 'on',
  }
  const added = spawnSync(process.execPath, [BIN, 'user', 'add', ACCOUNT.user, '--password-stdin'], {
    env,
    input: ACCOUNT.password,
    encoding: 'utf8',
  })
  if (added.status !== 0) throw new Error(added.stderr)
  const child = spawn(process.execPath, [BIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const base = (await listening(child)).replace(/\/$/, '')
  // Its log is ignored.
  child.stdout.resume()
  const reply = await fetch(`${base}/api-token-auth/`, {
    method: 'POST',
    body: new URLSearchParams({ username: ACCOUNT.user, password: ACCOUNT.password }),
  })
  const { token } = (await reply.json()) as { token: string }
  return {
    base,
    ...ACCOUNT,
    token,
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}
