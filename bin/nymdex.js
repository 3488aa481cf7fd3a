#!/usr/bin/env -S node --max-semi-space-size=16 --no-memory-reducer
// The first option makes Node collect garbage earlier, which saves a busy server 150 MB. The second keeps compiled code
// while nobody is connected: without it, cached responses are up to a fifth slower after a pause.
//
// Old syntax on purpose: an old Node must get as far as the sentence below instead of a syntax error. 24.18.1 is the
// security release of July 2026. It is the newest one that the Node packages of package.json have reached on every
// platform; raise it when they have reached a newer one.
var oldest = [24, 18, 1]
var found = process.versions.node.split('.').map(Number)
if (
  found[0] < oldest[0] ||
  (found[0] === oldest[0] && (found[1] < oldest[1] || (found[1] === oldest[1] && found[2] < oldest[2])))
) {
  console.error(
    'nymdex: needs Node ' +
      oldest.join('.') +
      ' or newer, and this is Node ' +
      process.versions.node +
      (process.platform === 'darwin' && process.arch === 'arm64'
        ? '. On Apple silicon "npm ci" installs no Node: install a newer one.'
        : '. Run it through npm (npm start, npx nymdex), which uses the Node that "npm ci" installed.')
  )
  process.exit(1)
}
// Caches stripped types, which saves most of the time to the first response. The cache is not in the folder for temporary
// files, which all users share: the owner of the cache decides what others run.
function cacheFolder(fs, url) {
  try {
    var folder = url.fileURLToPath(new URL('../var/compile-cache', import.meta.url))
    fs.mkdirSync(url.fileURLToPath(new URL('../var', import.meta.url)), { recursive: true })
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    fs.accessSync(folder, fs.constants.W_OK)
    var stat = fs.lstatSync(folder)
    var isOurs = !process.getuid || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0)
    return stat.isDirectory() && isOurs ? folder : undefined
  } catch (error) {
    return undefined
  }
}
// Files of the program import each other by their whole names. Node would still look for each on the disk, with the
// package that it belongs to and where links lead: a quarter of the time to the first response.
function ownImports(folder, names, format) {
  var own = new URL(folder, import.meta.url).href
  return {
    resolve: function (name, context, next) {
      var isOwn = names.test(name) && context.parentURL && context.parentURL.indexOf(own) === 0
      if (!isOwn) return next(name, context)
      return { url: new URL(name, context.parentURL).href, format: format, shortCircuit: true }
    }
  }
}
Promise.all([import('node:module'), import('node:fs'), import('node:url')])
  .then(function (modules) {
    var module = modules[0]
    var folder = cacheFolder(modules[1], modules[2])
    // Other runtimes do not have this function.
    if (folder && typeof module.enableCompileCache === 'function') module.enableCompileCache(folder)
    // A checkout runs the TypeScript; the package has JavaScript instead.
    var isCheckout = modules[1].existsSync(new URL('../src/cli/main.ts', import.meta.url))
    if (typeof module.registerHooks === 'function') {
      module.registerHooks(
        isCheckout
          ? ownImports('../src/', /^\..*\.ts$/, 'module-typescript')
          : ownImports('../dist/', /^\..*\.js$/, 'module')
      )
    }
    return isCheckout ? import('../src/cli/main.ts') : import('../dist/cli/main.js')
  })
  .catch(function (error) {
    console.error('nymdex: ' + (error && error.message ? error.message : error))
    process.exit(1)
  })
