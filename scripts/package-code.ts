/**
 * The code of the package that npm packs: JavaScript, because Node strips no types below node_modules, and declarations of
 * its two libraries. `npm pack` runs it before it packs, and removes `dist` afterwards; a checkout runs the TypeScript.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

const OUT = 'dist'

/** Started without npx, which takes longer than it. */
const COMPILER = join('node_modules', 'typescript', 'bin', 'tsc')

const compile = (project: string) =>
  execFileSync(process.execPath, [COMPILER, '--project', project], { stdio: 'inherit' })

rmSync(OUT, { recursive: true, force: true })
if (process.argv[2] !== 'remove') {
  compile('tsconfig.package.json')
  compile('tsconfig.declarations.json')
  compile('tsconfig.library.json')
  for (const file of globSync('src/**/*', { withFileTypes: true })) {
    const path = join(file.parentPath, file.name)
    if (file.isFile() && !path.endsWith('.ts')) cpSync(path, join(OUT, relative('src', path)))
  }
}
