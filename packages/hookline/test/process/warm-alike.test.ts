import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bashCall, commands, makeWorld, openOn } from '../support/project.ts'

const PYTHON = '/usr/bin/python3'
const NO_PYTHON = !existsSync(PYTHON)
const ONLY_LINUX = process.platform !== 'linux'

/** What any process can find out about itself. */
const FACTS = `
const fs = require('fs')
const about = (path, ...names) => fs.readFileSync(path, 'utf8').split('\\n').filter((line) => names.some((name) => line.startsWith(name)))
const LARGE_FILE = 0o100000 // means nothing here
const stat = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
const facts = {
  argv: process.argv, argv0: process.argv0, execArgv: process.execArgv, execPath: process.execPath, title: process.title,
  cwd: process.cwd(), umask: process.umask(), env: process.env, versions: process.versions.node, preloads: process._preload_modules,
  globals: Object.getOwnPropertyNames(globalThis), uid: [process.getuid(), process.getgid(), process.getgroups()],
  cmdline: fs.readFileSync('/proc/self/cmdline', 'latin1'), limits: fs.readFileSync('/proc/self/limits', 'latin1'),
  status: about('/proc/self/status', 'Umask', 'SigBlk', 'SigIgn', 'SigCgt', 'NoNewPrivs', 'Cpus_allowed_list'),
  pipes: [0, 1, 2].map((fd) => [fs.fstatSync(fd).isFIFO(), Number.parseInt(about('/proc/self/fdinfo/' + fd, 'flags')[0].split('\\t')[1], 8) & ~LARGE_FILE]),
  open: fs.readdirSync('/proc/self/fd').map((fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd).split(':')[0] } catch { return '' } }).sort(),
  inGroup: stat[2] === stat[3], priority: require('os').getPriority(), listeners: process.eventNames().map(String),
  timers: process.getActiveResourcesInfo(),
}
`

const NODE_PROBES: Record<string, readonly [files: Record<string, string>, command: string]> = {
  'what a CommonJS program finds': [
    {
      'facts.cjs': `${FACTS}
const module_ = { main: require.main === module, old: process.mainModule === module, parent: module.parent, paths: module.paths, filename: __filename, id: module.id, cache: Object.keys(require.cache), pathCache: Object.keys(require('module')._pathCache) }
console.log(JSON.stringify({ ...facts, module_ }))
process.stdin.setEncoding('utf8').on('data', (text) => console.log(text.length > 0, JSON.parse(text).tool_name))`,
    },
    `node facts.cjs one 'two words' "$CLAUDE_PROJECT_DIR/three"`,
  ],
  'what an ES module finds': [
    {
      'lib/other.mjs': 'export const other = import.meta.url\n',
      'lib/package.json': '{ "type": "module", "imports": { "#own": "./other.mjs" } }',
      'lib/facts.js': `import { createRequire } from 'node:module'
import { fork, execFileSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import { other } from '#own'
const require = createRequire(import.meta.url)
${FACTS}
const { url, dirname, filename, main } = import.meta
const run = (code) => execFileSync(process.execPath, ['-p', code], { encoding: 'utf8' })
const child = run('JSON.stringify([process.execArgv, process.env])')
const worker = await new Promise((resolve) => new Worker('require("worker_threads").parentPort.postMessage([process.execArgv, process.env.NODE_OPTIONS, process.argv, Object.keys(require.cache)])', { eval: true }).on('message', resolve))
const began = Date.now()
await new Promise((resolve) => setTimeout(resolve, 50))
const waited = Date.now() - began >= 49
console.log(JSON.stringify({ ...facts, url, dirname, filename, main, other, child, worker, waited }))
console.log(fs.readFileSync(0, 'utf8').includes('Bash'))`,
    },
    'node lib/facts.js',
  ],
  'what a module that reads its stdin as a stream finds': [
    {
      'stream.mjs': `import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
${FACTS}
const before = process.getActiveResourcesInfo()
let text = ''
for await (const chunk of process.stdin) text += chunk
console.log(JSON.stringify({ ...facts, before, after: process.getActiveResourcesInfo(), text, modules: await import('data:text/javascript,') }))
console.error('no')`,
    },
    'node stream.mjs',
  ],
  'an error that is not caught': [
    { 'throw.cjs': `function inner() { throw new TypeError('oh', { cause: new Error('why') }) }\ninner()` },
    'node throw.cjs',
  ],
  'an error of an ES module': [{ 'throw.mjs': `await 1\nnull.x\n` }, 'node throw.mjs'],
  'a rejection': [{ 'reject.cjs': `Promise.reject(new Error('no'))\nsetTimeout(() => {}, 1000)` }, 'node reject.cjs'],
  'a syntax error': [{ 'syntax.mjs': `console.log(1)\nlet let = 1\n` }, 'node syntax.mjs'],
  'an import that is missing': [{ 'missing.mjs': `import './not-there.mjs'\n` }, 'node missing.mjs'],
  'an exit code': [
    { 'code.cjs': `process.exitCode = 7\nprocess.on('exit', () => console.error('bye'))` },
    'node code.cjs',
  ],
  'a refusal': [{ 'two.cjs': `require('fs').readFileSync(0); console.error('no'); process.exit(2)` }, 'node two.cjs'],
  'a death by a signal': [
    { 'kill.cjs': `process.kill(process.pid, 'SIGUSR2'); setTimeout(() => {}, 1000)` },
    'node kill.cjs',
  ],
  'an interrupt': [{ 'int.cjs': `process.kill(process.pid, 'SIGINT'); setTimeout(() => {}, 1000)` }, 'node int.cjs'],
  'a program that is executed': [
    { 'self.mjs': `#!/usr/bin/env node\nconsole.log(process.argv, process.execArgv, import.meta.url)\n` },
    './self.mjs a',
  ],
  'a big answer': [
    { 'big.cjs': `process.stdout.write('x'.repeat(300000), () => process.stderr.write('y'.repeat(300000)))` },
    'node big.cjs',
  ],
}

const PYTHON_PROBES: typeof NODE_PROBES = {
  'what a program finds': [
    {
      'own.py': 'here = __name__, __file__\n',
      'facts.py': `import json, locale, os, posix, signal, site, stat, sys, threading, warnings, resource
import own
seen = sorted(set(sys.modules) - {'own'})
facts = dict(argv=sys.argv, orig=getattr(sys, 'orig_argv', None), path=sys.path, flags=str(sys.flags), warn=sys.warnoptions, x=sys._xoptions,
    modules=seen, name=__name__, file=__file__, spec=str(__spec__), loader=type(__loader__).__name__, builtins=str(__builtins__), package=__package__,
    names=sorted(globals()), env=dict(os.environ), posix=sorted(map(str, posix.environ.items())), back=str(sys._getframe().f_back),
    encodings=[(s.encoding, s.errors, s.line_buffering, s.isatty(), s.name) for s in (sys.stdin, sys.stdout, sys.stderr)], locale=locale.getlocale(),
    signals=[str(signal.getsignal(s)) for s in sorted(signal.valid_signals())], cwd=os.getcwd(), group=os.getpgrp() == os.getsid(0),
    executable=sys.executable, prefix=sys.prefix, user_site=site.ENABLE_USER_SITE, hooks=[str(h) for h in (sys.excepthook, sys.displayhook, sys.path_hooks[0])],
    meta=[str(m).split(' at ')[0] for m in sys.meta_path], limits=[resource.getrlimit(n) for n in range(16)], threads=threading.active_count(), main=str(sys.modules['__main__']),
    fds=sorted(os.readlink('/proc/self/fd/' + n).split(':')[0] for n in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + n) or int(n) < 3),
    flags_of=[[int(line.split()[1], 8) & ~0o100000 for line in open('/proc/self/fdinfo/%d' % n) if line.startswith('flags')] for n in (0, 1, 2)],
    cmdline=open('/proc/self/cmdline').read(), own=own.here, filters=str(warnings.filters), bytecode=sys.dont_write_bytecode,
    status=[line for line in open('/proc/self/status') if line.startswith(('Umask', 'SigBlk', 'SigIgn', 'SigCgt'))])
print(json.dumps(facts))
print(json.load(sys.stdin)['tool_name'])
def depth(n=0):
    try:
        return depth(n + 1)
    except RecursionError:
        return n
print(depth())
warnings.warn('careful', stacklevel=2)
import subprocess
print(subprocess.run([sys.executable, '-c', 'import sys, os; print(sys.path, os.environ.get("PYTHONPATH"), sys.argv)'], capture_output=True, text=True).stdout)
`,
    },
    `${PYTHON} facts.py one 'two words' "$CLAUDE_PROJECT_DIR"/three`,
  ],
  'an error that is not caught': [
    {
      'throw.py': `def inner():\n    raise ValueError('oh')\ntry:\n    inner()\nexcept ValueError as error:\n    raise KeyError(1) from error\n`,
    },
    `${PYTHON} throw.py`,
  ],
  'a syntax error': [{ 'syntax.py': `print(1)\ndef (:\n` }, `${PYTHON} syntax.py`],
  'an exit with words': [{ 'words.py': `import sys\nsys.exit('no')\n` }, `${PYTHON} words.py`],
  'a refusal': [
    {
      'two.py': `import atexit, sys\natexit.register(print, 'bye')\nsys.stdin.read()\nprint('no', file=sys.stderr)\nsys.exit(2)\n`,
    },
    `${PYTHON} two.py`,
  ],
  'an interrupt': [
    { 'int.py': `import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(5)\n` },
    `${PYTHON} int.py`,
  ],
  'a death by a signal': [{ 'kill.py': `import os\nos.kill(os.getpid(), 15)\n` }, `${PYTHON} kill.py`],
  'a program that is executed': [
    { 'self.py': `#!${PYTHON}\nimport sys\nprint(sys.argv, sys.path, __file__)\n` },
    './self.py a',
  ],
}

/** What came of hooks, as far as they had a say in it. */
async function outcomes(
  probes: typeof NODE_PROBES,
  options: { launcher: 'direct' | 'pool'; warm: 'on' | 'off' },
  world: Awaited<ReturnType<typeof makeWorld>>,
): Promise<{ launchers: Set<unknown>; seen: Record<string, unknown> }> {
  const env = { ...process.env, NODE_PATH: '/nowhere', LC_ALL: 'C.UTF-8', CLAUDE_ENV_FILE: undefined }
  const engine = await openOn(world, { ...options, env, outputTail: 700_000, sessionId: 'probe' })
  const launchers = new Set<unknown>()
  const seen: Record<string, unknown> = {}
  for (const [name, [, command]] of Object.entries(probes)) {
    const registered = await engine.register({ PreToolUse: [commands(command)] })
    const [line] = (await engine.dispatch(bashCall)).hooks
    registered.remove()
    launchers.add(line?.launcher)
    const { exitCode, signal, stdoutBytes, stderrBytes, stdoutTail, stderrTail, timedOut } = line ?? {}
    seen[name] = {
      exitCode,
      signal,
      stdoutBytes,
      stderrBytes,
      timedOut,
      stdout: parts(stdoutTail),
      stderr: parts(stderrTail),
    }
  }
  await engine.close()
  return { launchers, seen }
}

/** With its lines apart and the objects among them read, so that a difference is shown by its name. Numbers of processes differ anyway. */
function parts(text = ''): unknown[] {
  return text.split('\n').map((line) => {
    try {
      return JSON.parse(line)
    } catch {
      return line.replace(/\(node:\d+\)/, '(node:N)')
    }
  })
}

/** Which are looked at in a resident shell too, where processes end in another way. */
const IN_SHELL = /finds$|signal$|interrupt$|refusal$/

describe.skipIf(ONLY_LINUX).each([
  ['Node', 'direct', NODE_PROBES],
  ['Node', 'pool', NODE_PROBES],
  ['Python', 'direct', PYTHON_PROBES],
  ['Python', 'pool', PYTHON_PROBES],
] as const)('an interpreter of %s that was started ahead, by %s,', (language, launcher, all) => {
  it.skipIf(language === 'Python' && NO_PYTHON)(
    'lets a hook find and do what it finds and does in one that is started at its event',
    { timeout: 120_000 },
    async () => {
      const probes = Object.fromEntries(
        Object.entries(all).filter(([name]) => launcher === 'direct' || IN_SHELL.test(name)),
      )
      const files = Object.values(probes).flatMap(([some]) => Object.entries(some))
      const world = await makeWorld(Object.fromEntries(files.map(([path, text]) => [`project/${path}`, text])))
      const cold = await outcomes(probes, { launcher, warm: 'off' }, world)
      const warm = await outcomes(probes, { launcher, warm: 'on' }, world)
      expect([...cold.launchers]).toEqual([launcher])
      expect([...warm.launchers]).toEqual(['warm'])
      for (const name of Object.keys(probes)) expect(warm.seen[name], name).toEqual(cold.seen[name])
    },
  )
})
