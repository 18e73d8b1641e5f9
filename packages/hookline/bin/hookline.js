#!/usr/bin/env node
// Committed, because npm links a bin before the build makes dist. CommonJS, because Node starts that sooner.
const fs = require('node:fs')
const { homedir } = require('node:os')
const { isAbsolute } = require('node:path')

/** Paths are put together as texts here: to join them would make Node's code for that hot, and V8 compile it once more. */
const DIST = `${__dirname}/../dist`
/** Commands that others call for every event; the rest is loaded as modules. */
const QUICK_COMMANDS = ['fire', 'explain']
/** Words behind `guard` that are no hook of it, and are loaded as modules. */
const GUARD_COMMANDS = ['try', 'list', 'backtest', 'sandbox', 'allow', 'disallow', 'trust', 'log', 'add', 'remove']
/** Commands around a hook, which runs without us all the same. */
const WRAPPERS = ['wrap', 'tap']
/** The first line of a module that is to be linked says of which build it is. */
const BUILD = /^\/\*([0-9a-f]{16})\*\//
const BUILD_CHARACTERS = 20
/** Letters of a module that is apart in the name of a kept file: a system allows 255. */
const PART_LETTERS = 3
const MAX_KEPT = 40
/** The bytes in front of a kept script that say how long it is. */
const HEADER = 16

/** Exit code of a call that cannot be made: an agent that asks by `bridge run` takes 2 for a refusal, and goes on after any other. */
const REFUSED = 2
/** Message for a user whose shell allows too few files. */
const OUT_OF_FILES =
  'hookline cannot start: too many files are open, or too few may be. Raise the limit: ulimit -n 1024'
/** Events at which a call waits for the answer. A fault at any other refuses nothing. */
const GUARDING = ['PreToolUse', 'PermissionRequest']

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`hookline needs Node 20.19 or newer, and this is ${process.version}.`)
  process.exitCode = WRAPPERS.includes(process.argv[2]) ? runUnwrapped(process.argv) : findFailureCode(process.argv)
} else if (isQuick(process.argv) && !isAskedIfReady(process.argv)) {
  const [, , name] = process.argv
  const isLook = name === 'explain' // and a look writes nothing
  try {
    runCompiled(findScript(name), isLook ? 'fire' : name, { keep: !isLook })
  } catch (error) {
    process.exitCode = WRAPPERS.includes(name) ? runUnwrapped(process.argv) : tellNotStarted(error)
  }
} else if (!isAskedIfReady(process.argv)) {
  if (fs.existsSync(`${DIST}/cli/main.js`)) import('../dist/cli/main.js').catch(endNotStarted)
  else process.exitCode = tellNotStarted({ code: 'ENOENT' })
}

/** Ends a call whose modules cannot be loaded. */
function endNotStarted(error) {
  process.exitCode = tellNotStarted(error)
}

/** Says why there is nothing to run; where a file is missing, the checkout is not built, or the package is being replaced. */
function tellNotStarted(error) {
  if (error.code === 'ENOENT') console.error('hookline: this checkout is not built. Run "npm ci" at its top.')
  else if (error.code === 'EMFILE' || error.code === 'ENFILE') console.error(OUT_OF_FILES)
  else console.error('hookline cannot start:', error)
  return findFailureCode(process.argv)
}

/** The exit code of a call that cannot be made; of an agent or an event that is in no table nobody knows what waits for it. */
function findFailureCode([, , name, command, agent, event]) {
  if (name === 'guard') return REFUSED
  if (name !== 'bridge' || command !== 'run') return 1
  try {
    const { events } = JSON.parse(fs.readFileSync(`${__dirname}/../bridges/${agent}.json`, 'utf8'))
    return GUARDING.includes(events[event].as) ? REFUSED : 0
  } catch {
    return REFUSED
  }
}

/** Runs a hook as it is: one that fails since we cannot run opens what it guards. */
function runUnwrapped(words) {
  const { spawnSync } = require('node:child_process')
  const at = words.indexOf('--')
  if (at < 0) return 1
  const command = words.slice(at + 1)
  const isShellText = command.length === 1 && !words.slice(0, at).includes('--exec')
  const [file, ...args] = isShellText ? ['/bin/sh', '-c', ...command] : command.map(withProject)
  return spawnSync(file, args, { stdio: 'inherit' }).status ?? 1
}

/** A word of an entry with `args`, in which the host puts the project's folder. */
function withProject(word) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
  return word.replaceAll('${CLAUDE_PROJECT_DIR}', (name) => process.env.CLAUDE_PROJECT_DIR ?? name)
}

/** The script of a command that others call for every event. */
function findScript(name) {
  const own = { tap: 'quick-tap', guard: 'quick-guard' }
  return `${DIST}/cli/${own[name] ?? 'quick'}.js`
}

/** True if a wrapped command asks whether it may hand over to us: only then it gives its payload away. */
function isAskedIfReady([, , name, word]) {
  return WRAPPERS.includes(name) && word === '--ready'
}

/** True if this Node and this build can stand around a hook. */
function isReady(name) {
  try {
    return (major > 20 || (major === 20 && minor >= 19)) && BUILD.test(fs.readFileSync(findScript(name), 'latin1'))
  } catch {
    return false // there is no build, or it is being replaced
  }
}

/** True for a call of those commands; `bridge`, `wrap` and `tap` have others that are not, and their help is theirs. */
function isQuick([, , name, ...words]) {
  if (QUICK_COMMANDS.includes(name)) return true
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  if (own.includes('--help') || own.includes('-h')) return false
  if (WRAPPERS.includes(name)) return words[0] !== 'install' && words[0] !== 'uninstall' && words.length > 0
  if (name === 'guard') return !GUARD_COMMANDS.includes(words[0])
  return name === 'bridge' && words[0] === 'run'
}

/**
 * Runs a module and all that it imports as one script, from what V8 made of it last time: to link and to compile take longer
 * than to run. What is kept is code, so it is in a folder that this user alone can write to, and believed only when it is
 * this user's own.
 */
function runCompiled(filename, command, { keep }) {
  const build = BUILD.exec(fs.readFileSync(filename).latin1Slice(0, BUILD_CHARACTERS))?.[1] // to name an encoding loads tables of them
  if (build === undefined) throw Object.assign(new Error(`${filename} is half written`), { code: 'ENOENT' })
  const folder = process.env.NODE_DISABLE_COMPILE_CACHE ? null : findCompiledFolder()
  const name = `${build}-${process.version}-${process.platform}-${process.arch}-${command}`
  const place = { filename, command, folder, keep, isReadable: folder !== null && isOwnFolder(folder) }
  const bundle = {
    parts: new Set(),
    get url() {
      return toAddress(filename) // few calls ask for it
    },
    load(part) {
      bundle.parts.add(part.slice(0, PART_LETTERS))
      return compile(place, { name: `${name}.${part}`, used: new Set(), part })
    },
  }
  compile(place, { name, used: bundle.parts, part: null })((path) => import(path), bundle)
}

/** Returns the value of a script, or of one that is apart from it, and has the code kept that V8 makes of it. */
function compile({ filename, command, folder, keep, isReadable }, { name, used, part }) {
  const { Script } = require('node:vm')
  const found = isReadable ? readCompiled(folder, name) : null
  const source = found?.source ?? require('./link.js').link(filename, command, part)
  const script = new Script(source, { filename, ...(found && { cachedData: found.code }) })
  if (keep && folder !== null) {
    process.on('exit', () => {
      if (part === null && hasStartedProcesses()) used.add('hooks')
      const known = script.cachedDataRejected || found === null ? '' : found.parts
      const more = [...used].filter((each) => !`${known}-`.includes(`-${each}-`))
      if (found && !script.cachedDataRejected && more.length === 0) return
      keepFile(folder, name, [known, ...more].join('-'), [...withLength(source), script.createCachedData()])
    })
  }
  return script.runInThisContext()
}

/** The address of a file. Node's own way is loaded for a path with signs that an address writes otherwise. */
function toAddress(path) {
  return /^\/[\w/.-]+$/.test(path) ? `file://${path}` : require('node:url').pathToFileURL(path).href
}

/** Folder of compiled code; null where there is no home, or it is the current folder, which others wrote. */
function findCompiledFolder() {
  try {
    const home = homedir()
    return isAbsolute(home) ? `${home}/.hookline/compiled` : null
  } catch {
    return null
  }
}

/** The folder above, by its name: by `..` a link would be followed instead of seen. */
function findParent(folder) {
  return folder.slice(0, folder.lastIndexOf('/'))
}

/** True if there is such a folder, and no other user may have written to it. */
function isOwnFolder(folder) {
  try {
    return isOurs(fs.lstatSync(folder)) && isOurs(fs.lstatSync(findParent(folder)))
  } catch {
    return false // there is none yet
  }
}

/**
 * Reads the script that was kept under a name, behind which stand the parts that it has the code of: what a call may use beside
 * its command. Null: there is none.
 */
function readCompiled(folder, name) {
  const [file] = listKept(folder, name).sort((one, other) => other.length - one.length)
  const kept = file === undefined ? null : readKept(`${folder}/${file}`)
  const length = Number(kept?.latin1Slice(0, HEADER))
  if (!(length > 0 && HEADER + length < kept.length)) return null
  return {
    parts: file.slice(name.length),
    source: kept.latin1Slice(HEADER, HEADER + length),
    code: kept.subarray(alignOffset(HEADER + length)),
  }
}

/** The files of a script that was kept; calls that ran beside each other may have kept several. */
function listKept(folder, name) {
  try {
    return fs.readdirSync(folder).filter((each) => each === name || each.startsWith(`${name}-`))
  } catch {
    return [] // the folder is gone, or cannot be read
  }
}

/** A script as it is kept in front of its code, in one file since a second one would take as long to open as to read. */
function withLength(source) {
  return [String(source.length).padEnd(HEADER), source, ' '.repeat(alignOffset(source.length) - source.length)]
}

/** V8 takes a copy of code that begins anywhere else. */
function alignOffset(offset) {
  return Math.ceil(offset / 8) * 8
}

/** Reads a kept file; null where there is none, or another user may have written it: it is made again. */
function readKept(path) {
  try {
    return readOwnFile(path)
  } catch {
    return null
  }
}

function readOwnFile(path) {
  const descriptor = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0))
  try {
    const stats = fs.fstatSync(descriptor)
    if (!stats.isFile() || !isOurs(stats)) throw new Error('not ours')
    return fs.readFileSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

/** True if something belongs to this user, who alone can write to it; a link never counts. */
function isOurs({ mode, uid }) {
  const isLink = (mode & fs.constants.S_IFMT) === fs.constants.S_IFLNK
  return !isLink && (process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0))
}

/** Keeps a script under its name and the parts that it has the code of. Never throws: a home that cannot be written to costs nothing but time. */
function keepFile(folder, name, parts, content) {
  try {
    for (const made of [findParent(folder), folder]) if (!fs.existsSync(made)) fs.mkdirSync(made, { mode: 0o700 })
    if (!isOwnFolder(folder)) return
    makeRoom(folder)
    const own = `${folder}/draft-${process.pid}-${name}` // a kept file is found by the beginning of its name
    fs.rmSync(own, { force: true })
    for (const [at, part] of content.entries())
      fs.writeFileSync(own, part, { encoding: 'latin1', flag: at === 0 ? 'wx' : 'a', mode: 0o600 })
    fs.renameSync(own, `${folder}/${name}${parts}`) // whole, for a call that reads it at this moment
    for (const other of listKept(folder, name))
      if (other !== `${name}${parts}`) fs.rmSync(`${folder}/${other}`, { force: true })
  } catch {
    // a full or read-only disk
  }
}

/** Removes what other versions left behind, the oldest first. */
function makeRoom(folder) {
  const kept = fs.readdirSync(folder).map((name) => `${folder}/${name}`)
  if (kept.length < MAX_KEPT) return
  const readAge = (path) => fs.lstatSync(path).mtimeMs
  for (const path of kept.sort((a, b) => readAge(a) - readAge(b)).slice(0, kept.length - MAX_KEPT + 1)) fs.rmSync(path)
}

/** True once a hook ran: nothing else loads this part of Node. */
function hasStartedProcesses() {
  return process.moduleLoadList?.includes('NativeModule child_process') ?? false
}

// The last line of this file: one that was cut off anywhere does not come here, and is not ready.
if (isAskedIfReady(process.argv) && isReady(process.argv[2])) fs.writeSync(1, 'ready\n')
