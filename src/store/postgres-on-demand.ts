/**
 * What needs the driver of PostgreSQL. It is loaded with the first use: a server on SQLite starts with a twentieth less
 * processor time without it.
 */
import type * as Store from './postgres.ts'
import type * as Load from './postgres-load.ts'
import type * as Lock from './postgres-lock.ts'

export const openPostgres: typeof Store.openPostgres = async (settings) =>
  await (await import('./postgres.ts')).openPostgres(settings)

export const loadPostgres: typeof Load.loadPostgres = async (settings, catalogue, fill) =>
  await (await import('./postgres-load.ts')).loadPostgres(settings, catalogue, fill)

export const tryExclusion: typeof Lock.tryExclusion = async (url) =>
  await (await import('./postgres-lock.ts')).tryExclusion(url)
