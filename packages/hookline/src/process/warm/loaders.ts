import type { InterpreterName } from './plain-command.ts'

/**
 * Loaders that make an interpreter wait before the code of its program: by a variable that has it load a file first, which is
 * gone from its environment before that code runs.
 */
export interface Loader {
  readonly fileName: string
  readonly text: string
  readonly variable: string
  /** The value of the variable, beside what it has already; null: that cannot be said, or does not let it be added to. */
  readonly value: (
    place: { readonly folder: string; readonly file: string },
    before: string | undefined,
  ) => string | null
  /** True if an interpreter can say that it is about to end, and with which code, where it is told how. */
  readonly tellsEnd: boolean
  /** True if variables have it do something at its start that shows, or that is not known here. */
  readonly isOdd: (name: string) => boolean
}

/** Text that a loader writes when it has come to its wait: this, its process number, and files with their stamps. */
export const READY = 'hookline waits'
/** Ends what it has written. */
export const READY_END = '\0.\n'
/** Byte that it writes when it has heard that it may go on. */
export const BEGUN = 0x06
/** First character of the mark that it is told to write, between a zero and its exit code, when it is about to end. */
export const END_MARK = '#'
export const END_OF_CODE = '\n'
/** The length of what it is told, in so many digits, comes before that. */
export const LENGTH_DIGITS = 8

/** Options that have Node load nothing and print nothing. */
const HARMLESS_OPTIONS = /^(?:\s*--(?:max-old-space-size=\d+|no-warnings|no-deprecation|enable-source-maps))*\s*$/

/** Folder in which Node keeps, from version 22 on, what it has compiled of a session's hooks: in the folder of the loader. */
const COMPILED = 'compiled'

/** Ending of a program that Node takes for a module whatever stands beside it. */
const MODULE_ENDING = '.mjs'

/** Programs that do nothing, to try an interpreter on: one in every language, and one that Node takes for a module. */
const TRIALS = { plain: 'trial', module: `trial${MODULE_ENDING}` }

/** Files beside a loader, with what is in them. */
export const TRIAL_FILES = { [TRIALS.plain]: '', [TRIALS.module]: "import 'node:fs'\n" }

/** Names the program that an interpreter is tried on before it waits for a script. */
export const findTrial = (script: string): string => (script.endsWith(MODULE_ENDING) ? TRIALS.module : TRIALS.plain)

/** Parts of Node itself that it needs to print; which of them are loaded is not to be seen. */
const PRELOADED = ['net', 'tty']

/**
 * Does what most hooks do, on streams that lead nowhere, so that Node has compiled its own code for that: reads a stdin, and writes
 * a line (asking for colours would open stderr). What is put off by that is done at once. A guard that reads its stdin answers in
 * half of the time.
 */
const REHEARSAL = `
  const { Readable, Writable } = require('node:stream')
  const { Socket } = require('node:net')
  const { Console } = require('node:console')
  const settle = () => process._tickCallback?.()
  const end = (stdin) => {
    stdin.push(Buffer.from('{}'))
    stdin.push(null)
    settle()
    stdin.destroy()
  }
  const stdin = new Readable({ read() {} })
  const readAll = async () => {
    for await (const chunk of stdin);
  }
  readAll()
  end(stdin.setEncoding('utf8'))
  end(new Socket({ readable: true, writable: false }).on('data', () => {}))
  const stdout = new Writable({ write: (chunk, encoding, done) => done() })
  new Console({ stdout, colorMode: false }).log('{}')
  settle()`

/**
 * Says that a program has ended, and with which code, before Node takes itself down: that lasts as long as most guards run. It is
 * the last that runs of JavaScript, or it says nothing: where listeners wait for the end, where stdout is another file by now, and
 * for an error, which Node writes down later. Whether the outputs are closed then is for who reads them to see. A program that
 * comes to its end by itself is left by Node alone, which looks for `process.emit` then: a call by JavaScript has more on the stack.
 */
const TELL_END = `
  const { writeSync, closeSync, fstatSync } = fs
  const { reallyExit } = process
  const { Error, Object } = globalThis
  const { prepareStackTrace } = Error
  const written = fstatSync(1)
  const tellEnd = (mark, code) => {
    try {
      const { dev, ino } = fstatSync(1)
      if (dev !== written.dev || ino !== written.ino) return
      writeSync(1, '\\0' + mark + code + '\\n')
      closeSync(1)
      closeSync(2)
    } catch {}
  }
  const isCalledByNode = () => {
    const { stackTraceLimit } = Error
    if (Error.prepareStackTrace !== prepareStackTrace) return false
    try {
      Error.stackTraceLimit = 4
      return Error.stackTraceLimit === 4 && new Error().stack.split('\\n').length === 3
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }
  const hasListener = () => process.listenerCount('beforeExit') + process.listenerCount('exit') > 0
  const tellWhenOver = (mark) => {
    process.reallyExit = (code) => {
      tellEnd(mark, code)
      reallyExit(code)
    }
    const above = Object.getPrototypeOf(process)
    const { emit } = process
    Object.defineProperty(above, 'emit', {
      configurable: true,
      get() {
        if (this === process && isCalledByNode() && !hasListener()) tellEnd(mark, process.exitCode ?? 0)
        return emit
      },
      set(value) {
        Object.defineProperty(this, 'emit', { configurable: true, enumerable: true, writable: true, value })
      },
    })
  }`

/**
 * Reads its input no further than what it is told, by the descriptor itself: `process.stdin` would make it non-blocking. Where the
 * program is a module, another one is loaded first, and it waits behind that: Node lets a loader stand around `runMain`. A worker
 * thread of the hook loads it again, and it does nothing there: such a thread may not change the folder, and asking that takes less
 * than loading `node:worker_threads`.
 */
const NODE = `'use strict'
const fs = require('node:fs')
const Module = require('node:module')
const isModule = (path) => fs.realpathSync(path).endsWith('${MODULE_ENDING}')
const isWorker = () => {
  try {
    process.chdir('.')
    return false
  } catch (error) {
    return error.code === 'ERR_WORKER_UNSUPPORTED_OPERATION'
  }
}
delete require.cache[__filename]
for (const key of Object.keys(Module._pathCache)) if (Module._pathCache[key] === __filename) delete Module._pathCache[key]
if (Array.isArray(process._preload_modules)) process._preload_modules.length = 0
if (!isWorker()) {
  const take = (length) => {
    const bytes = Buffer.alloc(length)
    for (let at = 0; at < length; ) {
      const count = fs.readSync(0, bytes, at, length - at)
      if (count === 0) process.reallyExit(0)
      at += count
    }
    return bytes.toString()
  }
  for (const name of ${JSON.stringify(PRELOADED)}) require('node:' + name)
  Module.enableCompileCache?.(__dirname + '/${COMPILED}')${REHEARSAL}${TELL_END}
  const wait = () => {
    fs.writeSync(1, '${READY}\\0' + process.pid + '\\0.\\n')
    for (const entry of take(Number(take(${LENGTH_DIGITS}))).split('\\0')) {
      const end = entry.indexOf('=', 1)
      if (entry[0] === '${END_MARK}') tellWhenOver(entry.slice(1))
      else if (entry[0] === '=') process.env[entry.slice(1, end)] = entry.slice(end + 1)
      else if (entry !== '') delete process.env[entry.slice(1)]
    }
    fs.writeSync(1, '\\x06')
  }
  const { runMain } = Module
  const runAsModule = async (...words) => {
    Module.runMain = runMain
    await import(require('node:url').pathToFileURL(__dirname + '/${TRIALS.module}').href).catch(() => {})
    setImmediate(() => {
      wait()
      runMain(...words)
    })
  }
  if (isModule(process.argv[1])) Module.runMain = runAsModule
  else wait()
}
`

/**
 * Is taken for the customization of the site, which Python loads before any program, and loads the real one in the end. It tells which files
 * it has read that users may change: itself, those of packages, and those that say where packages are. What it has listed of folders is
 * forgotten, but for those of Python itself.
 */
const PYTHON = `import os
import posix
import site
import sys

here = os.path.dirname(os.path.abspath(__file__))


def stamp(path):
    try:
        stats = os.stat(path)
    except OSError:
        return b'-'
    return ('%d.%d.%d' % (stats.st_mtime_ns, stats.st_size, stats.st_ino)).encode()


library = os.path.join(os.path.dirname(os.__file__), '')


def is_of_python(path):
    return path.startswith(library) and '-packages' not in path


def seen():
    folders = list(site.getsitepackages()) + [site.getusersitepackages()]
    paths = {os.__file__, sys.executable, os.path.join(sys.prefix, 'pyvenv.cfg')}.union(folders)
    for folder in folders:
        if os.path.isdir(folder):
            paths.update(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith('.pth'))
    for module in list(sys.modules.values()):
        file = getattr(module, '__file__', None)
        if file and os.path.dirname(file) != here and not is_of_python(file):
            paths.add(file)
    return sorted(paths)


def take(length):
    taken = b''
    while len(taken) < length:
        part = os.read(0, length - len(taken))
        if not part:
            os._exit(0)
        taken += part
    return taken


told = [b'${READY}', str(os.getpid()).encode()]
for path in seen():
    told += [os.fsencode(path), stamp(path)]
os.write(1, b'\\0'.join(told) + b'\\0.\\n')
for entry in take(int(take(${LENGTH_DIGITS}))).split(b'\\0'):
    name, _, value = entry[1:].partition(b'=')
    if entry[:1] == b'=':
        os.environb[name] = posix.environ[name] = value
    elif entry:
        os.environb.pop(name, None)
        posix.environ.pop(name, None)
sys.path[:] = [path for path in sys.path if path != here]
for path in list(sys.path_importer_cache):
    if not is_of_python(os.path.join(path, '')):
        del sys.path_importer_cache[path]
del sys.modules['sitecustomize']
os.write(1, b'\\x06')
import sitecustomize
`

/** Variables that Python reads at its start, and that change nothing about what it does before a program. */
const HARMLESS_FOR_PYTHON =
  /^PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING|UTF8|HASHSEED|PATH|NOUSERSITE|USERBASE|WARNINGS|FAULTHANDLER|SAFEPATH|PYCACHEPREFIX|OPTIMIZE)$/

/** Has Node print or write more, or talk to a parent. */
const ODD_FOR_NODE = /^NODE_(?:DEBUG|V8_COVERAGE|CHANNEL|UNIQUE_ID|PENDING)/

/** By interpreter. */
export const LOADERS: Readonly<Record<InterpreterName, Loader>> = {
  node: {
    fileName: 'wait.cjs',
    text: NODE,
    variable: 'NODE_OPTIONS',
    value: ({ file }, before = '') =>
      HARMLESS_OPTIONS.test(before) ? `${before} --require ${JSON.stringify(file)}`.trimStart() : null,
    tellsEnd: true,
    isOdd: (name) => ODD_FOR_NODE.test(name),
  },
  python: {
    fileName: 'sitecustomize.py',
    text: PYTHON,
    variable: 'PYTHONPATH',
    value: ({ folder }, before) => {
      if (folder.includes(':')) return null
      return before ? `${folder}:${before}` : folder
    },
    tellsEnd: false,
    isOdd: (name) => name.startsWith('PYTHON') && !HARMLESS_FOR_PYTHON.test(name),
  },
}
