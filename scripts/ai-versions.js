// Installs the packed package beside each version of the AI SDK that it says it works with, and lets models decide hooks there:
//   npm run ai-versions
// Needs the registry, and Node 22 for version 7 (taken from the package node@22 where this Node is older).

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readCall } from './read-options.js'

readCall(import.meta.url, {}) // it has no options

const repository = fileURLToPath(new URL('..', import.meta.url))

/** Packages that belong together, the Node they need, and what is to be seen. */
const INSTALLATIONS = [
  { packages: ['ai@6', '@ai-sdk/anthropic@3', '@ai-sdk/openai-compatible@2'], node: 20, works: true },
  { packages: ['ai@7', '@ai-sdk/anthropic@4', '@ai-sdk/openai-compatible@3'], node: 22, works: true },
  { packages: ['ai@7', '@ai-sdk/anthropic@3', '@ai-sdk/openai-compatible@2'], node: 22, works: true },
  { packages: ['ai@6', '@ai-sdk/anthropic@4', '@ai-sdk/openai-compatible@3'], node: 22, works: false },
]

const PROGRAM = `
import { generateText, stepCountIs, tool } from 'ai'
import { openEngine } from 'hookline'
import { openModels, resolveModel } from 'hookline/models'
import { startModelServer } from 'hookline/testing'
import { haltOf, isHalted, withHooks } from 'hookline/tools'
import * as z from 'zod'

const no = { text: JSON.stringify({ ok: false, reason: 'It leaves this machine.' }) }
const verdict = { tools: [{ name: 'Verdict', input: { ok: false, reason: 'It leaves this machine.' } }] }
const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push' } }
const seen = {}
for (const model of ['anthropic/claude-haiku-5-5', 'openai/local']) {
  for (const [type, answers] of [['prompt', [no]], ['agent', [{ tools: [{ name: 'Read', input: { path: 'package.json' } }] }, verdict]]]) {
    const server = await startModelServer(answers)
    const engine = await openEngine({ trust: 'accepted', models: openModels({ env: server.env }) })
    await engine.register({ PreToolUse: [{ hooks: [{ type, prompt: 'Nothing leaves this machine.', model }] }] })
    const { decision } = await engine.dispatch(event)
    seen[type + ' ' + model] = decision.reason ?? decision.messages.map(({ text }) => text).join()
    await engine.close()
    await server.close()
  }
}

const ran = []
const light = tool({ inputSchema: z.object({ room: z.string() }), execute: async ({ room }) => (ran.push(room), 'on') })
const server = await startModelServer([
  { tools: [{ name: 'light', input: { room: 'attic' } }, { name: 'light', input: { room: 'hall' } }] },
  { tools: [{ name: 'light', input: { room: 'cellar' } }, { name: 'light', input: { room: 'kitchen' } }] },
])
const engine = await openEngine({ trust: 'accepted' })
await engine.on('PreToolUse', () => ({ decision: 'block', reason: 'no' }), { matcher: 'tool_input.room == "attic"' })
const halt = { continue: false, stopReason: 'Enough' }
await engine.on('PreToolUse', () => new Promise((resolve) => setTimeout(resolve, 100, halt)), { matcher: 'tool_input.room == "kitchen"' })
try {
  const { steps } = await generateText({
    model: await resolveModel('openai/local', { env: server.env }),
    prompt: 'Go',
    tools: withHooks({ light }, engine),
    stopWhen: [stepCountIs(5), isHalted],
    maxRetries: 0,
  })
  seen.tools = [ran, server.requests.length, haltOf(steps)?.stopReason]
} catch (error) {
  seen.tools = error.message
}
await engine.close()
await server.close()
console.log(JSON.stringify(seen))
`

const root = mkdtempSync(join(tmpdir(), 'hookline-ai-'))
try {
  main()
} finally {
  rmSync(root, { recursive: true, force: true })
}

function main() {
  if (!canReachRegistry()) {
    console.log('Skipped: the npm registry cannot be reached, so no version of the AI SDK can be installed.')
    return
  }
  const packed = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', root], {
    cwd: join(repository, 'packages/hookline'),
  })
  const tarball = join(root, packed.trim().split('\n').at(-1) ?? '')
  const failed = INSTALLATIONS.filter((installation) => !isRight(tarball, installation))
  if (failed.length > 0) process.exitCode = 1
}

function canReachRegistry() {
  try {
    run('npm', ['view', 'ai', 'version'], { timeout: 30_000 })
    return true
  } catch {
    return false // no network, or no such registry
  }
}

/**
 * Whether what is seen in an installation is what should be.
 *
 * @param {string} tarball
 * @param {typeof INSTALLATIONS[number]} installation
 */
function isRight(tarball, { packages, node, works }) {
  const folder = mkdtempSync(join(root, 'host-'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  mkdirSync(join(folder, 'home'))
  writeFileSync(join(folder, 'program.mjs'), PROGRAM)
  const older = Number(process.versions.node.split('.')[0]) < node
  const name = `${packages.join(' ')}${older ? `, Node ${node}` : ''}`
  try {
    const more = ['zod@4', ...(older ? [`node@${node}`] : [])]
    run('npm', ['install', '--no-audit', '--no-fund', ...packages, ...more], { cwd: folder })
    run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder }) // beside what is there: here ERESOLVE shows
    const program = older ? join(folder, 'node_modules/node/bin/node') : process.execPath
    const env = { ...process.env, HOME: join(folder, 'home') }
    const seen = JSON.parse(run(program, ['program.mjs'], { cwd: folder, env }).trim().split('\n').at(-1) ?? '')
    const right = works ? isGuarded(seen) : isExplained(seen)
    console.log(`${right ? 'ok' : 'WRONG'}  ${name}${right ? '' : `\n${JSON.stringify(seen, null, 2)}`}`)
    return right
  } catch (error) {
    const { stderr, message } = Object(error) // what execFileSync throws
    console.log(`FAILED  ${name}\n${stderr || message}`)
    return false
  }
}

/** @param {{ tools?: unknown, [hook: string]: unknown }} seen */
function isGuarded({ tools, ...hooks }) {
  const decided = Object.values(hooks).every((reason) => String(reason).endsWith('It leaves this machine.'))
  return decided && JSON.stringify(tools) === JSON.stringify([['hall'], 2, 'Enough'])
}

/**
 * Packages that do not fit say so at the first hook.
 *
 * @param {{ tools?: unknown, [hook: string]: unknown }} seen
 */
function isExplained({ tools: _, ...hooks }) {
  return Object.values(hooks).every((text) => /do not fit each other.*npm i ai@latest/.test(String(text)))
}

/**
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number }} options
 * @returns {string}
 */
function run(file, args, options = {}) {
  return execFileSync(file, args, { encoding: 'utf8', timeout: 200_000, stdio: ['ignore', 'pipe', 'pipe'], ...options })
}
