/** Why the program stops, in one line; a stack trace is for bugs only. */
import { setupFault, Unusable } from '../store/index.ts'
import { SettingFault } from './bad-setting.ts'
import { Mistake } from './desk.ts'

export function explain(error: unknown): string {
  if (error instanceof SettingFault || error instanceof Unusable || error instanceof Mistake) return error.message
  const fault = setupFault(error)
  if (fault !== undefined) return fault
  const { code, address, port, hostname, setting } = error as {
    code?: string
    address?: string
    port?: number
    hostname?: string
    setting?: string
  }
  const [ofPort, ofHost] = [setting ?? 'PORT', setting ?? 'HOST']
  if (code === 'EADDRINUSE') return `port ${port} on ${address} is in use: stop what listens there, or set ${ofPort}`
  if (code === 'EACCES' && port !== undefined)
    return `port ${port} may not be used: it needs special rights, set ${ofPort}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${ofHost}: this machine has no address ${address ?? hostname}: set it to one that it has, such as 127.0.0.1, ::1 or 0.0.0.0`
  if (code === 'ENOTTCP' || code === 'ERR_INVALID_FD_TYPE')
    return 'the socket that systemd hands over is not a TCP socket: ListenStream of nymdex.socket wants a port'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
