#!/usr/bin/env node
// Committed, because npm links a bin before the build makes dist. CommonJS, because Node starts that sooner.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

const [major, minor] = process.versions.node.split('.').map(Number)
/** What others call for every event; the rest is loaded as modules. */
const QUICK_COMMANDS = ['fire', 'explain']

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`hookline needs Node 20.19 or newer, and this is ${process.version}.`)
  process.exitCode = 1
} else if (QUICK_COMMANDS.includes(process.argv[2])) {
  runQuickCommand(join(__dirname, '../dist/cli/quick.cjs'))
} else {
  void import('../dist/cli/main.js')
}

/** Runs the bundle from what the build has compiled of it, where that was done by the same Node. */
function runQuickCommand(filename) {
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    cachedData: compiledBy(`${process.version}-${process.platform}-${process.arch}`, filename),
  })
  script.runInThisContext()(require, (path) => import(path))
}

function compiledBy(node, filename) {
  try {
    return readFileSync(`${filename}.${node}`)
  } catch {
    return undefined // built by another one
  }
}
