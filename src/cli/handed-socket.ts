/** The socket that systemd has opened for the server (`deploy/nymdex.socket`), so that clients wait while it restarts. */
import { Mistake } from './desk.ts'

/** By the protocol of systemd. */
const FIRST_DESCRIPTOR = 3

/** Its file descriptor, if there is one. Processes that the server starts do not get it. */
export function handedSocket(): number | undefined {
  const { LISTEN_PID: id, LISTEN_FDS: count = '0' } = process.env
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete process.env[name]
  // For another process, if npm or a shell is in between.
  if (Number(id) !== process.pid || Number(count) === 0) return undefined
  if (count !== '1') throw new Mistake(`systemd hands over ${count} sockets: nymdex.socket may have one ListenStream`)
  return FIRST_DESCRIPTOR
}
