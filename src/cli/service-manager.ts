/**
 * Tells systemd how the server is, if it runs as a service of Type=notify. Node cannot send to the socket of systemd, so
 * the program systemd-notify does.
 */
import { execFile } from 'node:child_process'
import type { Logger } from 'pino'

type State = 'READY=1' | 'STOPPING=1' | 'WATCHDOG=1'

export class ServiceManager {
  readonly #log: Pick<Logger, 'warn'>
  #watchdog: NodeJS.Timeout | undefined
  #isMissing = false

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log
  }

  /** From now on it is told regularly that the event loop runs, if it wants to know. */
  ready(): void {
    this.#tell('READY=1')
    // In microseconds. It restarts a server that says nothing for that long.
    const wanted = Number(process.env['WATCHDOG_USEC'] ?? 0) / 1000
    if (wanted > 0) this.#watchdog = setInterval(() => this.#tell('WATCHDOG=1'), wanted / 2).unref()
  }

  stopping(): void {
    clearInterval(this.#watchdog)
    this.#tell('STOPPING=1')
  }

  #tell(state: State): void {
    if (!process.env['NOTIFY_SOCKET'] || this.#isMissing) return
    execFile('systemd-notify', [state], (error) => {
      if (!error || this.#isMissing) return
      this.#isMissing = true
      this.#log.warn(`systemd is not told how the server is: ${error.message.split('\n')[0]}`)
    })
  }
}
