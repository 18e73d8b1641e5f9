import { spawnSync } from 'node:child_process'

/** How a shell is started for a text that follows. */
export type ShellLine = readonly [string, ...string[]]

/** The POSIX shells of this machine, each as it runs where it is `sh`. */
export const SHELLS: readonly ShellLine[] = (
  [
    ['/bin/sh', '-c'],
    ['dash', '-c'],
    ['bash', '-c'],
    ['busybox', 'sh', '-c'],
    ['zsh', '--emulate', 'sh', '-c'],
    ['mksh', '-c'],
  ] as const
).flatMap(([file, ...args]): ShellLine[] => {
  const { status, stdout } = spawnSync('/bin/sh', ['-c', `command -v ${file}`], { encoding: 'utf8' })
  const path = stdout.trim() // a PATH of a test does not have it
  return status === 0 && spawnSync(path, [...args, 'true']).status === 0 ? [[path, ...args]] : []
})

/** What a shell made of a text. */
export interface ShellEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a text in a shell to its end, with nothing of this process's environment. */
export function runInShell(
  [file, ...args]: ShellLine,
  text: string,
  { cwd, env = {}, input = '{}' }: { cwd: string; env?: NodeJS.ProcessEnv; input?: string },
): ShellEnd {
  const { status, signal, stdout, stderr } = spawnSync(file, [...args, text], {
    ...{ cwd, env: { PATH: '/usr/bin:/bin', HOME: cwd, HOOKLINE_RESIDENT: 'off', ...env }, input },
    ...{ encoding: 'utf8', timeout: 60_000 },
  })
  return { code: status, signal, stdout, stderr }
}
