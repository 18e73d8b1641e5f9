/** A way in which a guard fails to decide. */
export interface Failure {
  readonly command: string
  /** The only one that takes as long as it may. */
  readonly isSlow?: true
  /** Outcome of its line in a record of classic. */
  readonly outcome: 'non_blocking_error' | 'cancelled' | 'success'
  /** Words of a line that closes its event for that. */
  readonly failed: RegExp
  /** Text on stderr. */
  readonly stderr?: string
}

/** The failures of programs, by name: the one table of them, which is tried with every event. */
export const FAILURES: Readonly<Record<string, Failure>> = {
  'not found': { command: './gone.sh', outcome: 'non_blocking_error', failed: /exit code 127/ },
  'not executable': { command: './plain.txt', outcome: 'non_blocking_error', failed: /exit code 126/ },
  'a silent crash': { command: 'exit 1', outcome: 'non_blocking_error', failed: /exit code 1$/ },
  'a crash with stderr': {
    command: 'echo oops >&2; exit 70',
    outcome: 'non_blocking_error',
    failed: /exit code 70/,
    stderr: 'oops',
  },
  'a timeout': { command: 'sleep 20', isSlow: true, outcome: 'cancelled', failed: /timed out/ },
  'an unreadable answer': { command: `printf '{"broken":}'`, outcome: 'success', failed: /cannot be read/ },
  'an answer that does not fit': { command: `printf '{"continue":"no"}'`, outcome: 'success', failed: /does not fit/ },
  'a signal': { command: 'kill -9 $$', outcome: 'non_blocking_error', failed: /killed by SIGKILL/ },
}

/** Files that they need beside them. */
export const FAILURE_FILES = { 'project/plain.txt': 'echo hi\n' } as const

const LONG_ENOUGH_S = 20
const SOON_S = 0.3

/** The fields of a hook that fails so. */
export function makeFailingHook({ command, isSlow }: Failure): { readonly command: string; readonly timeout: number } {
  return { command, timeout: isSlow ? SOON_S : LONG_ENOUGH_S }
}
