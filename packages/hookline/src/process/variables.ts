/** True if the names of variables ignore case, as they do on Windows. */
export const IGNORES_CASE = process.platform === 'win32'

/**
 * The value of a variable. A copy of `process.env` is an ordinary object, so on Windows, where the search path is called
 * `Path`, a name is looked up in any spelling.
 */
export function readVariable(
  env: NodeJS.ProcessEnv,
  name: string,
  { ignoresCase = IGNORES_CASE } = {},
): string | undefined {
  return env[name] ?? (ignoresCase ? env[findSpelling(env, name)] : undefined)
}

/** The spelling that an environment has of a name; the name itself where it has none. */
export function findSpelling(env: NodeJS.ProcessEnv, name: string): string {
  const upper = name.toUpperCase()
  return Object.keys(env).find((one) => one.toUpperCase() === upper) ?? name
}

/** Bytes of a variable with its name, more of which Linux starts no program with. */
const MAX_VARIABLE_BYTES = 128 * 1024

/** True if a program can be started with a variable of this value. */
export function canBeVariable(name: string, value: string): boolean {
  return !value.includes('\0') && Buffer.byteLength(`${name}=${value}\0`) <= MAX_VARIABLE_BYTES
}
