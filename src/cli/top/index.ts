/** nymdex top: the figures of a running server in the terminal, drawn again every few seconds. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { messageOf } from '../../store/index.ts'
import { readMetrics } from '../address-settings.ts'
import { gatherSettings } from '../config/gather.ts'
import { Mistake } from '../desk.ts'
import { say, sayAside } from '../terminal.ts'
import { draw } from './draw.ts'
import { Figures } from './figures.ts'
import { Samples } from './samples.ts'

interface Options {
  readonly once?: boolean
  readonly every: string
}

const DEFAULT_PLACE = '127.0.0.1:9464'
const FETCH_MS = 5000
/** Moves to the first line, and removes what is below the last. */
const [HOME, REST_OF_LINE, BELOW] = ['\x1b[H', '\x1b[K', '\x1b[J']

export function addTop(program: Command): void {
  program
    .command('top [place]')
    .description(
      'Show the figures of a running server: requests, times, cache, database, hooks. PLACE is that of its metrics, a port or an address and a port [NYMDEX_METRICS].',
    )
    .option('--once', 'print them once, and end')
    .option('--every <seconds>', 'how long to measure, 0.1 to 60', '2')
    .action(async (place: string | undefined, { once = false, every }: Options, command: Command) => {
      const seconds = Number(every)
      if (!(seconds >= 0.1 && seconds <= 60)) throw new Mistake(`--every: "${every}" is not a number from 0.1 to 60`)
      const { given } = gatherSettings(command.optsWithGlobals())
      const address = addressOf(place ?? (given['NYMDEX_METRICS']?.trim() || DEFAULT_PLACE))
      let before = await look(address)
      for (;;) {
        await sleep(seconds * 1000)
        const now = await look(address).catch((error: unknown) => {
          // A server that is restarted comes back.
          if (once) throw error
          sayAside(messageOf(error))
        })
        if (!now) continue
        show(draw(new Figures(before, now), address, new Date()))
        if (once) return
        before = now
      }
    })
}

function addressOf(place: string): string {
  const found = readMetrics(place)
  if (!found) throw new Mistake('the server has no metrics: start it with NYMDEX_METRICS=9464')
  const { host, port } = found
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function look(address: string): Promise<Samples> {
  try {
    const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(FETCH_MS) })
    if (response.ok) return new Samples(await response.text(), performance.now() / 1000)
  } catch {
    // Said below.
  }
  throw new Mistake(`there are no metrics at http://${address}/metrics: start the server with NYMDEX_METRICS=9464`)
}

function show(lines: readonly string[]): void {
  if (process.stdout.isTTY) process.stdout.write(`${HOME}${lines.join(`${REST_OF_LINE}\n`)}${REST_OF_LINE}\n${BELOW}`)
  else for (const line of lines) say(line)
}
