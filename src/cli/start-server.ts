/** The server inside another program. The package publishes the types of this file: they need no others. */
import { BadSetting } from './bad-setting.ts'
import { settingsInForce } from './config/in-force.ts'
import { openLog } from './log.ts'
import type { SettingName } from './setting-list.ts'
import { readSettings } from './settings.ts'
import { startWith } from './start-with.ts'

/** All are optional. Their defaults are those of `nymdex serve`; the environment is not read. */
export interface ServerOptions {
  /** `sqlite:PATH` or `postgres://...`. */
  readonly databaseUrl?: string
  /** The port to listen on; 0 picks a free one. */
  readonly port?: number
  /** The address to listen on. */
  readonly host?: string
  /** Whether an empty database is filled with the sample catalogue. */
  readonly sample?: boolean
  /** The server writes log lines of this level and above to the standard output; `warn` by default. */
  readonly logLevel?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  /** Any other setting of docs/operations.md, by its name. */
  readonly settings?: Readonly<Partial<Record<SettingName, string>>>
}

export interface StartedServer {
  /** Such as `http://127.0.0.1:8000/`. */
  readonly address: string
  /**
   * Resolves when a newer Nymdex has migrated the database: from then on, the server answers all requests with 503.
   * Close it.
   */
  readonly outdated: Promise<Error>
  /**
   * Closes the port, finishes the running requests, and closes the database. For `drainMs` milliseconds before that, it
   * answers requests and asks clients to close their connections.
   */
  close(options?: { readonly drainMs?: number }): Promise<void>
}

/** Resolves when the server answers requests. Rejects if an option is wrong, the port is taken, or the database is away. */
export async function startServer(options: ServerOptions = {}): Promise<StartedServer> {
  const chosen = given(options)
  const settings = readSettings(chosen)
  if (settings.workers > 1)
    throw new BadSetting(
      'NYMDEX_WORKERS',
      String(settings.workers),
      '1: only the command "nymdex serve" starts workers',
    )
  const from = { from: 'option', where: 'the program that started the server' } as const
  const places = new Map(Object.keys(chosen).map((name) => [name, from]))
  return await startWith(settings, openLog(settings.logLevel), settingsInForce(chosen, places))
}

function given({ databaseUrl, port, host, sample, logLevel = 'warn', settings }: ServerOptions) {
  return {
    LOG_LEVEL: logLevel,
    ...settings,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...(port === undefined ? {} : { PORT: String(port) }),
    ...(host === undefined ? {} : { HOST: host }),
    ...(sample === undefined ? {} : { NYMDEX_SAMPLE: sample ? 'on' : 'off' }),
  }
}
