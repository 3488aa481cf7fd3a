/** The library `nymdex`: a server inside another program. */
export type { SettingName } from './setting-list.ts'
export { type ServerOptions, type StartedServer, startServer } from './start-server.ts'
