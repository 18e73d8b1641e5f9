/**
 * Runs clients that are installed, each with hooks and without, and prints what is known of one as a line of JSON, after each of its
 * runs. Started where nothing but loopback can be reached.
 */
import { execFileSync } from 'node:child_process'
import { CAPABILITIES, RUNS } from './capabilities.js'
import { censusTask, toCensus } from './census.js'
import { CLIENTS } from './list.js'
import { hookedProject } from './looking.js'
import { runClient } from './run-client.js'

/**
 * @import { ModelRequest } from 'hookline/testing'
 * @import { Census } from './census.js'
 * @import { Client } from './client.js'
 * @import { Outcome, Run } from './looking.js'
 * @import { Script, Task } from './run-client.js'
 */

/**
 * What was seen of a client: an outcome by capability, the same of its controls, the ways of its hooks in all runs,
 * its tools, and why it could not go on.
 * @typedef {{ name: string, controls: Record<string, boolean>, outcomes: Record<string, Outcome>, ways: Record<string, number>, census: Census | null, failed: string | null }} Measured
 */

const [how, way, runs, ...names] = process.argv.slice(2)
for (const client of CLIENTS) {
  if (!names.includes(client.name)) continue
  const census = how === 'controls' ? null : await takeCensus(client)
  /** @type {Measured} */
  const unseen = { name: client.name, controls: {}, outcomes: {}, ways: {}, census, failed: null }
  const measured = how === 'census' ? unseen : await measure(client, unseen, { isControlOnly: how === 'controls' })
  console.log(JSON.stringify(measured))
}

/**
 * The tools of a client with a bridge of its name, from a run with each of the models; null where there is nothing to read.
 * @param {Client} client
 */
async function takeCensus(client) {
  const { census } = client
  if (census === undefined) return null
  /** @type {ModelRequest[]} */
  const requests = []
  for (const model of census.models)
    await runClient(client, censusTask(census, model), (seen) => {
      requests.push(...seen.requests)
      tell(client, `tools for ${model}`, seen.output)
    })
  return toCensus({ ...client, census }, requests)
}

/**
 * @param {Client} client
 * @param {Measured} measured what is known so far
 * @param {{ isControlOnly: boolean }} options
 * @returns {Promise<Measured>}
 */
async function measure(client, measured, { isControlOnly }) {
  const wanted = CAPABILITIES.filter(({ has }) => has?.(client) ?? true)
  for (const run of RUNS) {
    const model = run.model(client)
    const asked = wanted.filter((capability) => capability.run === run.name)
    if (model === null || asked.length === 0 || !(runs === '' || runs?.split(',').includes(run.name))) continue
    const changed = run.as?.(client) ?? client
    const task = taskOf(changed, run, model)
    await runClient(changed, task, (seen) => {
      for (const { name, control } of asked) measured.controls[name] = control(seen)
      tell(client, `${run.name} without hooks`, seen.output)
    })
    if (isControlOnly) continue
    const failed = await runClient(changed, hooked(changed, run, task), (seen) => {
      for (const { name, guarded } of asked)
        measured.outcomes[name] = unlessTold(changed, name, guarded(seen), seen.told)
      for (const [taken, count] of Object.entries(seen.ways)) measured.ways[taken] = (measured.ways[taken] ?? 0) + count
      tell(client, `${run.name} with hooks`, seen.output)
      return null
    }).catch((error) => String(Object(error).stderr || error).trim()) // hookline refused to install the bridge
    if (failed !== null) return { ...measured, failed }
    console.log(JSON.stringify(measured))
  }
  return measured
}

/**
 * An outcome; told, where it is a wrong one of which Hookline warns beforehand.
 * @param {Client} client
 * @param {string} capability
 * @param {Outcome} outcome
 * @param {string} told what Hookline said of the installed bridge
 * @returns {Outcome}
 */
function unlessTold({ warned }, capability, outcome, told) {
  const isWarned = warned?.capabilities.includes(capability) && warned.says.test(told.replace(/\s+/g, ' '))
  return typeof outcome === 'object' && isWarned ? 'told' : outcome
}

/**
 * @param {Client} client
 * @param {Run} run
 * @param {string} model
 * @returns {Task}
 */
function taskOf(client, { files, calls, script, missing, isResumed = false }, model) {
  const steps = (/** @type {string} */ project) =>
    calls(client, project).flatMap((call) => (call ? [{ tools: [call] }] : []))
  return {
    model,
    files: () => files,
    steps,
    isResumed,
    ...(script && { script: (/** @type {Script} */ main) => script(client, main) }),
    ...(missing && { missing }),
  }
}

/**
 * The same task in a project with hooks, which are mostly trusted, and with the bridge that carries them.
 * @param {Client} client
 * @param {Run} run
 * @param {Task} task
 * @returns {Task}
 */
function hooked(client, { hooked = () => hookedProject(), homeFiles, ...install }, task) {
  return {
    ...task,
    files: (hookUrl) => ({ ...task.files(hookUrl), ...hooked(hookUrl) }),
    ...(homeFiles && { homeFiles }),
    prepare: ({ project, env }) => {
      const hookline = (/** @type {string[]} */ ...args) =>
        execFileSync('hookline', args, { cwd: project, env, encoding: 'utf8', timeout: 120_000, stdio: 'pipe' })
      return installWith(hookline, client, install)
    },
  }
}

/**
 * Installs what carries the hooks, or the guards alone. Returns what Hookline says of it.
 * @param {(...args: string[]) => string} hookline
 * @param {Client} client
 * @param {Pick<Run, 'scope' | 'isTrusted' | 'isGuarded'>} run
 */
function installWith(hookline, client, { scope = 'user', isTrusted = true, isGuarded = false }) {
  const { name, isBridged, isWrapped, agent = name } = client
  const written = ['--yes', ...(way === 'cold' ? ['--no-resident'] : [])]
  const missing = (/** @type {string} */ where) => (where === 'project' ? ['--if-missing', 'refuse'] : [])
  if (isGuarded) {
    const [guarded, where] = isBridged ? [agent, scope] : ['claude-code', 'project'] // others load the project's file alone
    return hookline('guard', 'add', '--agent', guarded, '--scope', where, ...missing(where), ...written)
  }
  if (isWrapped) hookline('wrap', 'install', ...written)
  if (!isBridged) return client.agent === undefined ? '' : hookline('bridge', 'status', agent)
  const { digest } = JSON.parse(hookline('trust', '--json'))
  if (isTrusted) hookline('trust', 'accept', '--yes', digest)
  hookline('bridge', 'install', agent, '--scope', scope, ...missing(scope), ...written)
  return hookline('bridge', 'status', agent)
}

/**
 * @param {Client} client
 * @param {string} what
 * @param {string} output
 */
function tell({ name }, what, output) {
  if (process.env.HOOKLINE_CLIENTS_DEBUG) console.error(`--- ${name}, ${what}\n${output}`)
  else console.error(`${name}: ${what}`)
}
