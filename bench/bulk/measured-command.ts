/** Runs a command as an operator runs it, from the start of the process to its end, and measures it. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { PROGRAM } from '../../test/support/command.ts'
import { startOptions } from '../speed/servers.ts'

const LOOK_EVERY_MS = 50

export interface Ran {
  readonly seconds: number
  /** Seconds of processor of the command itself, which a busy machine changes less. */
  readonly processor: number
  /** In MB; 0 where the system does not tell. */
  readonly memory: number
}

export function nymdex(database: string, ...args: string[]): Promise<Ran> {
  const started = performance.now()
  const env = { ...process.env, DATABASE_URL: database, NODE_NO_WARNINGS: '1' }
  const child = spawn(process.execPath, [...startOptions(), PROGRAM, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => (said += text))
  let [memory, processor] = [0, 0]
  const look = setInterval(() => {
    memory = Math.max(memory, peakOf(child.pid))
    processor = Math.max(processor, processorOf(child.pid))
  }, LOOK_EVERY_MS)
  return new Promise((done, failed) => {
    child.once('exit', (code) => {
      clearInterval(look)
      const seconds = (performance.now() - started) / 1000
      if (code === 0) done({ seconds, processor, memory })
      else failed(new Error(`nymdex ${args.join(' ')}: ${said}`))
    })
  })
}

/** What the system says about a process; nothing if it has ended. */
function told(pid: number | undefined, file: 'status' | 'stat'): string {
  const path = `/proc/${pid}/${file}`
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function peakOf(pid: number | undefined): number {
  return Number(/VmHWM:\s*(\d+) kB/.exec(told(pid, 'status'))?.[1] ?? 0) / 1024
}

/** The system counts in hundredths of a second, in user mode and in the system. */
function processorOf(pid: number | undefined): number {
  const [, user = 0, system = 0] = /\) \S(?: \S+){10} (\d+) (\d+) /.exec(told(pid, 'stat')) ?? []
  return (Number(user) + Number(system)) / 100
}

export const detailOf = ({ processor, memory }: Ran) => `processor ${processor.toFixed(1)} s, ${memory.toFixed(0)} MB`
