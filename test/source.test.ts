/** Checks of the source that neither the compiler nor the linter makes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ts } from '@ts-morph/common'
import { nodesOf, placeOf, readSource } from './support/program.ts'

/** Every way to forget it, and cases where nothing is forgotten. */
const PLANTED = `
import { query, type Work } from './database.ts'
class Things {
  *put(id: number): Work<number> { yield* query('', id); return id }
  all?: Things
}
export function* work(things: Things, ids: number[], note: () => void, some: boolean): Work<number> {
  things.put(1)
  some && things.put(2)
  things.all?.put(3)
  void query('')
  ids.forEach((id) => things.put(id))
  yield query('')
  const kept = things.put(6)
  yield* query('')
  yield* some ? query('a') : query('b')
  note()
  yield* kept
  return yield* things.put(7)
}
export function later(things: Things): Work<number> { return things.put(8) }
export const asWell = (things: Things): Work<number> => things.put(9)
`
const { checker, files, planted } = readSource(PLANTED)

/** A generator that is created and not run does nothing, and the compiler does not say so: `yield*` was forgotten. */
function droppedGenerators(files: readonly ts.SourceFile[]): string[] {
  const isGenerator = (type: ts.Type): boolean =>
    type.isUnion() ? type.types.some(isGenerator) : type.getSymbol()?.name === 'Generator'
  const makesOne = (node: ts.Expression | undefined): boolean =>
    node !== undefined && isGenerator(checker.getTypeAtLocation(node))
  const isDropped = (node: ts.Node): boolean => {
    if (ts.isExpressionStatement(node)) return !isAssignment(node.expression) && makesOne(node.expression)
    if (ts.isVoidExpression(node) || ts.isAwaitExpression(node)) return makesOne(node.expression)
    if (ts.isYieldExpression(node)) return !node.asteriskToken && makesOne(node.expression)
    // A generator passed to a function that ignores it, such as forEach.
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
      const wanted = checker.getContextualType(node)?.getCallSignatures()[0]?.getReturnType()
      return wanted !== undefined && (wanted.flags & ts.TypeFlags.Void) !== 0 && makesOne(node.body)
    }
    return false
  }
  return files.flatMap((file) =>
    [...nodesOf(file)].filter(isDropped).map((node) => `${placeOf(file, node)}: ${node.getText(file).split('\n')[0]}`),
  )
}

function isAssignment(node: ts.Node): boolean {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken
}

test('every work that is created is run: no `yield*` is forgotten', () => {
  assert.deepEqual(droppedGenerators(files), [])
})

test('a forgotten `yield*` is found, however it is forgotten', () => {
  const found = droppedGenerators([planted]).map((each) => each.split(/:\d+: /)[1])
  assert.deepEqual(found, [
    'things.put(1)',
    'some && things.put(2)',
    'things.all?.put(3)',
    "void query('')",
    '(id) => things.put(id)',
    "yield query('')",
  ])
})

/** How often the source tells the compiler to look away. Lower a number when there are fewer; never raise one. */
const MOST = { any: 46, as: 126, '!': 368 }

/** Most requests run through these folders and files. */
const BUSY = [
  'src/cache/',
  'src/engine/cache/',
  'src/http/exchange/',
  'src/http/request/',
  'src/http/response/',
  'src/http/routing/',
  'src/http/server/',
  'src/store/',
  ...'as-of ask current-actor facets list-parameters pick query-timeout read show transact write'
    .split(' ')
    .map((name) => `src/engine/${name}.ts`),
]
/** Restores, and once a day. */
const CALM = ['src/store/boards.ts', 'src/store/sqlite-load.ts']

/**
 * A generator function inside another function is a new one each time the outer function runs, and V8 makes a hidden class
 * for each that is called. That takes longer than the generator itself, and all that the function refers to, such as the
 * request, stays until the next full collection of garbage.
 */
function innerGenerators(files: readonly ts.SourceFile[]): string[] {
  const isGenerator = (node: ts.Node) => ts.isFunctionLike(node) && 'asteriskToken' in node && node.asteriskToken
  const isInner = (node: ts.Node) => isGenerator(node) && ts.findAncestor(node.parent, ts.isFunctionLike) !== undefined
  return files.flatMap((file) => [...nodesOf(file)].filter(isInner).map((node) => placeOf(file, node)))
}

const PLANTED_GENERATORS = `
export function* once(): Generator<number> { yield 1 }
export const alsoOnce = function* () { yield 1 }
export class Things { *all() { yield* once() } }
export function each() {
  function* declared() { yield 1 }
  const written = function* () { yield 1 }
  const object = { *method() { yield 1 } }
  const given = () => once()
  return [declared, written, object, given]
}
`

test('a generator function inside another function is found, however it is written', () => {
  const file = ts.createSourceFile('planted.ts', PLANTED_GENERATORS, ts.ScriptTarget.Latest, true)
  assert.deepEqual(
    innerGenerators([file]).map((place) => place.split(':').at(-1)),
    ['6', '7', '8'],
  )
})

test('requests make no generator functions', () => {
  const places = files.map((file) => placeOf(file, file))
  for (const busy of [...BUSY, ...CALM])
    assert.ok(
      places.some((place) => place.startsWith(busy)),
      `${busy} is gone`,
    )
  const isBusy = (place: string) => BUSY.some((busy) => place.startsWith(busy))
  const isCalm = (place: string) => CALM.some((calm) => place.startsWith(calm))
  assert.deepEqual(
    innerGenerators(files).filter((place) => isBusy(place) && !isCalm(place)),
    [],
  )
})

test('there are no more `any`, `as` and `!` than before', () => {
  const found = { any: 0, as: 0, '!': 0 }
  for (const node of files.flatMap((file) => [...nodesOf(file)])) {
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.any++
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) found.as++
    if (ts.isNonNullExpression(node)) found['!']++
  }
  for (const each of ['any', 'as', '!'] as const) {
    assert.ok(found[each] <= MOST[each], `${found[each]} times "${each}", and there may be ${MOST[each]}`)
  }
})
