#!/usr/bin/env node
// Committed, because npm links a bin before the build makes dist. CommonJS, because Node starts that sooner.
const { join } = require('node:path')

const [major, minor] = process.versions.node.split('.').map(Number)
/** What others call for every event; the rest is loaded as modules. */
const QUICK_COMMANDS = ['fire', 'explain']

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`hookline needs Node 20.19 or newer, and this is ${process.version}.`)
  process.exitCode = 1
} else if (QUICK_COMMANDS.includes(process.argv[2])) {
  const { runCompiled } = require('./compiled.js')
  runCompiled(join(__dirname, '../dist/cli/quick.cjs'), {
    require,
    importFromBin: (path) => import(path),
    keep: process.argv[2] === 'fire', // to explain is to look, and a look writes nothing
  })
} else {
  void import('../dist/cli/main.js')
}
