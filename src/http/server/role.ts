/** A server of several processes: workers answer reads, and one writer answers what they pass on. */
import type { Service } from '../../declare/index.ts'
import type { Engine } from '../../engine/index.ts'
import { type Health, OK } from '../../store/index.ts'
import { isSafe } from '../exchange/message.ts'
import type { Counts } from '../request/machine-counts.ts'
import { isHealthCheck } from '../routes/health.ts'
import { hasPassword } from './carries.ts'
import type { HandedConnections } from './handed-connections.ts'
import { startServer } from './index.ts'
import type { Passing, RunningServer, ServerParts, ServerSettings } from './parts.ts'
import type { WriterLink } from './writer-link.ts'
import { type WriterPlace, WriterServer } from './writer-server.ts'

/** What a process of such a server does. */
export type ServerRole = WorkerRole | WriterRole

interface WorkerRole {
  readonly as: 'worker'
  readonly connections: HandedConnections
  readonly writer: WriterLink
  readonly counts: Counts
  /** Whether the writer can write: `ok`, or why not. */
  writes(): string
}

interface WriterRole extends WriterPlace {
  readonly as: 'writer'
  readonly counts: Counts
}

/** Starts the server of a process. */
export async function startAs(
  role: ServerRole | undefined,
  parts: ServerParts,
  settings: ServerSettings,
  services: readonly Service[],
): Promise<RunningServer> {
  if (role?.as === 'worker') return await startServer({ ...parts, ...placeOf(role, services) }, settings)
  if (role?.as !== 'writer') return await startServer(parts, settings)
  const server = new WriterServer(parts, settings, role)
  await server.listen()
  return server
}

/** Where a worker gets its connections from, and which requests it passes on. */
function placeOf({ connections, writer }: WorkerRole, services: readonly Service[]): Partial<ServerParts> {
  const stateless = new Set(services.map(({ path }) => `/api/${path}/`))
  const passing: Passing = {
    // Passwords too: one process counts the tries. Health checks need neither. Staff see what the writer knows.
    isFor: (request) =>
      !isHealthCheck(request.path) &&
      (hasPassword(request.headers) ||
        /^(?:\/api)?\/staff\//.test(request.path) ||
        !(isSafe(request) || stateless.has(request.path))),
    pass: (exchange, request) => writer.pass(exchange, request),
  }
  return { intake: (server) => connections.to(server), passing }
}

/** A worker reads by itself, and the writer knows whether it can write. */
export function healthOf({ store }: Engine, role: ServerRole | undefined): () => Promise<Health> {
  if (role?.as !== 'worker') return store.health
  return async () => {
    const { database, writes } = await store.health()
    return { database, writes: writes === OK ? role.writes() : writes }
  }
}
