/** npm run bench [-- NAME ...]: runs the named benches, or all. It prints figures; those with a limit can fail. */
import { existsSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'

const known = globSync(join(import.meta.dirname, '*.bench.ts'))
  .map((file) => basename(file, '.bench.ts'))
  .sort()
const wanted = process.argv.slice(2)
for (const name of wanted.length > 0 ? wanted : known) {
  const file = join(import.meta.dirname, `${name}.bench.ts`)
  if (!existsSync(file)) {
    console.error(`there is no bench "${name}": choose from ${known.join(', ')}`)
    process.exit(1)
  }
  console.log(`\n== ${name}`)
  await import(file)
}
