/** When the server is told to stop. */

const LOOK_EVERY_MS = 200

/** A second signal ends the process at once. */
export function toldToStop(): Promise<NodeJS.Signals> {
  return new Promise((told) => {
    const signals = ['SIGTERM', 'SIGINT'] as const
    const stop = (signal: NodeJS.Signals) => {
      for (const each of signals) process.off(each, stop)
      told(signal)
    }
    for (const signal of signals) process.on(signal, stop)
    if (!process.env['npm_command']) return
    // npm ends its shell on SIGTERM, and the shell does not pass the signal on: without this we would stay as an
    // orphan.
    const { ppid } = process
    const looking = setInterval(() => {
      if (process.ppid === ppid) return
      clearInterval(looking)
      told('SIGTERM')
    }, LOOK_EVERY_MS).unref()
  })
}
