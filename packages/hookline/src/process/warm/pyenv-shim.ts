import { lstatSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { readStamp } from '../../files/read.ts'
import { listNames } from '../../files/walk.ts'
import type { ProcessSpec } from '../launched.ts'
import type { PlainCommand } from './plain-command.ts'

/**
 * Texts of a shim as pyenv writes it, since version 2.0 and since 2.5: nothing but the root and the place of pyenv varies. Another
 * text could choose by other things than those that are looked at here.
 */
const SHIM =
  /^#!\/usr\/bin\/env bash\nset -e\n\[ -n "\$PYENV_DEBUG" \] && set -x\n\nprogram="\$\{0##\*\/\}"\n\nexport PYENV_ROOT="(?<root>\/[^"$`\\\n]*)"\n(?:SHIM_PATH=\$\{0%\/\*\}\nif \[\[ \$SHIM_PATH != "\k<root>\/shims" \]\]; then\n {2}export _PYENV_SHIM_PATH="\$SHIM_PATH"\nfi\n)?exec "(?<pyenv>\/[^"$`\\\n]*\/pyenv)" exec "\$program" "\$@"\n$/

/** Scripts by which plugins take part in the choice; these do so for other programs alone, or where pyenv found none. */
const KNOWN_SCRIPTS = {
  exec: ['pip-rehash.bash'],
  which: ['conda.bash', 'python-config.bash', 'system-site-packages.bash'],
  'version-name': [],
  'version-origin': [],
} as const

/** Parts of pyenv that choose. */
const CHOOSERS = ['exec', 'which', 'version-name', 'version-file', 'version-file-read', 'hooks', 'latest', 'prefix']

/** Variables by which bash reads a file before a script, or says what it does. */
const ODD_FOR_BASH = ['BASH_ENV', 'SHELLOPTS', 'BASHOPTS', 'PYENV_DEBUG', 'CDPATH']

const MAX_SHIM_BYTES = 2000

/**
 * Describes all by which a shim of pyenv chooses an interpreter: equal texts mean the same choice. Null for what is no such shim,
 * or chooses by more than is known.
 */
export function describePyenvShim({ cwd, env }: ProcessSpec, { interpreter, program }: PlainCommand): string | null {
  if (interpreter !== 'python' || ODD_FOR_BASH.some((name) => env[name] !== undefined)) return null
  const { root, pyenv } = readShim(program) ?? {}
  if (root === undefined || pyenv === undefined) return null
  const home = dirname(dirname(pyenv))
  const scripts = listScripts([...(env.PYENV_HOOK_PATH ?? '').split(':'), ...listScriptFolders([root, home])])
  if (scripts === null) return null
  const name = basename(program)
  const folders = (env.PATH ?? '').split(':').map((folder) => resolve(cwd, folder))
  const versions = listNames(join(root, 'versions'))
    .sort()
    .map((version) => join(root, 'versions', version))
  const files = [
    program,
    pyenv,
    ...CHOOSERS.map((part) => join(dirname(pyenv), `pyenv-${part}`)),
    ...scripts,
    ...[env.PYENV_DIR ?? cwd, env.PWD ?? cwd, cwd].flatMap(listVersionFiles),
    join(root, 'version'),
    join(root, 'versions'),
    ...versions.flatMap((version) => [version, join(version, 'bin', name), join(version, 'pyvenv.cfg')]),
    ...folders.flatMap((folder) => [folder, join(folder, name), join(folder, 'bash')]),
  ]
  const variables = Object.entries(env).filter(([key]) => /^_?PYENV_/.test(key) || key === 'PATH' || key === 'PWD')
  return JSON.stringify([variables, [...new Set(files)].map((file) => [file, readStamp(file)])])
}

function readShim(program: string): { readonly root?: string; readonly pyenv?: string } | null {
  if (basename(dirname(program)) !== 'shims') return null
  try {
    if (lstatSync(program).size > MAX_SHIM_BYTES) return null
    return SHIM.exec(readFileSync(program, 'latin1'))?.groups ?? null
  } catch {
    return null // gone, or closed to us
  }
}

const listScriptFolders = (homes: readonly string[]): string[] => [
  ...homes.flatMap((home) => [
    join(home, 'pyenv.d'),
    ...listNames(join(home, 'plugins')).map((plugin) => join(home, 'plugins', plugin, 'etc/pyenv.d')),
  ]),
  ...['/usr/etc/pyenv.d', '/usr/local/etc/pyenv.d', '/etc/pyenv.d', '/usr/lib/pyenv/hooks'],
]

/** Lists the scripts that take part in a choice, with their folders; null where one is not known. */
function listScripts(folders: readonly string[]): string[] | null {
  const found: string[] = []
  for (const folder of new Set(folders.filter((one) => one !== ''))) {
    found.push(folder)
    for (const [part, known] of Object.entries(KNOWN_SCRIPTS)) {
      const names = listNames(join(folder, part)).filter((name) => name.endsWith('.bash'))
      if (names.some((name) => !(known as readonly string[]).includes(name))) return null
      found.push(join(folder, part), ...names.map((name) => join(folder, part, name)))
    }
  }
  return found
}

/** The files in which a folder, or one above it, says which version it wants. */
function listVersionFiles(folder: string): string[] {
  const files = [join(folder, '.python-version')]
  for (let at = folder; dirname(at) !== at; ) {
    at = dirname(at)
    files.push(join(at, '.python-version'))
  }
  return files
}
