/**
 * Do the tests find mistakes? Makes small mistakes in store/, engine/ and http/, one at a time, in a copy of the tree,
 * and runs the nearest tests on SQLite until one fails. `MUTANTS=100 MUTANTS_SEED=1` choose the mistakes,
 * `MUTANTS_FROM` and `MUTANTS_TO` a part of them. Mistakes that were found before (var/mutants-SEED.ndjson) are not run
 * again.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Mutant, mutantsOf, mutated } from './mutants/mutate.ts'
import { nearestTests } from './mutants/nearest.ts'

const number = (name: string, usual: number) => Number(process.env[name] ?? usual)
const count = number('MUTANTS', 100)
const seed = number('MUTANTS_SEED', 1)
const [from, to] = [number('MUTANTS_FROM', 0), number('MUTANTS_TO', count)]
const LIMIT_MS = 90_000

interface Result extends Pick<Mutant, 'file' | 'line' | 'before' | 'after'> {
  readonly place: number
  /** The test that failed; undefined if all passed. */
  readonly by?: string
}

mkdirSync('var', { recursive: true })
const results = join('var', `mutants-${seed}.ndjson`)
const known: Result[] = existsSync(results)
  ? readFileSync(results, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  : []
const chosen = choose()
const tree = copyTree()
const green = new Map<string, boolean>()
try {
  for (let place = from; place < Math.min(to, chosen.length); place++) {
    if (known.some((each) => each.place === place)) continue
    const { file, line, before, after, ...rest } = chosen[place]!
    const by = await foundBy({ file, line, before, after, ...rest })
    const result: Result = { place, file, line, before, after, ...(by ? { by } : {}) }
    known.push(result)
    appendFileSync(results, `${JSON.stringify(result)}\n`)
    console.log(`${place} ${by ? `found by ${by}` : 'SURVIVED'}: ${file}:${line} ${before} -> ${after}`)
  }
} finally {
  rmSync(tree, { recursive: true })
}
const survived = known.filter(({ by }) => !by)
console.log(`${known.length} mutants, ${known.length - survived.length} found, ${survived.length} survived`)

/** The same ones for the same seed and source. */
function choose(): Mutant[] {
  const all = globSync('src/{store,engine,http}/**/*.ts')
    .sort()
    .filter((file) => nearestTests(file).length > 0)
    .flatMap((file) => mutantsOf(file))
  let state = seed
  const random = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const picked = new Set<Mutant>()
  while (picked.size < Math.min(count, all.length)) picked.add(all[Math.floor(random() * all.length)]!)
  console.log(`${picked.size} of ${all.length} places, seed ${seed}`)
  return [...picked]
}

/** Never in the checkout itself. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nymdex-mutants-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  for (const file of files.split('\n').filter((each) => each !== '' && existsSync(each))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(file, join(folder, file))
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  return folder
}

async function foundBy(mutant: Mutant): Promise<string | undefined> {
  const file = join(tree, mutant.file)
  const original = readFileSync(file, 'utf8')
  for (const test of nearestTests(mutant.file)) {
    if (!green.has(test)) {
      green.set(test, await passes(test))
      // It says nothing about a mistake: the machine may be too busy for it.
      if (!green.get(test)) console.log(`${test} fails on the source as it is, and is left out`)
    }
    if (!green.get(test)) continue
    writeFileSync(file, mutated(mutant, original))
    // Once more, because a busy machine fails some tests now and then.
    const passed = (await passes(test)) || (await passes(test))
    writeFileSync(file, original)
    if (!passed) return test
  }
  return undefined
}

/** A test that does not end in time has not passed. */
function passes(test: string): Promise<boolean> {
  const child = spawn(process.execPath, ['test/run.ts', '--sqlite', test], {
    cwd: tree,
    stdio: 'ignore',
    detached: true,
  })
  const late = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), LIMIT_MS)
  return new Promise((ended) =>
    child.once('exit', (code) => {
      clearTimeout(late)
      ended(code === 0)
    }),
  )
}
