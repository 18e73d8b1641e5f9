import { constants } from 'node:os'
import { isAbsolute } from 'node:path'
import { quoteForShell } from '../../text/quote.ts'
import type { ProcessSpec } from '../launched.ts'

/** Longer commands and environments are left to the system, which says best what is too long for it. */
const MAX_SHELL_LINE_BYTES = 100 * 1024
/**
 * Words of a command that cares who its parent is, or whether it leads its own group: a hook of a resident shell is
 * the child of that shell, and in its group.
 */
const SPEAKS_OF_ITSELF = /PPID|\bsetsid\b|-["{]?\$\{?\$/
const VARIABLE_NAME = /^[A-Za-z_]\w*$/
/** Variables that shells set themselves while they work; every hook gets these as the host has them. */
const RESTORED: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'SHLVL'])
/** Names that mean something to a shell; a value of another hook's cannot be put in front of a command. */
const SPECIAL = /^(?:BASH|KSH|POSIXLY|SHELLOPTS|IFS$|ENV$|PPID$|OPT|PS\d$|RANDOM|SECONDS|LINENO|E?UID$|_$)/

/** The command of a process that a resident shell can start; null for any other. */
export function makeShellCommand({ file, args, cwd }: ProcessSpec): string | null {
  const [flag, command] = args
  if (file !== '/bin/sh' || flag !== '-c' || command === undefined || args.length > 2 || !isAbsolute(cwd)) return null
  const isOdd =
    command.length > MAX_SHELL_LINE_BYTES ||
    SPEAKS_OF_ITSELF.test(command) ||
    command.includes('\0') ||
    cwd.includes('\0')
  return isOdd ? null : command
}

/** True if an environment is small enough to leave room for any command. */
export function isSmallEnough(env: NodeJS.ProcessEnv): boolean {
  let length = 0
  for (const name of Object.keys(env)) length += name.length + (env[name]?.length ?? 0) + 2
  return length <= MAX_SHELL_LINE_BYTES
}

/**
 * Makes what stands in front of a command so that a shell that was started with one environment gives it another; null when
 * that cannot be said.
 */
export function makeEnvironmentPrefix(base: NodeJS.ProcessEnv, env: NodeJS.ProcessEnv): string | null {
  let prefix = ''
  for (const name of Object.keys(base)) {
    if (env[name] === undefined && base[name] !== undefined && !RESTORED.has(name)) return null
  }
  for (const name of Object.keys(env)) {
    const value = env[name]
    if (value === undefined || (value === base[name] && !RESTORED.has(name))) continue
    if (!VARIABLE_NAME.test(name) || SPECIAL.test(name) || value.includes('\0')) return null
    prefix += `${name}=${quoteForShell(value)} `
  }
  const missing = [...RESTORED].filter((name) => env[name] === undefined)
  return missing.length === 0 ? prefix : `unset ${missing.join(' ')}; ${prefix}`
}

/** Notices of dash on a command's stderr when a signal ended it. */
const DEATH_NOTICES: Readonly<Record<string, string>> = {
  SIGHUP: 'Hangup',
  SIGQUIT: 'Quit',
  SIGILL: 'Illegal instruction',
  SIGTRAP: 'Trace/breakpoint trap',
  SIGABRT: 'Aborted',
  SIGBUS: 'Bus error',
  SIGFPE: 'Floating point exception',
  SIGKILL: 'Killed',
  SIGUSR1: 'User defined signal 1',
  SIGSEGV: 'Segmentation fault',
  SIGUSR2: 'User defined signal 2',
  SIGALRM: 'Alarm clock',
  SIGTERM: 'Terminated',
  SIGXCPU: 'CPU time limit exceeded',
  SIGXFSZ: 'File size limit exceeded',
  SIGSTKFLT: 'Stack fault',
  SIGVTALRM: 'Virtual timer expired',
  SIGPROF: 'Profiling timer expired',
  SIGIO: 'I/O possible',
  SIGPWR: 'Power failure',
  SIGSYS: 'Bad system call',
}

/** The texts by which a shell tells that a signal ended a command with this status. */
export function listDeathNotices(status: number): readonly string[] {
  const words = DEATH_NOTICES[nameSignal(status)]
  return words === undefined ? [] : [`${words}\n`, `${words} (core dumped)\n`]
}

/** The name of the signal whose death gives this status. */
export function nameSignal(status: number): string {
  const [name] = Object.entries(constants.signals).find(([, number]) => number === status - 128) ?? []
  return name ?? 'unknown'
}
