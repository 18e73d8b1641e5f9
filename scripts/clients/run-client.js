/** One run of a client against a scripted model, in folders of its own that are gone afterwards. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { makeScriptBySteps, startModelServer } from 'hookline/testing'
import { ROOT } from '../tools.js'
import { commandOf } from './install.js'

/**
 * @import { ModelRequest, SpokenAnswer } from 'hookline/testing'
 * @import { Client, Place } from './client.js'
 */

/** @typedef {ReturnType<typeof makeScriptBySteps>} Script */

/**
 * What is asked of a client.
 * @typedef {object} Task
 * @property {string} model
 * @property {(project: string) => readonly SpokenAnswer[]} [steps] what the model says
 * @property {(steps: Script) => Script} [script] what it says, where that depends on the request
 * @property {(hookUrl: string) => Record<string, string>} files of the project
 * @property {(home: string) => Record<string, string | object>} [homeFiles]
 * @property {'hookline' | 'node'} [missing] a program that is gone when the client starts
 * @property {boolean} isResumed the model does as scripted in a second session alone, which goes on with the first
 * @property {(place: Place & { env: NodeJS.ProcessEnv }) => string | void} [prepare] what is done before the client starts; what was printed
 */

/**
 * What was seen of a run. `read` gives a file of the project, null when there is none; `told` is what Hookline said beforehand,
 * `ways` how many calls of hooks came to the resident engine, by what became of them.
 * @typedef {{ project: string, requests: readonly ModelRequest[], read: (file: string) => string | null, output: string, told: string, ways: Record<string, number>, isLate: boolean }} Seen
 */

/**
 * Runs a client once. `look` sees the project before it is removed.
 * @template Result
 * @param {Client} client
 * @param {Task} task
 * @param {(seen: Seen) => Result} look
 * @returns {Promise<Result>}
 */
export async function runClient(client, { model, steps, script, files, homeFiles, missing, isResumed, prepare }, look) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `hookline-${client.name}-`)))
  const project = join(root, 'project')
  const home = join(root, 'home')
  for (const folder of [project, home, join(root, 'tmp')]) mkdirSync(folder)
  const stepped = makeScriptBySteps(steps?.(project) ?? [])
  const scripted = script?.(stepped) ?? stepped
  const server = await startModelServer(isResumed ? onlyAfter(RESUMING, scripted) : scripted, { otherPaths: 'empty' })
  const hooks = await startHookServer()
  try {
    const place = { home, project, url: server.url, model }
    writeFiles(project, files(hooks.url))
    writeFiles(home, { ...client.files(place), ...homeFiles?.(home) })
    const whole = environment(root, client.env(place))
    const told = prepare?.({ ...place, env: whole }) || ''
    const env = missing === undefined ? whole : { ...whole, PATH: removeProgram(missing, root, whole.PATH ?? '') }
    const first = await spawned(client, client.args('Do as scripted.', place), { cwd: project, env })
    const { output, isLate } =
      isResumed && client.resume ? await spawned(client, client.resume(RESUMING, place), { cwd: project, env }) : first
    await endLeftOvers(root)
    const { requests } = server
    const ways = readWays(home)
    return look({ project, requests, read: (file) => readIfThere(join(project, file)), output, told, ways, isLate })
  } finally {
    await endLeftOvers(root)
    await server.close()
    await hooks.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

const RESUMING = 'Go on as scripted.'

/** How many times as long a run may take: more than once on a machine that has other things to do. */
const TIMEOUT_FACTOR = Number(process.env.HOOKLINE_CLIENTS_PATIENCE) || 1

/**
 * The script from a prompt on; before it the model says no more than a text.
 * @param {string} prompt
 * @param {Script} script
 * @returns {Script}
 */
function onlyAfter(prompt, script) {
  return (request) => (JSON.stringify(request.body).includes(prompt) ? script(request) : { text: 'Done.' })
}

/** A hook over http, written for Claude Code: it refuses commands that ask for it. */
async function startHookServer() {
  const server = createServer(async (request, response) => {
    const refused = (await text(request)).includes('http-me')
    const specific = { hookEventName: 'PreToolUse', permissionDecision: 'deny' }
    const deny = { hookSpecificOutput: { ...specific, permissionDecisionReason: 'reason-of-the-http-hook' } }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(refused ? deny : {}))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  return {
    url: `http://127.0.0.1:${port}/hook`,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Nothing of the user's own environment reaches a client.
 * @param {string} root
 * @param {Record<string, string>} own
 * @returns {Record<string, string>}
 */
function environment(root, own) {
  return {
    PATH: [join(ROOT, 'node_modules/.bin'), dirname(process.execPath), '/usr/local/bin:/usr/bin:/bin'].join(':'),
    HOME: join(root, 'home'),
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_UPDATE_NOTIFIER: '1',
    ...own,
  }
}

/**
 * A folder with every program of a PATH but one. Where that is Hookline, what it installed to start itself is gone too.
 * @param {string} program
 * @param {string} root
 * @param {string} path
 */
function removeProgram(program, root, path) {
  if (program === 'hookline') rmSync(join(root, 'home/.hookline/bin'), { recursive: true, force: true })
  const folder = join(root, 'bin')
  mkdirSync(folder)
  for (const from of path.split(':'))
    for (const name of existsSync(from) ? readdirSync(from) : [])
      if (name !== program && !existsSync(join(folder, name))) symlinkSync(join(from, name), join(folder, name))
  return folder
}

/**
 * @param {Client} client
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 */
async function spawned(client, args, options) {
  const [file = '', ...before] = commandOf(client)
  const child = spawn(file, [...before, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const pipe of [child.stdout, child.stderr])
    pipe.setEncoding('utf8').on('data', (text) => {
      output = `${output}${text}`.slice(-20_000)
    })
  let isLate = false
  const timer = setTimeout(
    () => {
      isLate = true
      endGroup(child.pid)
    },
    client.seconds * TIMEOUT_FACTOR * 1000,
  )
  try {
    await once(child, 'exit')
  } catch (error) {
    output += String(error) // the program is not there
  }
  clearTimeout(timer)
  endGroup(child.pid)
  return { output, isLate }
}

/** @param {number | undefined} pid */
function endGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // the group is gone
  }
}

/**
 * Ends what a client left behind in groups of its own: the processes whose environment names its folder.
 * @param {string} root
 */
async function endLeftOvers(root) {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    try {
      if (readFileSync(`/proc/${name}/environ`, 'latin1').includes(`=${root}/`)) process.kill(Number(name), 'SIGKILL')
    } catch {
      // it ended meanwhile, or belongs to another user
    }
  }
}

/**
 * @param {string} folder
 * @param {Record<string, string | object>} files
 */
function writeFiles(folder, files) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
}

/**
 * The figures that a resident engine wrote at its last call.
 * @param {string} home
 * @returns {Record<string, number>}
 */
function readWays(home) {
  const [line = ''] = (readIfThere(join(home, '.hookline/resident/figures.json')) ?? '').split('\n') // it stands there twice
  const figures = JSON.parse(line || '{}')
  const { served = 0, alone = 0, withdrawn = 0, declined = {} } = figures
  const ways = { answered: served, 'ran alone': alone, 'taken back': withdrawn, ...declined }
  return Object.fromEntries(Object.entries(ways).filter(([, count]) => count > 0))
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // the call did not run
  }
}
