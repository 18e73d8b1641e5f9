/** One run of a client against a scripted model, in folders of its own that are gone afterwards. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bySteps, startModelServer } from 'hookline/testing'
import { ROOT } from '../tools.js'
import { commandOf } from './install.js'

/**
 * @import { ModelRequest, SpokenAnswer } from 'hookline/testing'
 * @import { Client, Place } from './client.js'
 */

/**
 * What is asked of a client.
 * @typedef {object} Task
 * @property {string} model
 * @property {(project: string) => readonly SpokenAnswer[]} steps what the model says
 * @property {Record<string, string>} [files] of the project
 * @property {(place: Place & { env: NodeJS.ProcessEnv }) => void} [prepare] what is done before the client starts
 */

/**
 * What was seen of a run. `read` gives a file of the project, null when there is none.
 * @typedef {{ project: string, requests: readonly ModelRequest[], read: (file: string) => string | null, output: string, isLate: boolean }} Seen
 */

/**
 * Runs a client once. `look` sees the project before it is removed.
 * @template Result
 * @param {Client} client
 * @param {Task} task
 * @param {(seen: Seen) => Result} look
 * @returns {Promise<Result>}
 */
export async function runClient(client, { model, steps, files = {}, prepare }, look) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `hookline-${client.name}-`)))
  const project = join(root, 'project')
  const home = join(root, 'home')
  for (const folder of [project, home, join(root, 'tmp')]) mkdirSync(folder)
  const server = await startModelServer(bySteps(steps(project)), { otherPaths: 'empty' })
  try {
    const place = { home, project, url: server.url, model }
    writeFiles(project, files)
    writeFiles(home, client.files(place))
    const env = environment(root, client.env(place))
    prepare?.({ ...place, env })
    const { output, isLate } = await spawned(client, client.args('Do as scripted.', place), { cwd: project, env })
    await endLeftOvers(root)
    const { requests } = server
    return look({ project, requests, read: (file) => readIfThere(join(project, file)), output, isLate })
  } finally {
    await endLeftOvers(root)
    await server.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
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
  const timer = setTimeout(() => {
    isLate = true
    endGroup(child.pid)
  }, client.seconds * 1000)
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

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // the call did not run
  }
}
