/** nymdex annotate and nymdex spin: the language library on the command line. */
import type { Command } from 'commander'
import { catalogue } from '../catalogue/index.ts'
import { readRecord } from '../engine/index.ts'
import { annotate, type Quadranym, spin } from '../language/index.ts'
import { atDesk, Mistake, readStdin } from './desk.ts'
import { say } from './terminal.ts'

interface Options {
  readonly quadranym?: readonly string[]
  readonly json?: true
}

const QUADRANYM_HELP =
  'a quadranym: its id in the database, or "name, e, r, o, s"; repeat it for more, the first is index 1'

export function addText(program: Command): void {
  textCommand(
    program,
    'annotate',
    'Mark the words of a text that are forms of the quadranyms’ terms.',
    (text, quadranyms) => {
      const { qode, tokens, q1, q2, unmatched } = annotate(text, quadranyms)
      const names = (matched: readonly Quadranym[]) => matched.map(({ name }) => name)
      const json = { qode, tokens, q1: names(q1), q2: names(q2), unmatched: names(unmatched) }
      return { line: qode === '' ? text : qode, json }
    },
  )
  textCommand(program, 'spin', 'Fill the tokens of a text with the terms of quadranyms.', (qode, quadranyms) => {
    const spun = spin(qode, quadranyms, { untagged: true })
    return { line: spun.text, json: spun }
  })
}

function textCommand(
  program: Command,
  name: string,
  does: string,
  work: (text: string, quadranyms: readonly Quadranym[]) => { line: string; json: object },
): void {
  program
    .command(`${name} [text...]`)
    .description(`${does} The text is given as arguments or on standard input.`)
    .option('-q, --quadranym <quadranym>', QUADRANYM_HELP, (each: string, all: string[] | undefined) => [
      ...(all ?? []),
      each,
    ])
    .option('--json', 'print all details, as JSON')
    .option('--database-url <url>', 'where to look up ids: sqlite:PATH or postgres://... [DATABASE_URL]')
    .action(async (given: readonly string[], options: Options, command: Command) => {
      if (!options.quadranym) throw new Mistake('give at least one --quadranym')
      const quadranyms = await readQuadranyms(options.quadranym, command)
      const text = given.length > 0 ? given.join(' ') : (await readStdin()).replace(/\n$/, '')
      const { line, json } = work(text, quadranyms)
      say(options.json ? JSON.stringify(json, null, 2) : line)
    })
}

async function readQuadranyms(given: readonly string[], command: Command): Promise<Quadranym[]> {
  const quadranyms = given.map((each) => (isNumber(each) ? undefined : written(each)))
  if (given.some(isNumber)) {
    await atDesk(command, async ({ engine }) => {
      for (const [i, each] of given.entries()) if (isNumber(each)) quadranyms[i] = await stored(engine, Number(each))
    })
  }
  return quadranyms as Quadranym[]
}

const isNumber = (text: string) => /^[1-9][0-9]*$/.test(text)

function written(text: string): Quadranym {
  const [name = '', e = '', r = '', o = '', s = '', ...more] = text.split(',').map((term) => term.trim())
  if (name === '' || more.length > 0) throw new Mistake(`"${text}" is not "name, e, r, o, s"`)
  return { name, e, r, o, s }
}

async function stored(engine: Parameters<Parameters<typeof atDesk>[1]>[0]['engine'], id: number): Promise<Quadranym> {
  const resource = catalogue.find(({ name }) => name === 'quadranym')!
  const collection = { name: resource.name, resource }
  const found = await readRecord(engine, collection, id).catch(() => undefined)
  if (!found) throw new Mistake(`there is no quadranym ${id}`)
  return JSON.parse(found.json)
}
