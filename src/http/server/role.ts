/** A server of several processes: workers answer reads, and one writer answers what they pass on. */
import type { Service } from '../../declare/index.ts'
import type { Engine } from '../../engine/index.ts'
import { type Health, OK } from '../../store/index.ts'
import { isSafe } from '../exchange/message.ts'
import type { Counts } from '../request/machine-counts.ts'
import { hasPassword } from './carries.ts'
import type { HandedConnections } from './handed-connections.ts'
import type { Passing, ServerParts } from './parts.ts'
import { PassedOrigins } from './passed-origin.ts'
import { PrivateSocket } from './private-socket.ts'
import type { WriterLink } from './writer-link.ts'

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

interface WriterRole {
  readonly as: 'writer'
  /** Where it listens. */
  readonly path: string
  readonly secret: string
  readonly counts: Counts
}

/** Where a process gets its connections from, and which requests it passes on. */
export function placeOf(role: ServerRole | undefined, services: readonly Service[]): Partial<ServerParts> {
  if (role?.as === 'writer') {
    const { path, secret } = role
    return { intake: (server) => new PrivateSocket(server, path), origins: new PassedOrigins(secret) }
  }
  if (!role) return {}
  const { connections, writer } = role
  const stateless = new Set(services.map(({ path }) => `/api/${path}/`))
  const passing: Passing = {
    // Passwords too: one process counts the tries.
    isFor: (request) => hasPassword(request.headers) || !(isSafe(request) || stateless.has(request.path)),
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
