/** A folder for one client: its packages from the npm registry, its program, and what the program found. */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Ran {
  readonly code: number | null
  readonly out: string
}

export class Workshop {
  readonly folder: string

  constructor(parent: string, name: string) {
    this.folder = join(parent, name)
    mkdirSync(this.folder)
    this.write('package.json', '{"private":true,"type":"module"}')
    for (const file of ['check.js', 'check.d.ts']) this.write(file, program(file))
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  /** Without the scripts of packages: nothing that is installed here runs by itself. */
  async install(...packages: string[]): Promise<void> {
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error']
    await this.must('npm', ['install', ...quiet, ...packages])
  }

  /** Of one of the packages. */
  async tool(path: string, ...options: string[]): Promise<void> {
    await this.must(process.execPath, [join(this.folder, 'node_modules', path), ...options])
  }

  /** Prints the output of the program, and counts the checks that passed and failed. */
  async run(file: string, env: Readonly<Record<string, string>>): Promise<{ held: number; failed: number }> {
    const { code, out } = await this.#run(process.execPath, ['--disable-warning=ExperimentalWarning', file], env)
    const lines = out.split('\n').filter((line) => /^(ok|FAILED) /.test(line))
    for (const line of lines) console.log(`  ${line}`)
    const failed = lines.filter((line) => line.startsWith('FAILED')).length
    if (code !== 0) console.log(`  FAILED  the program ended with ${code}: ${out.slice(-500)}`)
    return { held: lines.length - failed, failed: failed + (code === 0 ? 0 : 1) }
  }

  async must(command: string, options: readonly string[]): Promise<void> {
    const { code, out } = await this.#run(command, options)
    if (code !== 0) throw new Error(`${[command, ...options].join(' ')} ended with ${code}: ${out.slice(-1000)}`)
  }

  #run(command: string, options: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const child = spawn(command, options, { cwd: this.folder, env: { ...process.env, ...more } })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.stderr.on('data', (chunk) => (out += chunk))
    return new Promise((ended, failed) => {
      child.once('error', failed)
      child.once('close', (code) => ended({ code, out }))
    })
  }
}

/** A program of this folder; stored as text, because the project does not have the packages it needs. */
export function program(name: string): string {
  return readFileSync(join(import.meta.dirname, `${name}.txt`), 'utf8')
}
