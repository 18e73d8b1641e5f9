import { parseArgsStringToArgv } from 'string-argv'
import { shellQuoted } from '../text/quote.ts'

/** What the system is asked to start. */
export interface CommandLine {
  readonly file: string
  readonly args: readonly string[]
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}'

/** A folder of any other name is left to the shell, which has it in its environment: it must not become shell text. */
const HARMLESS = /^[\w./ @%+=:,-]*$/

/** What running a command's text means: a shell reads it, unless the host says that nobody does. */
export function commandLine(
  text: string,
  { shell, pluginRoot, env }: { shell: boolean; pluginRoot: string | null; env: NodeJS.ProcessEnv },
): CommandLine {
  const inPlugin = (part: string): string =>
    pluginRoot === null ? part : part.replaceAll(PLUGIN_ROOT, () => pluginRoot)
  if (!shell) {
    const [file = '', ...args] = parseArgsStringToArgv(text).map(inPlugin)
    return { file, args }
  }
  const prefix = env.CLAUDE_CODE_SHELL_PREFIX
  const named = pluginRoot !== null && HARMLESS.test(pluginRoot) ? inPlugin(text) : text
  const command = prefix ? `${prefix} ${shellQuoted(named)}` : named
  if (process.platform === 'win32') return { file: env.ComSpec ?? 'cmd.exe', args: ['/d', '/s', '/c', command] }
  return { file: '/bin/sh', args: ['-c', command] }
}
