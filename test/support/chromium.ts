/**
 * A real Chromium for the tests: an installed one, otherwise Playwright's own, otherwise Debian's package when run as
 * root. The headless shell, which is the same browser without windows, comes first: a page costs it a quarter of the
 * processor time.
 */
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, globSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']
const NAMES = [...SHELLS, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge']
const USUAL_PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]
const OWN = resolve('node_modules', '.chromium')

export async function findChromium(): Promise<string> {
  const ways = [installed, own, installOwn, installDebian]
  for (const way of ways) {
    const path = way()
    if (path) return path
  }
  throw new Error('No Chromium was found and none could be installed. Install Chromium or Chrome, then run again.')
}

function installed(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env['CHROMIUM'] ?? '', ...onPath, ...USUAL_PLACES].find(isProgram)
}

function own(): string | undefined {
  const shells = globSync(`${OWN}/chromium*/**/{chrome-headless-shell,chrome-headless-shell.exe,headless_shell}`)
  return [...shells, ...globSync(`${OWN}/chromium*/**/{chrome,chrome.exe,Chromium}`)].find(isProgram)
}

function installOwn(): string | undefined {
  const cli = resolve('node_modules', 'playwright-core', 'cli.js')
  return attempt(process.execPath, [cli, 'install', '--only-shell', 'chromium'], { PLAYWRIGHT_BROWSERS_PATH: OWN })
    ? own()
    : undefined
}

function installDebian(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  attempt('apt-get', ['update', '-q'], quiet)
  const install = (name: string) => attempt('apt-get', ['install', '-q', '-y', '--no-install-recommends', name], quiet)
  return install('chromium-headless-shell') || install('chromium') ? installed() : undefined
}

function attempt(program: string, options: readonly string[], environment: Record<string, string>): boolean {
  console.log(`installing Chromium: ${program} ${options.join(' ')}`)
  try {
    execFileSync(program, options, { env: { ...process.env, ...environment }, stdio: 'pipe', timeout: 300_000 })
    return true
  } catch {
    return false
  }
}

function isProgram(path: string): boolean {
  if (path === '') return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
