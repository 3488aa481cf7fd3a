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

/** Most requests run through these. */
const BUSY =
  /^src\/(http\/(exchange|request|response|routing|server)\/|cache\/|engine\/cache\/|engine\/(ask|as-of|facets|pick|query-timeout|read|transact|write)\.ts)/

/**
 * For each generator function that is written inside another function, V8 makes a hidden class when it runs. That takes
 * longer than the generator itself, and all that the function refers to, such as the request, stays until the next full
 * collection of garbage.
 */
function innerGenerators(files: readonly ts.SourceFile[]): string[] {
  const isGenerator = (node: ts.Node) => ts.isFunctionExpression(node) && node.asteriskToken !== undefined
  return files.flatMap((file) => [...nodesOf(file)].filter(isGenerator).map((node) => placeOf(file, node)))
}

test('a request makes no generator functions of its own', () => {
  const made = innerGenerators(files)
  // Where it happens now and then, it does no harm.
  assert.ok(made.length > 0)
  assert.deepEqual(
    made.filter((place) => BUSY.test(place)),
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
