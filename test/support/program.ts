/**
 * The source as TypeScript's compiler sees it, syntax and types, for checks that neither it nor the linter makes. The
 * compiler that this project is checked with cannot be called from JavaScript, so this is the last one that can.
 */
import { join, relative } from 'node:path'
import { getLibFiles, libFolderInMemoryPath, ts } from '@ts-morph/common'

const ROOT = join(import.meta.dirname, '..', '..')

export interface Source {
  readonly checker: ts.TypeChecker
  /** All files of `src`. */
  readonly files: readonly ts.SourceFile[]
  /** An additional file of `src/store`, which is not on the disk. */
  readonly planted: ts.SourceFile
}

export function readSource(planted: string): Source {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
  const extra = join(ROOT, 'src', 'store', 'planted.ts')
  const names = fileNames.filter(isOfSource)
  const program = ts.createProgram([...names, extra], options, hostWith(options, new Map([[extra, planted]])))
  const files = program.getSourceFiles().filter(({ fileName }) => isOfSource(fileName) && fileName !== extra)
  return { checker: program.getTypeChecker(), files, planted: program.getSourceFile(extra)! }
}

/** Reads from the disk, except for these files and the compiler's own library, which is not on it. */
function hostWith(options: ts.CompilerOptions, texts: Map<string, string>): ts.CompilerHost {
  for (const { fileName, text } of getLibFiles()) texts.set(`${libFolderInMemoryPath}/${fileName}`, text)
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  return {
    ...host,
    getDefaultLibLocation: () => libFolderInMemoryPath,
    getDefaultLibFileName: (given) => `${libFolderInMemoryPath}/${ts.getDefaultLibFileName(given)}`,
    fileExists: (path) => texts.has(path) || fileExists(path),
    readFile: (path) => texts.get(path) ?? readFile(path),
    getSourceFile: (path, target, ...given) => {
      const text = texts.get(path)
      return text === undefined ? getSourceFile(path, target, ...given) : ts.createSourceFile(path, text, target)
    },
  }
}

function isOfSource(name: string): boolean {
  return !relative(join(ROOT, 'src'), name).startsWith('..')
}

/** Every node of a file. */
export function* nodesOf(node: ts.Node): Generator<ts.Node, void> {
  yield node
  const children: ts.Node[] = []
  node.forEachChild((child) => void children.push(child))
  for (const child of children) yield* nodesOf(child)
}

/** `src/store/rank.ts:12`. */
export function placeOf(file: ts.SourceFile, node: ts.Node): string {
  const { line } = file.getLineAndCharacterOfPosition(node.getStart(file))
  return `${relative(ROOT, file.fileName).replaceAll('\\', '/')}:${line + 1}`
}
