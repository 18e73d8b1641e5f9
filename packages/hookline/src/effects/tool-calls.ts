import { isProgramName } from '../programs/table.ts'
import { findOwn } from '../text/table.ts'
import { noteHarm, readAside } from './aside.ts'
import {
  type Context,
  deletePath,
  lowerCertainty,
  note,
  noteChange,
  noteFlows,
  noteUnseen,
  readPath,
  resolveOne,
  spend,
  writePath,
} from './context.ts'
import { isCommandLine } from './handed-commands.ts'
import { isSecretElsewhere } from './places.ts'
import { readPowerShell } from './powershell.ts'
import { mark, noteSql } from './readers/databases.ts'
import { reachAddress } from './readers/network.ts'
import {
  type Content,
  carry,
  EMPTY_CONTENT,
  join,
  mergeCarried,
  toKnownWord,
  toPatternWord,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'

/** A call of a tool, as hosts tell it to hooks. */
export interface ToolCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Secrets that are recognised in text by their shape. */
const SECRET_TEXT =
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgithub_pat_\w{40,}\b|\bxox[abpr]-[\w-]{20,}\b|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{24,}\b|\bnpm_[A-Za-z0-9]{36}\b|\bglpat-[\w-]{20,}\b|\b[rs]k_live_[A-Za-z0-9]{20,}\b|\bAIza[\w-]{35}\b|\baws_secret_access_key\s*[=:]\s*["']?[\w/+]{38,}/i

/** Longer addresses are not decoded. */
const MAX_ADDRESS_CHARS = 16 * 1024

/** A variable in capitals with a value that is no example of one. */
const NAMED_VALUE = /\b([A-Z0-9_]+)\s*[=:](?=\s*["'`]?(?!\$|<|your|xxx|\*\*|process\.|import\.|os\.)[\w/+=.-]{12})/g
const SECRET_NAME = /SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY/

/** True for text that holds a secret. */
function hasSecret(text: string): boolean {
  return SECRET_TEXT.test(text) || (text.includes('.eyJ') && (text.match(/[\w.-]+/g) ?? []).some(hasJsonWebToken))
}

/** True for a word with the three parts of a JSON web token in it. */
function hasJsonWebToken(word: string): boolean {
  const parts = word.split('.')
  return parts.some(
    (part, at) =>
      /^eyJ[\w-]{20}/.test(part) && (parts[at + 1]?.length ?? 0) >= 20 && /\beyJ[\w-]{20}/.test(parts[at - 1] ?? ''),
  )
}

/** True for text that gives a value to the variable of a secret. */
function hasNamedSecret(text: string): boolean {
  return [...text.matchAll(NAMED_VALUE)].some(([, name = '']) => SECRET_NAME.test(name))
}

/** True for an address that carries a secret, as it is or in base64. */
function isCarryingSecret(address: string): boolean {
  if (hasSecret(address) || hasSecret(decodeAddress(address))) return true
  const runs = address.slice(0, MAX_ADDRESS_CHARS).match(/[\w+/-]{24,}={0,2}/g) ?? []
  return runs.some((run) => {
    const text = Buffer.from(run, 'base64').toString('latin1')
    return hasSecret(text) || /^(?:export )?[A-Z][A-Z0-9_]{2,}=[\x20-\x7e]/m.test(text)
  })
}

function decodeAddress(address: string): string {
  const text = address.slice(0, MAX_ADDRESS_CHARS).replaceAll('+', ' ')
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1'))
}

type Input = Readonly<Record<string, unknown>>
type ToolReader = (context: Context, input: Input) => void

/** Tools of agents by their names, in small letters and without signs. */
const TOOLS: Readonly<Record<string, ToolReader>> = {
  bash: readShell,
  shell: readShell,
  runshellcommand: readShell,
  execcommand: readShell,
  shellcommand: readShell,
  localshell: readShell,
  terminal: readShell,
  runterminalcmd: readShell,
  runterminalcommand: readShell,
  runinterminal: readShell,
  executecommand: readShell,
  execute: readShell,
  powershell: readPowerShellTool,
  pwsh: readPowerShellTool,
  write: readWrite,
  writefile: readWrite,
  createfile: readWrite,
  create: readWrite,
  edit: readEdit,
  multiedit: readEdit,
  replace: readEdit,
  strreplace: readEdit,
  editfile: readEdit,
  searchreplace: readEdit,
  notebookedit: readEdit,
  applypatch: readPatch,
  patch: readPatch,
  read: readRead,
  readfile: readRead,
  readmanyfiles: readRead,
  view: readRead,
  notebookread: readRead,
  grep: readGrepTool,
  searchfilecontent: readGrepTool,
  glob: readNames,
  ls: readNames,
  listdirectory: readNames,
  listdir: readNames,
  webfetch: readFetch,
  fetch: readFetch,
  readmcpresource: readResource,
  readmcpresourcetool: readResource,
  deletefile: readDelete,
  delete: readDelete,
}

/** Tools that touch nothing but the agent itself. */
const CALM_TOOLS =
  /^(?:todo|task|agent|skill|websearch|googlewebsearch|askuser|exitplan|enterplan|plan|think|killshell|killbash|bashoutput|taskoutput|slashcommand|listmcp|readmcp|toolsearch|memory|savememory|sendmessage|team|monitor|schedulewakeup|cron|lsp|config|structuredoutput|pushnotification|updateplan|viewimage|writestdin)/

/** Notes what a call of a tool does. */
export function readToolCall(context: Context, { tool, input }: ToolCall): void {
  const name = tool.toLowerCase().replaceAll(/[^a-z]/g, '')
  const reader = tool.startsWith('mcp__') ? undefined : findOwn(TOOLS, name)
  if (reader) {
    reader(context, input)
    return
  }
  if (!tool.startsWith('mcp__') && CALM_TOOLS.test(name)) return
  readByShape(context, tool, input)
}

function findText(input: Input, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = input[name]
    if (typeof value === 'string') return value
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(' ')
  }
  return null
}

function readShell(context: Context, input: Input): void {
  const command = input.command ?? input.cmd ?? input.script
  const folder = findText(input, 'workdir', 'cwd', 'directory', 'dir_path')
  if (folder) context.reading.runWords(context, [toKnownWord('cd'), toPath(context, folder)], EMPTY_CONTENT)
  if (Array.isArray(command)) {
    context.reading.runWords(
      context,
      command.map((each) => toKnownWord(String(each))),
      EMPTY_CONTENT,
    )
    return
  }
  if (typeof command !== 'string') {
    noteUnseen(context, 'not-parsed', 'a shell call without a command', 'run')
    return
  }
  context.reading.runScript(context, command)
}

function readPowerShellTool(context: Context, input: Input): void {
  readPowerShell(context, findText(input, 'command', 'script', 'cmd') ?? '')
}

const PATHS = [
  'file_path',
  'path',
  'notebook_path',
  'absolute_path',
  'filePath',
  'target_file',
  'filename',
  'file',
  'dir_path',
  'relative_workspace_path',
]

function toPath(context: Context, text: string): Value {
  return toKnownWord(text.replace(/^~(?=\/|$)/, context.reading.world.home).replace(/^file:\/\//, ''))
}

function toContent(text: string | null): Content {
  return text === null
    ? UNKNOWN_CONTENT
    : { ...UNKNOWN_CONTENT, text, carries: hasSecret(text) ? carry('secret') : new Set() }
}

function readWrite(context: Context, input: Input): void {
  const path = findText(input, ...PATHS)
  if (path === null) {
    noteUnseen(context, 'not-parsed', 'a write without a path', 'write')
    return
  }
  const text = findText(input, 'content', 'contents', 'file_text', 'text', 'code_edit')
  writePath(context, toPath(context, path), 'replace', text === '' ? UNKNOWN_CONTENT : toContent(text))
}

function readEdit(context: Context, input: Input): void {
  const path = findText(input, ...PATHS)
  if (path === null) {
    noteUnseen(context, 'not-parsed', 'an edit without a path', 'write')
    return
  }
  const edits = Array.isArray(input.edits) ? input.edits : []
  const texts = [
    findText(input, 'new_string', 'new_str', 'new_source', 'content', 'newText'),
    ...edits.map((each) =>
      typeof each === 'object' && each !== null ? findText({ ...each }, 'new_string', 'newText') : null,
    ),
  ]
  const text = texts.filter((each) => each !== null).join('\n')
  writePath(context, toPath(context, path), 'edit', { ...toContent(text), text: null })
  keepEdited(context, path, text)
}

/** Keeps the new text of an edited file, for what tools run of it by themselves. */
function keepEdited(context: Context, path: string, text: string): void {
  const found = resolveOne(context, toPath(context, path))
  if (found) context.reading.settings.set(`edited ${found.text}`, text)
}

function readPatch(context: Context, input: Input): void {
  const text = findText(input, 'input', 'patch', 'diff', 'command') ?? ''
  let isAny = false
  for (const match of text.matchAll(
    /^\*\*\* (Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$|^\+\+\+ (?:b\/)?(\S+)/gm,
  )) {
    spend(context)
    isAny = true
    const path = toPath(context, match[2] ?? match[3] ?? match[4] ?? '')
    if (match[1] === 'Delete') deletePath(context, path, 'file')
    else if (match[4] !== '/dev/null') {
      writePath(context, path, 'edit', { ...toContent(hasSecret(text) ? text : ''), text: null })
      keepEdited(context, match[2] ?? match[3] ?? match[4] ?? '', listAddedLines(text))
    }
  }
  if (!isAny) noteUnseen(context, 'not-parsed', 'a patch', 'write')
}

/** Lines that a patch adds, of all its files. */
function listAddedLines(text: string): string {
  return [...text.matchAll(/^\+(?!\+\+ )(.*)$/gm)].map((match) => match[1] ?? '').join('\n')
}

function readRead(context: Context, input: Input): void {
  const given = input.paths ?? input.files
  const list = Array.isArray(given) ? given : []
  const path = findText(input, ...PATHS)
  for (const each of [...(path === null ? [] : [path]), ...list])
    if (typeof each === 'string') readPath(context, toGlob(context, each))
}

function toGlob(context: Context, text: string): Value {
  const path = toPath(context, text)
  return /[*?]/.test(text)
    ? toPatternWord(path.pieces.map((piece) => (piece.is === 'unknown' ? '' : piece.text)).join(''))
    : path
}

function readGrepTool(context: Context, input: Input): void {
  const path = findText(input, ...PATHS) ?? '.'
  const glob = findText(input, 'glob', 'include')
  const isNames = input.output_mode === 'count'
  const target = toPath(context, path)
  const isShown = input.output_mode === 'content'
  const isFolder = context.reading.world.findKind(path) !== 'file'
  if (glob && /^\**\/?\.env|\.(?:pem|key)$/.test(glob))
    readPath(
      isShown ? context : lowerCertainty(context, 'likely'),
      join([target, toPatternWord(`/${glob.replace(/^\*\*\//, '')}`)]),
    )
  else if (isNames) readPath(context, target, 'name')
  else readPath(context, target, isFolder ? 'tree' : 'content')
}

function readNames(context: Context, input: Input): void {
  readPath(context, toPath(context, findText(input, ...PATHS) ?? '.'), 'name')
}

function readFetch(context: Context, input: Input): void {
  const url = findText(input, 'url', 'uri', 'prompt') ?? ''
  reachAddress(context, toKnownWord(url), {
    carries: isCarryingSecret(url) ? carry('secret') : new Set(),
    isSending: /^(?:POST|PUT|PATCH|DELETE)$/i.test(String(input.method ?? '')),
  })
}

/** Reads a resource of a server: one that is a file is read here. */
function readResource(context: Context, input: Input): void {
  const address = findText(input, 'uri', 'url') ?? ''
  if (/^file:/i.test(address)) reachAddress(context, toKnownWord(address), { carries: new Set(), isSending: false })
}

function readDelete(context: Context, input: Input): void {
  const path = findText(input, ...PATHS)
  if (path === null) noteUnseen(context, 'not-parsed', 'a deletion without a path', 'delete')
  else deletePath(context, toPath(context, path), 'tree')
}

/** Verbs in the name of a tool, by what they do to what they are given. */
const DELETES =
  /(?:^|_)(?:delete|remove|rm|unlink|trash|destroy|purge|prune|wipe|erase|drop|terminate|uninstall)(?:_|$)/
const WRITES =
  /(?:^|_)(?:write|create|edit|update|append|save|put|set|insert|patch|modify|replace|upload|push_files?)(?:_|$)/
const COPIES = /(?:^|_)(?:copy|cp|duplicate|clone|backup|archive|zip|compress|upload|sync|tar|pack)(?:_|$)/
const MOVES = /(?:^|_)(?:move|rename|mv)(?:_|$)/
const READS = /(?:^|_)(?:read|get|cat|view|open|show|load|head|tail|download)(?:_|$)/
/** Words of tools that say something of a file, and show nothing of what it holds. */
const NAMES = /(?:^|_)(?:info|stats?|status|metadata|exists?|size|attributes|permissions|list|tree|names?)(?:_|$)/
const RUNS = /(?:^|_)(?:run|exec|execute|shell|bash|command|terminal|start_process|spawn|eval|evaluate)(?:_|$)/
const OUTWARD =
  /(?:^|_)(?:send|post|publish|deploy|merge(?!_upstream)|refund|transfer|pay|charge|cancel|revoke|grant|release|tweet|email|message|invite|promote|rollback|restart|scale|stop|reset|disable|approve|pause|suspend|archive|drain|cordon|evict|payout|deallocate|maintenance|unpublish|reboot|shutdown)(?:_|$)/

/** Names of tools that look, whatever the words are that follow: `list_merge_requests`. */
const LOOKING_NAME = /^(?:list|get|search|find|describe|show|fetch|count|check|view|query)(?:_(?!and_)|$)/

/** Fields of one call that are looked at. */
const MAX_FIELDS = 400

interface Field {
  readonly key: string
  readonly value: string
  /** The words of a list, for a command that is given as one. */
  readonly words?: readonly string[]
}

/** Texts of an input with the key that they stand under, from objects and lists in it too. */
function listFields(input: Input): readonly Field[] {
  const fields: Field[] = []
  const visit = (key: string, value: unknown, depth: number): void => {
    if (fields.length >= MAX_FIELDS || depth > 6) return
    if (typeof value === 'string') fields.push({ key, value })
    else if (isTextList(value) && (isCommandKey(key, '') || /^(?:commands|scripts|argv)$/.test(key)))
      fields.push({ key, value: value.join(' '), words: value })
    else if (Array.isArray(value)) for (const each of value) visit(key, each, depth + 1)
    else if (typeof value === 'object' && value !== null)
      for (const [inner, each] of Object.entries(value)) visit(toSnakeCase(inner), each, depth + 1)
  }
  visit('', input, 0)
  return fields
}

function toSnakeCase(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('-', '_')
}

/** Fields that say what a tool is to do, so that their value is a part of its name. */
const OPERATION_KEY = /^(?:operation|action|op|verb|subcommand|api|operation_name|action_name|command_name)$/

/** Tools of servers: by the shape of their input and the verb in their name. */
function readByShape(context: Context, tool: string, input: Input): void {
  const [, server = '', ...rest] = tool.split('__')
  const fields = listFields(input)
  const operation = fields.find(({ key, value }) => OPERATION_KEY.test(key) && /^[\w:. -]{1,60}$/.test(value))?.value
  const name = [toSnakeCase(tool.startsWith('mcp__') ? rest.join('__') : tool), toSnakeCase(operation ?? '')]
    .filter((each) => each !== '')
    .join('_')
    .replaceAll(/[:. ]/g, '_')
  if (fields.length >= MAX_FIELDS) noteUnseen(context, 'too-much', `${server} ${name}`, 'run')
  const copied = readCopied(context, { name, server, fields })
  let isSeen = runToolProgram(context, { name, server, input })
  for (const field of isSeen ? [] : fields) {
    spend(context)
    if (OPERATION_KEY.test(field.key)) continue
    isSeen = readToolField(context, { ...field, name, server, input, copied }) || isSeen
  }
  noteVerb(context, { name, server, input, isSeen })
  const texts = fields.map(({ value }) => value).join('\n')
  if (tool.startsWith('mcp__') && (hasSecret(JSON.stringify(input)) || hasNamedSecret(texts)))
    noteFlows(context, ['secret'], 'send', server)
}

/** Programs whose commands servers hand on: the name of one stands in that of the tool, or of its server. */
const HANDED_PROGRAMS: ReadonlySet<string> = new Set(
  'git gh glab kubectl helm helmfile docker podman terraform tofu terragrunt pulumi aws gcloud gsutil bq az doctl heroku vercel netlify wrangler firebase fly flyctl railway supabase stripe vault consul nomad argocd flux eksctl ansible cdk sam serverless npm pnpm yarn bun npx make just task rake gradle mvn cargo pip uv poetry redis rclone systemctl brew apt adb pm2 rails artisan'.split(
    ' ',
  ),
)

/** Programs that run what a project names, with the word in front of the name. */
const RUNS_NAMED: Readonly<Record<string, readonly string[]>> = {
  npm: ['run'],
  pnpm: ['run'],
  yarn: ['run'],
  bun: ['run'],
  make: [],
  just: [],
  task: [],
  rake: [],
  gradle: [],
}

/** Runs the program that a tool is named after, with the words in its fields; false for a tool that is none of these. */
function runToolProgram(
  context: Context,
  { name, server, input }: { name: string; server: string; input: Input },
): boolean {
  const words = [input.args, input.arguments].find(isTextList) ?? []
  const started = findText(input, 'program', 'executable', 'binary')
  if (started !== null && RUNS.test(name)) {
    context.reading.runWords(
      context,
      [started, ...words].map((each) => toKnownWord(each)),
      EMPTY_CONTENT,
    )
    return true
  }
  const parts = name.split('_')
  const isOpen = parts.every((part) => HANDED_PROGRAMS.has(part) || GENERIC.test(part))
  const program = [
    ...parts.filter((part) => !GENERIC.test(part)),
    ...server
      .toLowerCase()
      .split(/[-_]/)
      .map((part) => part.replace(/(?<=^(?:make|just|task|rake))file$/, '')),
  ].find((part) => HANDED_PROGRAMS.has(part))
  if (!isOpen || program === undefined) return false
  const called = program === 'redis' ? 'redis-cli' : program
  const named = findText(input, 'script', 'target', 'recipe', 'task', 'script_name', 'scriptName', 'task_name', 'goal')
  const before = findOwn(RUNS_NAMED, program)
  const given = [input.args, input.arguments].find(isTextList) ?? []
  const line = findText(
    input,
    'command',
    'cmd',
    'subcommand',
    'cli_command',
    ...(given.length > 0 ? [] : ['args', 'arguments']),
  )
  if (before && named !== null && !/\s/.test(named)) {
    const words = [called, ...before, named, ...given]
    context.reading.runWords(
      context,
      words.map((each) => toKnownWord(each)),
      EMPTY_CONTENT,
    )
    return line === null
  }
  if (line === null && given.length === 0) return false
  const first = /^\s*(?:\S*\/)?([\w.-]+)/.exec(line ?? '')?.[1] ?? ''
  // A line that begins with a program is whole by itself.
  if (first === called || isProgramName(first)) return false
  const rest = given.map((each) => `'${each.replaceAll("'", "'\\''")}'`).join(' ')
  context.reading.runScript(context, `${called} ${line ?? ''} ${rest}`)
  return true
}

/** Words in the names of tools that hand on whatever they are given. */
const GENERIC =
  /^(?:run|exec|execute|call|invoke|use|command|commands|cmd|cli|generic|raw|any|shell|script|target|task|recipe|tool|job|start|perform|do|in|the|custom)$/

/** Content that a tool copies: what lies at the paths that are no target. */
function readCopied(
  context: Context,
  { name, server, fields }: { name: string; server: string; fields: readonly Field[] },
): Content {
  if (!COPIES.test(name) || REMOTE_SERVERS.test(server)) return UNKNOWN_CONTENT
  const contents = fields
    .filter(({ key, value }) => isPathKey(key) && isLikelyPath(key, value) && !isTargetKey(key))
    .map(({ value }) => readPath(context, toPath(context, value), 'tree'))
  return { ...UNKNOWN_CONTENT, carries: mergeCarried(contents.map(({ carries }) => carries)) }
}

interface ToolField extends Field {
  readonly name: string
  readonly server: string
  readonly input: Input
  readonly copied: Content
}

/** Notes what one field of a call means; answers whether it means anything. */
function readToolField(context: Context, field: ToolField): boolean {
  const { key, value, words, name, server, input } = field
  if ((isCommandKey(key, value) || words) && isRunner(name, server)) {
    runCommandField(context, field)
    return true
  }
  if (
    /^(?:sql|query|statement|queries|statements)$/.test(key) &&
    isLikelySql(value) &&
    !(key === 'query' && /search|find|list/.test(name))
  ) {
    noteSql(context, value, server)
    return true
  }
  if (
    /^(?:query|cypher|statement)$/.test(key) &&
    /\bdetach\s+delete\b|^\s*drop\s+(?:constraint|index|database)\b/i.test(value)
  ) {
    noteChange(context, 'database', 'delete-all', `${server} ${name}`)
    return true
  }
  const isFileToChange = value.startsWith('file:') && (WRITES.test(name) || DELETES.test(name) || MOVES.test(name))
  if (/(?:^|_)(?:url|uri|href|endpoint)s?$/.test(key) && /^[a-z]+:/i.test(value) && !isFileToChange) {
    reachAddress(context, toKnownWord(value), {
      carries: isCarryingSecret(value) ? carry('secret') : new Set(),
      isSending: OUTWARD.test(name),
    })
    return true
  }
  if (
    /^(?:code|expression|function|js|javascript|python|source_code|snippet|cell|source|cell_source|cell_content)$/.test(
      key,
    ) &&
    (key !== 'source' || /cell|code|notebook/.test(name)) &&
    isRunner(name, server)
  ) {
    if (/playwright|browser|puppeteer|chrome/.test(server + name)) runPageCode(context, name, value)
    else runCodeField(context, field)
    return true
  }
  if (
    /^(?:text|keys|input|value)$/.test(key) &&
    /computer|desktop|keyboard|terminal|iterm|tmux/.test(server) &&
    isCommandLine(value)
  )
    return (
      noteHarm(
        context,
        readAside(context, (inner) => inner.reading.runScript(inner, value)),
      ) > 0
    )
  const path = value.replace(/^file:\/\//, '')
  return isPathKey(key) && isLikelyPath(key, path) && readPathInput(context, { ...field, value: path, input })
}

/** Code in a page of a browser: what the page keeps for its user may leave it. */
function runPageCode(context: Context, name: string, code: string): void {
  noteUnseen(context, 'remote', name, 'run')
  const isSending = /\bfetch\s*\(|sendBeacon|XMLHttpRequest|\.src\s*=|WebSocket/.test(code)
  if (!isSending || !/\bcookie\b|localStorage|sessionStorage|indexedDB/.test(code)) return
  noteFlows(context, ['secret'], 'send', /https?:\/\/([^/'"`\s]+)/.exec(code)?.[1] ?? name)
}

/** Runs a command line, the words of one, or code in a language that another field names. */
function runCommandField(context: Context, field: ToolField): void {
  const { key, value, words, input } = field
  if (runShellLanguage(context, input, value)) return
  if (findLanguage(input) !== null) {
    runCodeField(context, field)
    return
  }
  const args = isTextList(input.args) ? input.args : []
  const isList = words !== undefined && !/s$/.test(key) && !/\s/.test(words[0] ?? '')
  if (args.length > 0 || isList)
    context.reading.runWords(
      context,
      [...(isList ? words : [value]), ...args].map((each) => toKnownWord(each)),
      EMPTY_CONTENT,
    )
  else for (const each of words ?? [value]) context.reading.runScript(context, each)
}

/** Runs a script of a shell that a field of the call names; false for any other language. */
function runShellLanguage(context: Context, input: Input, script: string): boolean {
  const named = findText(input, 'language', 'lang', 'runtime', 'kernel', 'interpreter') ?? ''
  if (/^(?:bash|sh|zsh|shell|shellscript|terminal)$/i.test(named)) context.reading.runScript(context, script)
  else if (/^(?:powershell|pwsh|ps1)$/i.test(named)) readPowerShell(context, script)
  else return false
  return true
}

/** The language that a field of the call names; null for a shell, or where none does. */
function findLanguage(input: Input): string | null {
  const named = findText(input, 'language', 'lang', 'runtime', 'kernel', 'interpreter')
  const language =
    named === null ? undefined : /python|javascript|typescript|node|ruby|perl|php|lua|julia|\bR\b/i.exec(named)?.[0]
  if (language === undefined) return null
  return /script|node/i.test(language) ? 'javascript' : language.toLowerCase()
}

/** Runs code; lines of a notebook that begin with a sign are commands. */
function runCodeField(context: Context, { key, value, name, server, input }: ToolField): void {
  if (runShellLanguage(context, input, value)) return
  const language =
    findLanguage(input) ??
    findLanguage({ language: name }) ??
    (/py|jupyter|notebook|ipy|kernel|cell/.test(key + name + server) ? 'python' : 'javascript')
  const magic = /^\s*%%(?:bash|sh|script\s+\w+)\b.*\n([\s\S]*)$/.exec(value)
  if (magic) {
    context.reading.runScript(context, magic[1] ?? '')
    return
  }
  const lines = value.split('\n')
  for (const line of lines) {
    const command = /^\s*(?:!{1,2}|%(?:sx|system|sh)\s)(.+)$/.exec(line)?.[1]
    if (command) context.reading.runScript(context, command)
  }
  const code = lines.filter((line) => !/^\s*[!%]/.test(line)).join('\n')
  if (code.trim() !== '') context.reading.runCode(context, language, code, EMPTY_CONTENT)
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
}

/** True for a field that holds a command line: by its name, or by a program at its beginning. */
function isCommandKey(key: string, value: string): boolean {
  if (/^(?:command|cmd|script|shell|command_line|commandline|bash|cli_command|cli|line|input_command)$/i.test(key))
    return true
  return /(?:^|_)(?:command|cmd)(?:$|_)/i.test(key) && /\s/.test(value)
}

/** True for a tool that runs what it is given, by its name or its server's. */
function isRunner(name: string, server: string): boolean {
  return (
    RUNS.test(name) ||
    /shell|terminal|exec|commander|bash|cli|ssh|process|tmux|iterm/.test(server) ||
    /(?:^|_)(?:call|cli|aws|kubectl|docker|write_to_terminal|python|node|javascript|typescript|ruby|perl|php|repl|interpreter|notebook|sandbox)(?:_|$)/.test(
      name,
    )
  )
}

function isLikelySql(text: string): boolean {
  return /^\s*(?:--[^\n]*\n\s*|\/\*[\s\S]*?\*\/\s*)*(?:select|insert|update|delete|drop|truncate|alter|create|with|grant|begin|explain|attach|detach|pragma|copy|set|merge|vacuum|show)\b/i.test(
    text,
  )
}

function isPathKey(key: string): boolean {
  return /(?:^|_)(?:path|file|filepath|filename|source|destination|src|dst|dest|target|directory|dir|folder|output|input|from|to|uri|location)s?$/.test(
    key,
  )
}

/** True for a field that says where something goes. */
function isTargetKey(key: string): boolean {
  return /(?:^|_)(?:destination|dst|dest|output|to)(?:_\w+)?$|^target(?:_path)?$/.test(key)
}

/** True for a value that can be a path: receivers of messages and names of branches are none. */
function isLikelyPath(key: string, value: string): boolean {
  if (/^[a-z]+:\/\//i.test(value) || /@|\s{2}/.test(value)) return false
  if (/^(?:path|file|filepath|filename|directory|dir|folder|file_path)s?$/.test(key)) return true
  return /^(?:~|\.{0,2}\/)|^[\w.-]+(?:\/[\w.-]+)+$|^[\w-]*\.\w{1,12}$/.test(value)
}

/** Names of files that are run as they are. */
const SCRIPT_FILE = /\.(?:sh|bash|zsh|py|rb|pl|php|[cm]?js|ts|ps1)$/

interface PathInput {
  readonly key: string
  readonly value: string
  readonly name: string
  readonly server: string
  readonly input: Input
  readonly copied: Content
}

/** Servers whose paths are of another machine. */
const REMOTE_SERVERS =
  /firebase|firestore|shopify|airtable|sharepoint|onedrive|github|gitlab|bitbucket|s3|drive|dropbox|notion|confluence|jira|linear|slack|vercel|supabase/

function readPathInput(context: Context, { key, value, name, server, input, copied }: PathInput): boolean {
  if (REMOTE_SERVERS.test(server)) {
    if (WRITES.test(name) && isSecretElsewhere(context.reading.world, `/${value}`))
      noteChange(context, 'git', 'stage-secret', value)
    return false
  }
  // The folder of a plan is where it lies, and not what is destroyed.
  if (INFRASTRUCTURE.test(server) && DELETES.test(name)) return false
  const path = toPath(context, value)
  const isTarget = isTargetKey(key)
  if (RUNS.test(name) && SCRIPT_FILE.test(value)) {
    context.reading.runWords(context, [path], EMPTY_CONTENT)
    return true
  }
  if (MOVES.test(name)) {
    if (isTarget) writePath(context, path, 'replace')
    else deletePath(context, path, 'move-away')
  } else if (DELETES.test(name)) deletePath(context, path, 'tree')
  else if (COPIES.test(name) && !isTarget) return true
  else if (WRITES.test(name) || isTarget) {
    const text = findText(input, 'content', 'text', 'data')
    writePath(context, path, 'replace', text === null ? copied : toContent(text))
  } else if (READS.test(name) && !NAMES.test(name)) readPath(context, path)
  else {
    readPath(context, path, 'name')
    return false
  }
  return true
}

/** Tools of git servers are commands of git: their fields are its options. */
function runGitTool(context: Context, command: string, input: Input): void {
  const options = Object.entries(input).flatMap(([key, value]) => {
    if (value === true) return [key.length === 1 ? `-${key}` : `--${key.replaceAll('_', '-')}`]
    if (key === 'mode' && typeof value === 'string') return [`--${value}`]
    return []
  })
  const operands = ['remote', 'branch', 'branch_name', 'target', 'revision', 'ref']
    .map((key) => input[key])
    .filter((value) => typeof value === 'string')
  const files = isTextList(input.files) ? ['--', ...input.files] : []
  const remote = command === 'push' && typeof input.remote !== 'string' && operands.length > 0 ? ['origin'] : []
  const words = ['git', command, ...options, ...remote, ...operands, ...files]
  context.reading.runWords(
    context,
    words.map((each) => toKnownWord(each)),
    EMPTY_CONTENT,
  )
}

/** Servers that keep notes of an agent for itself. */
const OWN_NOTES = /memory|mem0|knowledge|todo|taskmaster|task-master|scratchpad|thinking|planner/

/** Servers that run what others use. */
const INFRASTRUCTURE =
  /terraform|tofu|pulumi|kube|k8s|helm|aws|gcp|gcloud|azure|cloudflare|vercel|netlify|heroku|fly|digitalocean|railway|docker|argocd|ansible|portainer|nomad|consul/

/** Servers of chats in which a team talks. */
const TEAM_CHATS = /slack|discord|teams|mattermost|zulip|rocket|chat/

function findSystem(server: string): 'cluster' | 'database' | 'cloud' {
  if (/kube|k8s|cluster/.test(server)) return 'cluster'
  return /postgres|mysql|mongo|redis|sql|supabase|database/.test(server) ? 'database' : 'cloud'
}

function noteVerb(
  context: Context,
  { name, server, input, isSeen }: { name: string; server: string; input: Input; isSeen: boolean },
): void {
  const target = mark(`${server} ${name} ${JSON.stringify(input).slice(0, 120)}`, /"(?:main|master)"/g)
  if (/cron|schedul/.test(server + name) && /(?:^|_)(?:add|create|set|register|install|update)(?:_|$)/.test(name)) {
    noteChange(context, 'machine', 'startup', target, 'likely')
    return
  }
  if (/(?:^|_)kill(?:_|$)/.test(name)) {
    noteChange(
      context,
      'machine',
      'process',
      target,
      /"(?:pid|id)":\s*"?-?1\b/.test(JSON.stringify(input)) ? 'certain' : 'possible',
    )
    return
  }
  if (/"\$(?:out|merge)":/.test(JSON.stringify(input)) && findSystem(server) === 'database')
    noteChange(context, 'database', 'truncate', target, 'likely')
  const isOpened = input.private === false || /^public$/i.test(String(input.visibility ?? ''))
  if (isOpened && /(?:^|_)(?:update|edit|set|change|patch)(?:_|$)/.test(name))
    noteChange(context, 'cloud', 'change', target)
  if (
    /(?:^|_)(?:get|read|fetch|reveal|show|access|retrieve|decrypt)_(?:\w+_)?secrets?(?:_values?|_versions?)?$/.test(
      name,
    )
  ) {
    noteChange(context, 'cloud', 'secret', target)
    return
  }
  if (/(?:^|_)(?:create|start|open|expose)_tunnel(?:_|$)/.test(name)) note(context, { does: 'listen', on: target })
  if (isSeen) return
  const git = /^git_(\w+)$/.exec(name)?.[1]
  if (git && /git/.test(server)) {
    const [verb = '', rest = ''] = git.replaceAll('_', '-').split(/-(delete|remove|drop|force)$/)
    runGitTool(
      context,
      rest === 'delete' || rest === 'remove' ? verb : git.replaceAll('_', '-'),
      rest === '' ? input : { ...input, [verb === 'branch' && input.force === true ? 'D' : 'delete']: true },
    )
    return
  }
  const isInfrastructure = INFRASTRUCTURE.test(server)
  const takesVolumes = [input.volumes, input.remove_volumes, input.removeVolumes, input.v].includes(true)
  if (/(?:^|_)(?:down|rm|remove|stop)(?:_|$)/.test(name) && takesVolumes) {
    noteChange(context, 'containers', 'remove-volumes', target)
    return
  }
  if (isInfrastructure && input.destroy === true) {
    noteChange(context, 'cloud', 'destroy', target)
    return
  }
  if (
    isInfrastructure &&
    /(?:^|_)(?:apply|deploy|create|update|scale|patch|rollout|migrate|sync|put|set|attach|up|playbook)(?:_|$)/.test(
      name,
    )
  ) {
    noteChange(context, findSystem(server), 'change', target)
    return
  }
  if (
    /(?:^|_)(?:flush|flushall|flushdb|truncate|reset|clear|empty)(?:_|$)/.test(name) &&
    findSystem(server) === 'database'
  ) {
    noteChange(context, 'database', 'truncate', target)
    return
  }
  // Notes of an agent for itself and a word in the team's own channel are everyday work.
  if (DELETES.test(name))
    noteChange(context, findSystem(server), 'delete', target, OWN_NOTES.test(server) ? 'possible' : 'certain')
  else if (OUTWARD.test(name) && !LOOKING_NAME.test(name)) {
    const isMessage = /message|email|tweet|post|send|reply|comment/.test(name)
    noteChange(
      context,
      'cloud',
      isMessage ? 'message' : 'change',
      target,
      isMessage && TEAM_CHATS.test(server) && !DELETES.test(name) ? 'possible' : 'certain',
    )
  } else if (
    !READS.test(name) &&
    !/(?:^|_)(?:list|search|find|query|describe|fetch|navigate|screenshot|snapshot|click|status|info|count|resolve|lookup|check|think|plan)/.test(
      name,
    )
  )
    noteUnseen(context, 'program', `${server} ${name}`)
}
