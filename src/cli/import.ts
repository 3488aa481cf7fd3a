/** nymdex import: reads a catalogue from files, from another server, or from WordNet. */
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdtempSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { catalogue } from '../catalogue/index.ts'
import type { AnyResource } from '../declare/index.ts'
import { type Engine, faultOfName, tidyName } from '../engine/index.ts'
import {
  makeFolder,
  type RelatedRow,
  relatedRow,
  replaceRelatedWords,
  replaceSynonyms,
  type SynonymPair,
} from '../store/index.ts'
import {
  type Format,
  NamesExistingUsers,
  NotImportable,
  type Report,
  runImport,
  SignedUpMeanwhile,
  type Source,
  StoppedAtFault,
  sourcesAt,
  Unreachable,
  walkCatalogue,
} from '../transfer/index.ts'
import { annotator } from './annotator.ts'
import { atDesk, Mistake } from './desk.ts'
import { ProgressLine } from './progress.ts'
import { showReport } from './report.ts'
import { say } from './terminal.ts'
import { relatedWordsOf, synonymsOf, wordnetFolder, wordnetRecords } from './wordnet/index.ts'

interface Options {
  readonly keepIds?: boolean
  readonly dryRun?: boolean
  readonly strict?: boolean
  readonly annotate: boolean
  readonly owner?: string
  readonly toExistingUsers?: boolean
  readonly collection?: string
  readonly format?: Format
  readonly pageSize: number
  readonly spool?: string
}

export function addImport(program: Command): void {
  program
    .command('import <source> [path]')
    .description(
      'Import a catalogue. The source is a file or folder (NDJSON, JSON, CSV, fortune files), - for standard input, ' +
        'the address of a server with the same interface, or "wordnet" (then the path is its dictionary folder). ' +
        'Existing records are matched, not duplicated, so you can repeat an import.',
    )
    .option('--keep-ids', 'give new records the ids they have in the source')
    .option('--dry-run', 'report what would happen, and change nothing')
    .option('--strict', 'stop at the first fault and roll everything back')
    .option('--owner <name>', 'the owner of records that name none (default: import)', userName)
    .option('--to-existing-users', 'records may go to users of the same name who can sign in here')
    .option('--no-annotate', 'leave the texts of fortune files unmarked')
    .addOption(
      new Option('--collection <name>', 'the collection of the records, whatever the file name says').choices(
        catalogue.map(({ name }) => name),
      ),
    )
    .addOption(
      new Option('--format <name>', 'the format of the file, whatever its name says').choices([
        'ndjson',
        'json',
        'csv',
        'fortune',
      ]),
    )
    .option('--page-size <n>', 'records per request to a server', positive, 100)
    .option('--spool <folder>', 'where to store the pages of a server until they are imported')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action((source: string, path: string | undefined, options: Options, command: Command) =>
      atDesk(command, ({ engine }) => bringIn(engine, source, path, options), { mayCreate: true, bulk: true }),
    )
}

function positive(given: string): number {
  const number = Number(given)
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('Give a whole number above 0.')
  return number
}

function userName(given: string): string {
  const name = tidyName(given)
  const fault = faultOfName(name)
  if (fault) throw new InvalidArgumentError(fault)
  return name
}

/** Errors that end an import and are reported in one line. */
const STOPS = [NotImportable, Unreachable, NamesExistingUsers, SignedUpMeanwhile]

async function bringIn(engine: Engine, source: string, path: string | undefined, options: Options): Promise<void> {
  const progress = new ProgressLine()
  let opened: Opened | undefined
  try {
    opened = await open(engine, source, path, options, progress)
    const report = await run(engine, opened.sources, options, progress)
    progress.clear()
    say(showReport(report, options))
    if (opened.words && !options.dryRun) await bringWords(engine, opened.words())
    if (report.faults > 0) process.exitCode = 1
    if (!options.dryRun) opened.done()
  } catch (error) {
    progress.clear()
    if (error instanceof StoppedAtFault)
      throw new Mistake(`${error.message}\nnymdex: stopped there; nothing was changed`)
    if (error instanceof Error && STOPS.some((stop) => error instanceof stop)) throw new Mistake(error.message)
    throw error
  } finally {
    opened?.close()
  }
}

function run(
  engine: Engine,
  sources: readonly Source[],
  { keepIds = false, dryRun = false, strict = false, toExistingUsers = false, owner }: Options,
  progress: ProgressLine,
): Promise<Report> {
  const sizes = sources.map(({ size }) => size)
  const all = sizes.every((size) => size > 0) ? sizes.reduce((sum, size) => sum + size) : 0
  return runImport(engine, sources, {
    keepIds,
    dryRun,
    strict,
    toExistingUsers,
    owner,
    onFault: ({ file, line, reason }) => progress.say(`${file}:${line}: ${reason}`),
    onProgress({ source, end, records }) {
      const before = sizes.slice(0, sources.indexOf(source)).reduce((sum, size) => sum + size, 0)
      progress.show({ title: source.name, records, part: all > 0 ? (before + end) / all : undefined })
    },
  })
}

/** What a dictionary says about words. */
interface DictionaryWords {
  readonly synonyms: readonly SynonymPair[]
  readonly related: readonly RelatedRow[]
}

/** They replace those of an earlier import. */
async function bringWords({ store, catalogue }: Engine, { synonyms, related }: DictionaryWords): Promise<void> {
  await store.write(function* () {
    yield* replaceRelatedWords(related)
    yield* replaceSynonyms(catalogue, synonyms)
  })
  say(`\n${synonyms.length.toLocaleString('en')} synonyms for search`)
  say(`${related.length.toLocaleString('en')} words with the words that have to do with them`)
}

interface Opened {
  readonly sources: readonly Source[]
  /** What a dictionary also has. */
  words?(): DictionaryWords
  /** Everything is imported, so the pages stored for another try can go. */
  done(): void
  /** On success and on failure. */
  close(): void
}

async function open(
  engine: Engine,
  source: string,
  path: string | undefined,
  options: Options,
  progress: ProgressLine,
): Promise<Opened> {
  if (source === 'wordnet') {
    const dictionary = wordnetFolder(path)
    return { sources: [wordnet(dictionary)], words: () => wordsOf(dictionary), done() {}, close() {} }
  }
  if (path !== undefined) throw new Mistake('give one source; only "wordnet" takes a path')
  const resource = catalogue.find(({ name }) => name === options.collection)
  if (/^https?:\/\//i.test(source)) return openServer(engine, source, options, progress)
  const folder = source === '-' ? await keepInput() : undefined
  const from = folder ? join(folder, 'standard-input') : source
  const close = () => folder && rmSync(folder, { recursive: true })
  try {
    if (!existsSync(from)) throw new Mistake(`there is no file or folder ${from}`)
    return { sources: await sourcesOf(engine, from, resource, options, progress), done() {}, close }
  } catch (error) {
    close()
    throw error
  }
}

async function sourcesOf(
  engine: Engine,
  path: string,
  resource: AnyResource | undefined,
  { format, annotate }: Options,
  progress: ProgressLine,
): Promise<Source[]> {
  const enrich = annotate ? await annotator(engine) : undefined
  return sourcesAt(path, { catalogue, resource, format, enrich, onNote: (line) => progress.say(line) })
}

/** Stores the pages in a folder first, so that an interrupted walk resumes. */
async function openServer(engine: Engine, url: string, options: Options, progress: ProgressLine): Promise<Opened> {
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  const folder = options.spool ?? join(tmpdir(), `nymdex-import-${name}`)
  makeFolder(folder, 0o700)
  // Another user's files are not imported.
  if (statSync(folder).uid !== (process.getuid?.() ?? 0))
    throw new Mistake(`${folder} belongs to another user: use --spool`)
  const collections = catalogue.map(({ name, views }) => ({ name, views: Object.keys(views ?? {}) }))
  const walking = walkCatalogue(url, folder, {
    collections,
    ...(options.collection ? { only: [options.collection] } : {}),
    pageSize: options.pageSize,
    onNote: (line) => progress.say(line),
    onPage: ({ collection, records, count }) => {
      progress.show({ title: `reading ${collection}`, records, part: count > 0 ? records / count : undefined })
    },
  })
  await walking.finally(() => readdirSync(folder).length === 0 && rmdirSync(folder))
  return {
    sources: await sourcesOf(engine, folder, undefined, options, progress),
    done: () => rmSync(folder, { recursive: true }),
    close() {},
  }
}

/** A file can be read from its beginning as often as needed; a pipe cannot. */
async function keepInput(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'nymdex-import-'))
  await pipeline(process.stdin, createWriteStream(join(folder, 'standard-input')))
  return folder
}

/** Reads all at once, because there are few; so progress knows how many are left. */
function wordnet(folder: string): Source {
  const records = [...wordnetRecords(folder)]
  return {
    name: 'wordnet',
    size: records.length,
    items: () => records.map(({ collection, line, body }, i) => ({ collection, line, end: i + 1, found: body })),
  }
}

function wordsOf(dictionary: string): DictionaryWords {
  return { synonyms: synonymsOf(dictionary), related: Array.from(relatedWordsOf(dictionary), relatedRow) }
}
