/** The version of the program, and of packages that it can use. */
import { readFileSync } from 'node:fs'

const { version, peerDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

export const VERSION: string = version

/** As npm installs them: they are only needed for traces. */
export const TRACING_PACKAGES: readonly string[] = Object.entries(peerDependencies).map(
  ([name, range]) => `${name}@${range}`,
)
