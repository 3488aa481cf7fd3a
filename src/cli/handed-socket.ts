/** The socket that systemd has opened for the server (`deploy/nymdex.socket`), so that clients wait while it restarts. */
import { fstatSync } from 'node:fs'
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
  if (!isSocket(FIRST_DESCRIPTOR)) {
    throw new Mistake('LISTEN_FDS is set, but file descriptor 3 is not a socket: start the server with nymdex.socket')
  }
  return FIRST_DESCRIPTOR
}

function isSocket(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isSocket()
  } catch {
    // It is closed.
    return false
  }
}
