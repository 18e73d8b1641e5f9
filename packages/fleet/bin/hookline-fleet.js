#!/usr/bin/env node
// Committed, because npm links a bin before the build makes dist.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 20 || (major === 20 && minor >= 19)) {
  await import('../dist/main.js')
} else {
  console.error(`hookline-fleet needs Node 20.19 or newer, and this is ${process.version}.`)
  process.exitCode = 1
}
