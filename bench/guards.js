import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('../packages/hookline', import.meta.url))

const FILES = {
  'guard.sh': `case $(cat) in *'rm -rf'*) echo no >&2; exit 2;; esac\n`,
  'guard.py': `import json, sys\nif 'rm -rf' in json.load(sys.stdin)['tool_input']['command']:\n    print('no', file=sys.stderr)\n    sys.exit(2)\n`,
  'guard.cjs': `const { tool_input } = JSON.parse(require('fs').readFileSync(0, 'utf8'))\nif (tool_input.command.includes('rm -rf')) {\n  console.error('no')\n  process.exit(2)\n}\n`,
  'guard.mjs': `import { readFileSync } from 'node:fs'\nconst { tool_input } = JSON.parse(readFileSync(0, 'utf8'))\nif (tool_input.command.includes('rm -rf')) {\n  console.error('no')\n  process.exit(2)\n}\n`,
  'defined.mjs': `import { defineHook } from 'hookline/hook'\ndefineHook({\n  PreToolUse(input, reply) {\n    if (String(input.tool_input?.command).includes('rm -rf')) return reply.deny('no')\n  },\n})\n`,
}

/**
 * Typical guards as files of a folder, and the commands that run them, by their language. Python is left out where there is none.
 * @param {string} folder
 */
export function writeGuards(folder) {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const link = join(folder, 'node_modules/hookline')
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(PACKAGE, link)
  const python = pythonItself()
  const of = (/** @type {string} */ program, /** @type {string} */ name) => `${program} ${join(folder, name)}`
  return {
    bash: of('bash', 'guard.sh'),
    ...(python === undefined ? {} : { python: of(python, 'guard.py') }),
    node: of('node', 'guard.cjs'),
    module: of('node', 'guard.mjs'),
    defined: of('node', 'defined.mjs'),
  }
}

/** Where Python is: a version manager may stand in for it on PATH, and takes longer than it. */
function pythonItself() {
  try {
    return execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim()
  } catch {
    return undefined // there is none
  }
}
