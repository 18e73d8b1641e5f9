import { lstatSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Finding } from '../../../check/finding.ts'
import { RULES } from '../../../check/rules/table.ts'
import type { ConfiguredHook } from '../../../config/hook.ts'
import { formatPath, resolveLinks } from '../../../files/paths.ts'
import { NO_FILE, readStamp } from '../../../files/read.ts'
import { toShellWord } from '../../../text/quote.ts'

/** Remark on a place in a file: a finding of `validate`, or a sign that only `why` looks for. */
export type Remark = Omit<Finding, 'rule'> & { readonly rule: string }

/** Facts that a fix depends on: the value that matchers are tested against, and the call. */
interface AskedCall {
  readonly matched: { readonly field: string; readonly value: string } | null
  readonly known: readonly string[]
  readonly input: Readonly<Record<string, unknown>>
}

/** Formats where a hook stands. */
export function formatHookPlace({ file, line, id }: Pick<ConfiguredHook, 'file' | 'line' | 'id'>): string {
  return file === null ? id : `${file}:${line}`
}

/** The matcher that a hook needs for the value it is tested against. */
export function suggestMatcher(hook: ConfiguredHook, { matched, known }: AskedCall): string {
  const text = hook.matcherText ?? ''
  const value = matched?.value ?? ''
  const name = known.find((one) => one.toLowerCase() === value.toLowerCase())
  if (name !== undefined && name !== value) return `hookline why ${hook.event} ${matched?.field}=${name}`
  const at = `In ${formatHookPlace(hook)} write`
  const [, tool] = /^(\w+)\(.*\)$/.exec(text) ?? []
  if (tool === value) return `${at} "matcher": ${JSON.stringify(tool)}, and on the hook "if": ${JSON.stringify(text)}`
  return `${at} "matcher": ${JSON.stringify(guessMatcher(text, value, known))}`
}

/** The matcher that was likely meant: with the value added to names that are right, else the value itself. */
function guessMatcher(text: string, value: string, known: readonly string[]): string {
  const names = text.split(/\s*[|,]\s*/).filter((name) => name !== '')
  const server = names.find((name) => /^mcp__\w+$/.test(name) && value.startsWith(`${name}__`))
  if (server !== undefined) return names.map((name) => (name === server ? `${name}__.*` : name)).join('|')
  const right = names.filter((name) => known.includes(name) && name !== value)
  return right.length === names.length ? [...right, value].join('|') : value
}

/** A rule for `if` that the call fits. */
export function suggestCondition(hook: ConfiguredHook, { matched, input }: AskedCall): string {
  const at = `In ${formatHookPlace(hook)}`
  const tool = matched?.field === 'tool_name' ? matched.value : null
  if (tool === null) return `${at} remove "if": it holds on events about a tool alone`
  return `${at} write "if": ${JSON.stringify(makeRule(tool, input))}, or remove "if"`
}

function makeRule(tool: string, input: Readonly<Record<string, unknown>>): string {
  const { command, file_path: file } = Object(input.tool_input)
  if (typeof command === 'string') return `${tool}(${command.split(/\s+/).slice(0, 2).join(' ')} *)`
  return typeof file === 'string' ? `${tool}(${file})` : tool
}

/** Describes what takes a switch out. */
export function switchFix(
  { verdict, because }: { readonly verdict: string; readonly because: string },
  project: string,
): string {
  const [, file] = /^disableAllHooks is set in (.+)$/.exec(because) ?? []
  if (file !== undefined) return `In ${file} remove "disableAllHooks"`
  const [policy = ''] = because.split(' allows ')
  const named = formatPath(policy.replace(/ switches all hooks off$/, ''), project)
  return verdict === 'policy-off' ? `In ${named} the administrator of this machine changes it` : `hookline list`
}

/** Describes what to make of a hook of a type that cannot run there. */
export function suggestForUnsupported(hook: ConfiguredHook): string {
  return `In ${formatHookPlace(hook)} write "type": "command" and a "command", or move the hook to an event that takes ${hook.written.type} hooks: hookline events`
}

/** Describes what to do about a hook that cannot start. A link is never replaced by a file. */
export function startFix(fault: string, { hook, project }: { hook: ConfiguredHook; project: string }): string {
  const [, script = ''] = /^(\S+) (?:is not executable|has |does not exist)/.exec(fault) ?? []
  const word = toShellWord(followLink(script, project))
  if (fault.includes('not executable')) return `chmod +x ${word}`
  if (fault.includes('CRLF')) return `sed -i 's/\\r$//' ${word}`
  if (fault.includes('byte order mark')) return `sed -i '1s/^\\xEF\\xBB\\xBF//' ${word}`
  if (fault.includes('no #! line'))
    return `In ${formatHookPlace(hook)} write "command": ${JSON.stringify(withInterpreter(hook, script))}`
  if (fault.includes('is not in quotes'))
    return `In ${formatHookPlace(hook)} put ${/^\$\{?\w+\}?/.exec(fault)?.[0] ?? 'the path'} in double quotes, or: hookline validate --fix`
  if (fault.includes('does not exist')) return suggestForMissing(hook, { script, project })
  const [, program] = /(?:no program|interpreter) (\S+)/.exec(fault) ?? []
  if (program !== undefined)
    return `Install ${program}, or in ${formatHookPlace(hook)} name it by its whole path; hookline doctor shows what PATH has`
  return `Edit ${formatHookPlace(hook)}`
}

/** The file behind a link: what is edited in place would otherwise take the link's place. */
function followLink(script: string, project: string): string {
  const path = resolve(project, script)
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink ? resolveLinks(path) : script
}

const INTERPRETERS: Readonly<Record<string, string>> = {
  py: 'python3',
  js: 'node',
  mjs: 'node',
  cjs: 'node',
  rb: 'ruby',
  pl: 'perl',
  php: 'php',
}

function withInterpreter({ shown }: ConfiguredHook, script: string): string {
  const program = INTERPRETERS[script.split('.').at(-1) ?? ''] ?? 'sh'
  return `${program} ${shown.shell ?? toShellWord(script)}`
}

/** Folders in which scripts of hooks usually are. */
const SCRIPT_FOLDERS = ['.claude/hooks', '.claude/scripts', '.claude', 'hooks', 'scripts', '.']

/** A command that names the script where it is, or the place where it is looked for. */
function suggestForMissing(hook: ConfiguredHook, { script, project }: { script: string; project: string }): string {
  const name = basename(script.replaceAll('"', ''))
  const folder = SCRIPT_FOLDERS.find((one) => readStamp(join(project, one, name)) !== NO_FILE)
  if (folder === undefined || name === '')
    return `Put the script at ${resolve(project, script)}, or edit ${formatHookPlace(hook)}`
  const path = folder === '.' ? name : `${folder}/${name}`
  return `In ${formatHookPlace(hook)} write "command": ${JSON.stringify(`"$CLAUDE_PROJECT_DIR"/${path}`)}`
}

/** Describes what to do about a finding: its own advice, at its place; a command where one does it. */
export function suggestForFinding({ rule, file, line, message }: Remark): string {
  const at = `${file}:${line}`
  if (rule === 'V-HK-53')
    return /\b(?:EACCES|EPERM)\b/.test(message) ? `chmod u+r ${file}` : `Put a file that can be read at ${file}`
  const known = EDITS[rule]
  const [advice] = known === undefined ? readAdvice(message) : [known]
  const edit = advice === undefined ? `Edit ${at}` : `In ${at}: ${advice}`
  return canFix(rule) ? `hookline validate --fix, or edit ${at}` : edit
}

const canFix = (id: string): boolean => RULES.some((rule) => rule.id === id && rule.fix !== undefined)

/** Edits for rules whose messages end with what is wrong, not with what to do. */
const EDITS: Readonly<Record<string, string>> = {
  'V-HK-01': 'make it JSON again; until then nothing in it counts',
  'V-HK-26': 'remove the comment, or the comma',
  'V-HK-36': 'add the address to "allowedHttpHookUrls"',
}

/** Reads what a message says to do: its last sentence, or what stands behind its colon. */
function readAdvice(message: string): string[] {
  const [, wanted] = /^Claude Code [^:]+: (.+?)\.(?: |$)/.exec(message) ?? []
  if (wanted !== undefined) return [wanted]
  const sentences = message.split(/(?<=[.?!]) (?=[A-Z"])/)
  const parts = sentences.length > 1 ? sentences : message.split(': ')
  return parts
    .slice(1)
    .slice(-1)
    .map((part) => part.replace(/\.$/, ''))
}
