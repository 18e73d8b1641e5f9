import { type Context, enterStep, noteChange, noteUnseen, resolveOne } from './context.ts'
import { runFile } from './run-file.ts'
import { readWord, showValue, toKnownWord, type Value } from './value.ts'

/** Libraries that the loader puts into every program. */
const LOADED = /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/

/** Options of interpreters that run a file before the program itself. */
const PRELOADS: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: /(?:--require|--import|--loader|--experimental-loader|-r)[= ](\S+)/,
  RUBYOPT: /-r\s*(\S+)/,
  PERL5OPT: /-M(\S+)/,
  JAVA_TOOL_OPTIONS: /-(?:javaagent|agentpath|agentlib):([^\s=]+)/,
  PYTHONSTARTUP: /^(\S+)$/,
  PERL5DB: /^(.+)$/,
}

/** Switches of Hookline that are no guard of anything. */
const HARMLESS_SWITCHES = /^HOOKLINE_(?:LOG|MODEL|WARM|LAUNCHER|PROXY|DEPTH)$/

/** Folders of settings that agents take from a variable. */
const AGENT_FOLDERS =
  /^(?:CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|GEMINI_CLI_SYSTEM_SETTINGS_PATH|OPENCODE_CONFIG(?:_DIR|_CONTENT)?|CURSOR_CONFIG_DIR|COPILOT_HOME|QWEN_HOME)$/

/** Notes what a variable does to the programs that are started with it. */
export function noteVariable(context: Context, name: string, value: Value): void {
  const text = readWord(value)
  if (text === '') return
  if (/^HOOKLINE_/.test(name) && !HARMLESS_SWITCHES.test(name)) {
    noteChange(context, 'agent', 'loosen', `${name}=${showValue(value)}`)
    return
  }
  if (AGENT_FOLDERS.test(name) || /^CLAUDE_CODE_(?:SIMPLE|DISABLE_HOOKS)/.test(name)) {
    noteChange(context, 'agent', 'settings', `${name}=${showValue(value)}`)
    return
  }
  if (LOADED.test(name)) {
    if (text === null || !/^\/(?:usr|lib|lib64|opt)\//.test(text))
      noteChange(context, 'machine', 'startup', `${name}=${showValue(value)}`)
    return
  }
  if (name === 'PATH') {
    notePath(context, value)
    return
  }
  if (name === 'PROMPT_COMMAND') {
    if (text !== null) context.reading.runScript(enterStep(context), text)
    return
  }
  if (name === 'BASH_ENV') {
    runFile(context, value, [], { language: 'shell' })
    return
  }
  const file = text === null ? undefined : PRELOADS[name]?.exec(text)?.[1]
  if (file !== undefined) notePreload(context, name, file)
}

/** Notes a search path that begins with a folder that anyone may write. */
function notePath(context: Context, value: Value): void {
  const [first = ''] = showValue(value).split(':')
  const path = /^[/~]/.test(first) ? resolveOne(context, toKnownWord(first)) : null
  if (path?.place === 'temp') noteChange(context, 'machine', 'startup', `PATH begins with ${first}`, 'likely')
}

function notePreload(context: Context, name: string, file: string): void {
  if (!/[./]/.test(file)) return
  const path = resolveOne(context, toKnownWord(file))
  if (path?.exists && name === 'NODE_OPTIONS') {
    runFile(context, toKnownWord(file), [], { language: 'javascript' })
    return
  }
  if (path && (path.place === 'temp' || path.place === 'home'))
    noteChange(context, 'machine', 'startup', `${name} runs ${file}`, 'likely')
  else noteUnseen(context, 'code', `${name} ${file}`, 'run')
}
