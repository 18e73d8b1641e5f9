import { findOwn } from '../text/table.ts'
import {
  type Context,
  enterStep,
  isLoopback,
  noteChange,
  noteFlows,
  noteUnseen,
  readHost,
  resolveOne,
} from './context.ts'
import { isCommandLine, listMakeShells, runHandedScript } from './handed-commands.ts'
import { runFile } from './run-file.ts'
import { readWord, showValue, toKnownWord, type Value } from './value.ts'

/** Libraries that the loader puts into every program. */
const LOADED = /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/

/** Options of interpreters that run a file before the program itself. */
const PRELOADS: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: /(?:--require|--import|--loader|--experimental-loader|-r)[= ](\S+)/g,
  RUBYOPT: /-r\s*(\S+)/g,
  PERL5OPT: /-[IM]\s*(\S+)/g,
  JAVA_TOOL_OPTIONS: /-(?:javaagent|agentpath|agentlib):([^\s=]+)/g,
  PYTHONSTARTUP: /^(\S+)$/g,
  DOTNET_STARTUP_HOOKS: /([^:;\s]+)/g,
  CORECLR_PROFILER_PATH: /^(\S+)$/g,
  GOFLAGS: /-toolexec[= ](\S+)/g,
  _JAVA_OPTIONS: /-(?:javaagent|agentpath|agentlib):([^\s=]+)/g,
  MAVEN_OPTS: /-(?:javaagent|agentpath|agentlib):([^\s=]+)/g,
  GRADLE_OPTS: /-(?:javaagent|agentpath|agentlib):([^\s=]+)/g,
  PHP_INI_SCAN_DIR: /([^:\s]+)/g,
  BUN_OPTIONS: /(?:--preload|-r)[= ](\S+)/g,
  PYTEST_ADDOPTS: /-p[= ]?(\S+)/g,
  PYTEST_PLUGINS: /^(\S+)$/g,
  BUNDLE_GEMFILE: /^(\S+)$/g,
  TAR_OPTIONS: /exec=(\S+)/g,
  MAKEFILES: /(\S+)/g,
  INPUTRC: /^(\S+)$/g,
  GIT_CONFIG_GLOBAL: /^(\S+)$/g,
  GIT_CONFIG_SYSTEM: /^(\S+)$/g,
  NPM_CONFIG_USERCONFIG: /^(\S+)$/gi,
  VIMINIT: /source\s+(\S+)/g,
  PERL5DB: /^(.+)$/g,
}

/** Variables whose value programs start as a command. */
const STARTED =
  /(?:PAGER|EDITOR|VISUAL|BROWSER|OPEN|CLOSE|COMMAND|CMD|SHELL|ASKPASS|EXEC|HOOK|RSH|SSH|VIEWER|PROGRAM|WRAPPER|LAUNCHER|LINKER|RUNNER|PYTHON|NODE_GYP|COMPILER|DIFF|BASH_ENV)$|^(?:CC|CXX|CPP|LD|AR|AS|RM|MAKE|INSTALL)$/i

/** Folders that programs load code from. */
const SEARCHED =
  /^(?:PYTHONPATH|NODE_PATH|PERL5LIB|RUBYLIB|CLASSPATH|LUA_C?PATH|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|GCONV_PATH|ZDOTDIR|PYTHONHOME|GIT_EXEC_PATH|GIT_TEMPLATE_DIR)$/

/** Addresses that package managers take their packages from. */
const PACKAGE_SOURCES =
  /(?:_REGISTRY|INDEX_URL|_INDEX|_REGISTRY_SERVER|_MIRROR|_DIST_SERVER|_BOTTLE_DOMAIN|_ARTIFACT_DOMAIN|GEM_SOURCE)$|^GOPROXY$/i

/** Hosts that everyone takes packages from. */
const WELL_KNOWN_SOURCES =
  /^(?:registry\.npmjs\.org|registry\.yarnpkg\.com|pypi\.org|files\.pythonhosted\.org|proxy\.golang\.org|rubygems\.org|index\.crates\.io|api\.nuget\.org|repo\.maven\.apache\.org|repo1\.maven\.org|conda\.anaconda\.org|repo\.packagist\.org|deb\.debian\.org|download\.pytorch\.org|(?:dl\.)?flathub\.org|download\.docker\.com|packages\.microsoft\.com|cli\.github\.com|github\.com|(?:rpm|deb)\.nodesource\.com|dl\.google\.com|apt\.postgresql\.org|pkgs\.k8s\.io|download\.opensuse\.org|(?:rpm|apt)\.releases\.hashicorp\.com|download\.copr\.fedorainfracloud\.org|ppa\.launchpad\.net|dl\.fedoraproject\.org|cran\.r-project\.org|cloud\.r-project\.org|cran\.rstudio\.com|packagemanager\.posit\.co|test\.pypi\.org|static\.rust-lang\.org)$/

/** Switches of Hookline that are no guard of anything. */
const HARMLESS_SWITCHES = /^HOOKLINE_(?:LOG|MODEL|WARM|LAUNCHER|PROXY|DEPTH)$/

/** Folders of settings that agents take from a variable. */
const AGENT_FOLDERS =
  /^(?:CLAUDE_CONFIG_DIR|CODEX_HOME|GEMINI_CLI_HOME|GEMINI_CLI_SYSTEM_SETTINGS_PATH|OPENCODE_CONFIG(?:_DIR|_CONTENT)?|CURSOR_CONFIG_DIR|COPILOT_HOME|QWEN_HOME)$/

/** Notes what a variable does to the programs that are started with it. */
export function noteVariable(context: Context, name: string, value: Value): void {
  const text = readWord(value)
  if (text === '') return
  if (/^HOOKLINE(?:_|$)/.test(name) && !HARMLESS_SWITCHES.test(name)) {
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
  if (name === 'BASH_ENV' || (name === 'ENV' && text !== null && text.includes('/'))) {
    runFile(context, value, [], { language: 'shell' })
    const path = resolveOne(context, value)
    if (path && /^(?:temp|home)$/.test(path.place) && !path.exists && !context.reading.files.has(path.text))
      noteChange(context, 'machine', 'startup', `${name} runs ${path.text}`, 'likely')
    return
  }
  if (SEARCHED.test(name)) {
    notePath(context, value, name)
    return
  }
  if (text !== null && PACKAGE_SOURCES.test(name)) {
    noteSource(context, name, text)
    return
  }
  // Git reads its own variables where it is run.
  if (text !== null && STARTED.test(name) && !name.startsWith('GIT_')) {
    if (isCommandLine(text)) runHandedScript(context, text.replace(/%s/g, ''))
    else if (/^\/(?:tmp|var\/tmp|dev\/shm)\/\S+$/.test(text) && !context.reading.files.has(text))
      noteChange(context, 'machine', 'startup', `${name} runs ${text}`, 'likely')
    if (isCommandLine(text)) return
  }
  if (text !== null && /^(?:GNU)?MAKEFLAGS$/.test(name))
    for (const command of listMakeShells(text)) runHandedScript(context, command)
  const preload = findOwn(PRELOADS, name)
  for (const match of text !== null && preload ? text.matchAll(preload) : []) notePreload(context, name, match[1] ?? '')
}

/** Notes a search path that begins with a folder that anyone may write. */
function notePath(context: Context, value: Value, name = 'PATH'): void {
  const [first = ''] = showValue(value).split(':')
  const path = /^[/~]/.test(first) ? resolveOne(context, toKnownWord(`${first}/x`)) : null
  if (path?.place === 'temp') noteChange(context, 'machine', 'startup', `${name} begins with ${first}`, 'likely')
}

/** Notes that packages come from another place than the usual one. */
export function noteSource(context: Context, name: string, address: string): void {
  const host = /^[a-z+]+:\/\//i.test(address) ? readHost(address) : null
  if (host === null || isLoopback(host) || WELL_KNOWN_SOURCES.test(host)) return
  noteFlows(context, ['fetch'], 'run', `${name}=${address}`)
}

function notePreload(context: Context, name: string, file: string): void {
  if (!/[./]/.test(file)) return
  const path = resolveOne(context, toKnownWord(file))
  if (path?.exists && name === 'NODE_OPTIONS') {
    runFile(context, toKnownWord(file), [], { language: 'javascript' })
    return
  }
  const place = resolveOne(context, toKnownWord(`${file}/x`))?.place
  if (place === 'temp' || place === 'home') noteChange(context, 'machine', 'startup', `${name} runs ${file}`, 'likely')
  else noteUnseen(context, 'code', `${name} ${file}`, 'run')
}
