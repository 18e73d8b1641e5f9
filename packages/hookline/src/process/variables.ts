/** Whether the names of variables ignore case, as they do on Windows. */
export const IGNORES_CASE = process.platform === 'win32'

/**
 * The value of a variable. A copy of `process.env` is an ordinary object, so on Windows, where the search path is called
 * `Path`, a name is looked up in any spelling.
 */
export function variableIn(
  env: NodeJS.ProcessEnv,
  name: string,
  { ignoresCase = IGNORES_CASE } = {},
): string | undefined {
  return env[name] ?? (ignoresCase ? env[spellingIn(env, name)] : undefined)
}

/** The spelling that an environment has of a name; the name itself where it has none. */
export function spellingIn(env: NodeJS.ProcessEnv, name: string): string {
  const upper = name.toUpperCase()
  return Object.keys(env).find((one) => one.toUpperCase() === upper) ?? name
}
