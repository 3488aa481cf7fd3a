/** Small mistakes that can be made in a source file: where, and the file with each of them. */
import { readFileSync } from 'node:fs'
import { ts } from '@ts-morph/common'

export interface Mutant {
  readonly file: string
  readonly line: number
  readonly before: string
  readonly after: string
  readonly start: number
  readonly end: number
}

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
}

export function mutantsOf(file: string): Mutant[] {
  const text = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true)
  const mutants: Mutant[] = []
  const add = (node: ts.Node, after: string) => {
    const [start, end] = [node.getStart(source), node.getEnd()]
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    mutants.push({ file, line, before: text.slice(start, end), after, start, end })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS[node.operatorToken.getText(source)]
      const isText = [node.left, node.right].some((side) => ts.isStringLiteral(side) || ts.isTemplateExpression(side))
      if (other && !isText) add(node.operatorToken, other)
    }
    if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText(source)})`)
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(source)})`)
    if (ts.isNumericLiteral(node)) add(node, String(Number(node.text.replaceAll('_', '')) + 1))
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false')
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true')
    if (ts.isExpressionStatement(node)) add(node, ';')
    node.forEachChild(visit)
  }
  visit(source)
  return mutants
}

/** The text of the file with the mistake in it. */
export function mutated({ start, end, after }: Mutant, text: string): string {
  return text.slice(0, start) + after + text.slice(end)
}
