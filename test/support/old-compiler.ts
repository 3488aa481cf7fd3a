/**
 * For tools that call TypeScript's compiler from JavaScript, which the project's version does not offer: it gives them
 * the last version that did, as `typescript`. Use it with `node --import`.
 */
import { registerHooks } from 'node:module'

const url = import.meta.resolve('@ts-morph/common/dist/typescript.js')

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url, shortCircuit: true } : next(specifier, context),
})
