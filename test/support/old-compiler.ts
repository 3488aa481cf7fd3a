/**
 * For tools that call TypeScript's compiler from JavaScript, which the one this project is checked with does not offer:
 * to them `typescript` is the last one that did. `node --import` this file.
 */
import { registerHooks } from 'node:module'

const url = import.meta.resolve('@ts-morph/common/dist/typescript.js')

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url, shortCircuit: true } : next(specifier, context),
})
