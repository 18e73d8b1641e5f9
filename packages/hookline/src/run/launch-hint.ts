import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { parseArgsStringToArgv } from 'string-argv'

/** The shell's exit codes for a program that cannot be started. */
export const NOT_EXECUTABLE = 126
export const NOT_FOUND = 127

/** Why a command's program could not be started, as far as looking at it tells. */
export async function launchHint(
  command: string,
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string | null> {
  const [word = ''] = parseArgsStringToArgv(command)
  const program = word.replace(/\$\{?(\w+)\}?/g, (_whole, name: string) => env[name] ?? '')
  if (program === '') return null
  if (!program.includes('/')) return notOnPath(program, env.PATH ?? '')
  const path = isAbsolute(program) ? program : resolve(cwd, program)
  const stats = await stat(path).catch(() => null) // not there
  if (!stats) return `${program} does not exist, seen from ${cwd}`
  if (stats.isDirectory()) return `${program} is a folder`
  if (!(await isExecutable(path))) return `${program} is not executable: chmod +x it`
  return shebangFault(program, await firstLine(path))
}

async function notOnPath(program: string, path: string): Promise<string | null> {
  const found = await Promise.all(path.split(':').map((folder) => isExecutable(join(folder, program))))
  return found.includes(true) ? null : `there is no program ${program} on PATH`
}

async function shebangFault(program: string, line: string): Promise<string | null> {
  if (!line.startsWith('#!')) return null
  if (line.endsWith('\r')) return `${program} has CRLF line endings, so its interpreter is not found: save it with LF`
  const [interpreter = ''] = line.slice(2).trim().split(/\s+/)
  return (await isExecutable(interpreter)) ? null : `the interpreter ${interpreter} of ${program} does not exist`
}

async function firstLine(path: string): Promise<string> {
  const file = await open(path).catch(() => null) // may be executed, not read
  if (!file) return ''
  const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0).finally(() => file.close())
  return buffer.toString('latin1', 0, bytesRead).split('\n', 1)[0] ?? ''
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
