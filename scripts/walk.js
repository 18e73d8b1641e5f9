// Counts the functions that an everyday call goes through, by V8's coverage of the built package:
//   npm run walk -- [--json] [--names WALK] [--rooms WALK]
// A function of our sources counts once, however often it is called: what a module does by itself is not a function, and
// neither is what the build adds (see GENERATED). `--names` lists the functions of one walk, `--rooms` counts them by the room
// of the source that they are of, after `node scripts/build.js --maps`.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { link } from '../packages/hookline/bin/link.js'
import { readCall } from './read-options.js'
import { ROOT } from './tools.js'

/**
 * @typedef {{ functionName: string, ranges: { startOffset: number, endOffset: number, count: number }[] }} CoveredFunction
 * @typedef {{ url: string, functions: CoveredFunction[] }} CoveredScript
 * @typedef {{ name: string, command: string, max: number | null, take: (place: Place) => CoveredScript[] | Promise<CoveredScript[]> }} Walk
 * @typedef {{ folder: string, project: string, home: string, temp: string }} Place
 */

const PACKAGES = ['hookline', 'agent'].map((name) => pathToFileURL(join(ROOT, 'packages', name, 'dist')).href)
const HOOKLINE = join(ROOT, 'packages/hookline/bin/hookline.js')
const AGENT = join(ROOT, 'packages/agent/bin/hookline-agent.js')
const CALL = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } }

/** The module that `bin` makes one script of, with the command that is called. */
const LINKED = '/cli/quick.js'

/** Code that no source has, each kind by the name of the function and the start of its text. */
const GENERATED = [
  /^ \(?function\(importFromBin,bundle\)/, // the script that bin/link.js makes
  /^run\d+ \(\)=>\{run\d+=done;/, // a module in it
  /^done \(\)=>\{\}$/, // a module in it that has run already
  /^ \(\)=>\{(?:bundle\.parts\.add\("\w+"\);)?run\d+\(\);return\{/, // a module in it that is loaded on demand
  /^\w* \(\.\.\.\w+\)=>process\.getBuiltinModule\(/, // a function of Node that is loaded when it is called
  /^\w+ \(\w+,\w+\)=>\{for\(var \w+ in \w+\)\w+\(\w+,\w+,\{get:/, // a namespace that esbuild makes
]

/** Walks with the most functions that each may go through; null where none is set. @type {Walk[]} */
const WALKS = [
  { name: 'second PreToolUse', command: '', max: 170, take: walkDispatch },
  { name: 'settings to snapshot', command: '', max: null, take: walkOpening },
  {
    name: 'fire',
    command: 'fire',
    max: 480,
    take: (place) => walkProgram(place, [HOOKLINE, 'fire', 'PreToolUse', '--trust']),
  },
  {
    name: 'fire --json, with a profile',
    command: 'fire',
    max: null,
    take: (place) => walkProgram(place, [HOOKLINE, 'fire', 'PreToolUse', '--trust', '--json', '--profile', 'classic']),
  },
  { name: 'bridge run', command: 'bridge', max: 520, take: (place) => walkBridge(place) },
  { name: 'second bridge run', command: 'bridge', max: null, take: (place) => walkBridge(place, { isSecond: true }) },
  { name: 'call in the agent', command: '', max: null, take: walkAgent },
]

/** Times that each walk is taken. */
const TRIES = 5

const { values } = readCall(import.meta.url, {
  options: { json: { type: 'boolean' }, names: { type: 'string' }, rooms: { type: 'string' } },
})
const only = values.names ?? values.rooms
if (only !== undefined && !WALKS.some(({ name }) => name === only)) {
  console.error(`"${only}" is not a walk. Walks: ${WALKS.map(({ name }) => name).join(', ')}.`)
  process.exitCode = 1
} else if (values.rooms !== undefined && listMaps().length === 0) {
  console.error('The build has no maps that lead to the sources. Make them: node scripts/build.js --maps')
  process.exitCode = 1
} else process.exitCode = await main()

/** @returns {Promise<number>} */
async function main() {
  const walked = []
  for (const walk of WALKS.filter(({ name }) => only === undefined || name === only)) {
    const functions = await findShortest(walk)
    walked.push({ name: walk.name, functions: functions.length, max: walk.max })
    if (values.names !== undefined) for (const { name } of functions) console.log(name)
    if (values.rooms !== undefined)
      for (const [room, count] of countRooms(functions)) console.log(`${room.padEnd(26)}${String(count).padStart(5)}`)
  }
  if (values.json) console.log(JSON.stringify(walked, null, 2))
  else
    for (const { name, functions, max } of walked)
      console.log(
        `${name.padEnd(28)}${String(functions).padStart(5)} functions${max === null ? '' : ` (at most ${max})`}`,
      )
  return walked.some(({ functions, max }) => max !== null && functions > max) ? 1 : 0
}

/**
 * Lists the functions of the shortest of several tries: in a busy machine a hook takes longer, and is listened to in other ways, and
 * shells and interpreters for events to come are started beside it. @param {Walk} walk
 */
async function findShortest(walk) {
  const walks = []
  for (let tries = 0; tries < TRIES; tries++) {
    const place = makePlace()
    walks.push(listCalled(await walk.take(place), walk.command))
    rmSync(place.folder, { recursive: true, force: true })
  }
  const [shortest = []] = walks.sort((one, other) => one.length - other.length)
  return shortest
}

/** Makes a project with one command hook, with a home and a temp folder of its own: what others left in one is swept. @returns {Place} */
function makePlace() {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-walk-'))
  const [project, home, temp] = [join(folder, 'project'), join(folder, 'home'), join(folder, 'temp')]
  mkdirSync(join(project, '.claude'), { recursive: true })
  mkdirSync(home)
  mkdirSync(temp)
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] }
  writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ hooks }))
  return { folder, project, home, temp }
}

/** Covers an event like one that the session has had already. @param {Place} place */
async function walkDispatch(place) {
  const engine = await openHere(place)
  await engine.dispatch(CALL)
  const covered = await coverHere(() => engine.dispatch(CALL))
  await engine.close()
  return covered
}

/** Covers the opening of an engine, after another one has loaded it. @param {Place} place */
async function walkOpening(place) {
  await (await openHere(place)).close()
  /** @type {{ close(): Promise<unknown> }[]} */
  const opened = []
  const covered = await coverHere(async () => opened.push(await openHere(place)))
  for (const engine of opened) await engine.close()
  return covered
}

/** Covers the first call of a session, or the second. @param {Place} place @param {{ isSecond?: boolean }} [of] */
async function walkBridge(place, { isSecond = false } = {}) {
  const { openEngine } = await import('hookline')
  const engine = await openEngine({ project: place.project, home: place.home })
  await engine.acceptTrust()
  await engine.close()
  const input = JSON.stringify({ ...CALL, session_id: 'walk', cwd: place.project })
  const words = [HOOKLINE, 'bridge', 'run', 'codex', 'PreToolUse']
  if (isSecond) runProgram(place, words, {}, input)
  return walkProgram(place, words, input)
}

/** @param {Place} place */
function walkAgent(place) {
  const script = join(place.folder, 'script.json')
  writeFileSync(
    script,
    JSON.stringify({ turns: [{ tools: [{ name: 'Bash', input: { command: 'true' } }] }, { text: 'Done.' }] }),
  )
  return walkProgram(place, [
    AGENT,
    '-p',
    'Go',
    '--model',
    `script:${script}`,
    '--permission-mode',
    'bypassPermissions',
  ])
}

/** @param {Place} place */
async function openHere({ project, home }) {
  const { openEngine } = await import('hookline')
  return openEngine({ project, home, trust: 'accepted' })
}

/** Covers something that happens in this process. @param {() => unknown} act */
async function coverHere(act) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await act()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  return result
}

/** Covers a whole process. @param {Place} place @param {string[]} words @param {string} [input] @returns {CoveredScript[]} */
function walkProgram(place, words, input = '') {
  const coverage = join(place.folder, 'coverage')
  const ended = runProgram(place, words, { NODE_V8_COVERAGE: coverage }, input)
  if (ended.status !== 0) throw new Error(`${words.slice(1).join(' ')} ended with ${ended.status}: ${ended.stderr}`)
  return readdirSync(coverage).flatMap((file) => JSON.parse(readFileSync(join(coverage, file), 'utf8')).result)
}

/** @param {Place} place @param {string[]} words @param {Record<string, string>} env @param {string} [input] */
function runProgram({ project, home, temp }, words, env, input = '') {
  const variables = { PATH: process.env.PATH, HOME: home, TMPDIR: temp, ...env }
  return spawnSync(process.execPath, words, { cwd: project, env: variables, input, encoding: 'utf8', timeout: 60_000 })
}

/**
 * Lists the functions of ours that were called, each once, with their text.
 * @param {CoveredScript[]} scripts
 * @param {string} command that LINKED is linked for
 */
function listCalled(scripts, command) {
  const ours = scripts.filter(({ url }) => PACKAGES.some((dist) => url.startsWith(dist)))
  return ours.flatMap(({ url, functions }) => {
    const path = fileURLToPath(url)
    const text = url.endsWith(LINKED) ? link(path, command) : readFileSync(path, 'utf8')
    return functions.flatMap(({ functionName, ranges: [range] }) => {
      if (range === undefined || range.count === 0) return []
      const isModule = functionName === '' && range.startOffset === 0
      const own = text.slice(range.startOffset, range.endOffset)
      if (isModule || GENERATED.some((start) => start.test(`${functionName} ${own}`))) return []
      return { name: `${path.slice(ROOT.length)} ${functionName || '(anonymous)'} ${range.startOffset}`, own }
    })
  })
}

/** Lists the files of the build whose maps lead to the sources, by places in a line too. */
function listMaps() {
  return ['hookline', 'agent'].flatMap((name) => {
    const dist = join(ROOT, 'packages', name, 'dist')
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((file) => join(dist, file))
    const mapped = files.filter((file) => file.endsWith('.js') && existsSync(`${file}.map`))
    return mapped.flatMap((file) => {
      const map = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
      const isWhole = map.mappings.includes(',') // the package has maps of lines alone
      return isWhole ? [{ file, text: readFileSync(file, 'latin1'), map: new SourceMap(map) }] : []
    })
  })
}

/**
 * Counts functions by the folder of the sources that they are written in, the most first. One whose text stands in several
 * files counts for the first of them.
 * @param {{ own: string }[]} functions
 */
function countRooms(functions) {
  const maps = listMaps()
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { own } of functions) {
    const [start = own] = own.split('import(') // what follows is another text in a script that is linked
    const found = maps.find(({ text }) => text.includes(start))
    const room = found === undefined ? '(unknown)' : findRoom(found, found.text.indexOf(start))
    counts.set(room, (counts.get(room) ?? 0) + 1)
  }
  return [...counts].sort(([, one], [, other]) => other - one)
}

/** @param {ReturnType<typeof listMaps>[number]} mapped @param {number} at */
function findRoom({ file, text, map }, at) {
  const lines = text.slice(0, at).split('\n')
  const entry = map.findEntry(lines.length - 1, lines.at(-1)?.length ?? 0)
  if (!('originalSource' in entry)) return '(unknown)'
  const [, name = '', folder, room = ''] = relative(ROOT, join(dirname(file), entry.originalSource)).split('/')
  return folder === 'src' ? `${name}/${room}` : '(unknown)'
}
