import { posix } from 'node:path'
import { findOwn } from '../../text/table.ts'
import { runByShape } from '../code-shape.ts'
import {
  type Context,
  deletePath,
  enterStep,
  lowerCertainty,
  MAX_DEPTH,
  note,
  noteChange,
  noteFlows,
  noteUnseen,
  spend,
} from '../context.ts'
import { noteNamedPlaces } from '../named-places.ts'
import { noteSql } from '../readers/databases.ts'
import { type Content, mergeCarried, toKnownWord, UNKNOWN_CONTENT } from '../value.ts'
import type { Carried } from '../view.ts'
import { type Code, isInline } from './code.ts'
import { bindFunctions, bindLoops, callBody, readStatements } from './statements.ts'
import { tokenize } from './tokens.ts'

/** Longer code is not read. */
const MAX_CODE_CHARS = 64 * 1024

/** Reads code of a language and notes what its calls do, as far as their arguments are known. */
export function runCode(context: Context, language: string, text: string): Content {
  if (context.depth > MAX_DEPTH) {
    noteUnseen(context, 'too-deep', language, 'run')
    return UNKNOWN_CONTENT
  }
  if (text.length > MAX_CODE_CHARS) {
    noteUnseen(context, 'too-much', language, 'run')
    return UNKNOWN_CONTENT
  }
  if (language === 'sql') {
    noteSql(context, text, '')
    return UNKNOWN_CONTENT
  }
  if (language === 'osascript') return runAppleScript(context, text)
  const family = findOwn(FAMILIES, language) ?? language
  // A call may bring any code of any length: it costs four times what a file does.
  spend(context, 1 + (text.length >> (isInline(context) ? 3 : 6)))
  if (!KNOWN_FAMILIES.has(family)) {
    runByShape(context, language, text)
    return UNKNOWN_CONTENT
  }
  const since = context.reading.effects.length
  const carried = walk(context, family, text)
  if (!/^\s*[[{]\s*"/.test(text)) noteNamedPlaces(context, text, since) // no data that code loads
  return { ...UNKNOWN_CONTENT, carries: carried }
}

const FAMILIES: Readonly<Record<string, string>> = {
  node: 'javascript',
  python3: 'python',
  typescript: 'javascript',
  lua: 'lua',
  luajit: 'lua',
}

const KNOWN_FAMILIES = new Set(['javascript', 'python', 'ruby', 'perl', 'php', 'lua'])

function runAppleScript(context: Context, text: string): Content {
  for (const match of text.matchAll(/do shell script\s+"((?:[^"\\]|\\.)*)"/g))
    context.reading.runScript(enterStep(context), (match[1] ?? '').replaceAll('\\"', '"').replaceAll('\\\\', '\\'))
  if (/delete\s+(?:every|item|items|file|folder|disk|POSIX)|empty (?:the )?trash/i.test(text)) {
    noteUnseen(context, 'code', 'osascript', 'delete')
    deletePath(
      lowerCertainty(context, 'likely'),
      toKnownWord(posix.join(context.reading.world.home, 'Documents')),
      'tree',
    )
  }
  // The other language of osascript is JavaScript, whose bridge calls functions of C.
  if (/\$\.|ObjC\.|Application\(|doShellScript/.test(text)) runByShape(context, 'osascript', text)
  if (/make (?:new )?login item/i.test(text)) noteChange(context, 'machine', 'startup', 'osascript: login item')
  if (/(?:shut down|restart|log out)\s*$/m.test(text)) noteChange(context, 'machine', 'power', 'osascript')
  return UNKNOWN_CONTENT
}

function walk(context: Context, language: string, text: string): ReadonlySet<Carried> {
  const code: Code = {
    context,
    language,
    tokens: tokenize(text, language),
    names: new Map(),
    stars: [],
    bodies: new Set(),
    called: new Set(),
    callBody,
    at: 0,
    nesting: 0,
  }
  noteForks(context, language, text)
  bindLoops(code)
  bindFunctions(code)
  const carries = readStatements(code).map(({ value }) => value.carries)
  // Functions that nothing here calls may be called by a name that is not seen.
  for (const body of code.bodies)
    if (!code.called.has(body)) callBody({ ...code, context: lowerCertainty(context, 'likely') }, body, [])
  noteReverseShell(context, text)
  if (text.length <= MAX_ONE_LINER && SHOWN_BY_LIBRARY.test(text))
    note(
      context,
      { does: 'read', path: { text: 'credentials of a library', place: 'secret', exists: true }, what: 'content' },
      'likely',
    )
  noteGitLibrary(context, text)
  if (language === 'perl') noteFileFind(context, text)
  noteServiceLibrary(context, text)
  return mergeCarried(carries)
}

/** Words by which a loop waits for something, or ends. */
const PAUSES =
  /sleep|wait|communicate|\bread|recv|accept|\bget\(|input\(|gets|stdin|stdout|join\(|select|poll|break|exit|return|timeout/i

function noteForks(context: Context, language: string, text: string): void {
  const isLoop =
    /setInterval\s*\(|iter\(int,\s*1\)|\bin range\((?:\d{4,}|10\s*\*\*|1e)|itertools\.(?:count|cycle|repeat)\(|while\s*(?:\(\s*)?(?:True|1|true)\b|fork\s+while|while\s*(?:\(\s*)?fork|for\s*\(\s*;\s*;|loop\s*(?:do|\{)|:loop/.test(
      text,
    )
  const isFork =
    /\bfork\s*(?:\(|while\b|;|\}|\bdo\b|$)|os\.fork\b|pcntl_fork\s*\(/.test(text) ||
    /\b(?:execute|system|popen|exec|shell_exec)\s*\(?\s*["'][^"']*&\s*["']/.test(text) ||
    (language === 'javascript' && /(?:spawn|fork|exec)\s*\(\s*(?:process\.|__filename)/.test(text))
  // A program that starts itself with its own words.
  if (/\b(?:spawn|execFile)\w*\s*\(\s*process\.(?:argv\[0\]|argv0|execPath)\s*,\s*process\.argv\b/.test(text))
    noteChange(context, 'machine', 'fork-bomb', `${language} that starts itself`, 'likely')
  const isEndless = /while\s*(?:\(\s*)?(?:True|1|true)\b|for\s*\(\s*;\s*;|loop\s*(?:do|\{)/.test(text)
  const isSpawning = /\b(?:Popen|popen|spawn|create_subprocess_\w+)\s*\(/.test(text) && !PAUSES.test(text)
  if (isEndless && isSpawning)
    noteChange(context, 'machine', 'fork-bomb', `${language} that starts processes without end`, 'likely')
  if (isLoop && isFork) noteChange(context, 'machine', 'fork-bomb', `${language} that forks without end`)
}

/** Characters of code that does one thing. */
const MAX_ONE_LINER = 600

/** A shell whose input and output are a connection. */
function noteReverseShell(context: Context, text: string): void {
  const isConnection =
    /\bsocket\b|TCPSocket|(?:\bnet|['"](?:node:)?net['"]\))\.(?:connect|Socket|createConnection)|IO::Socket|fsockopen|INET/.test(
      text,
    )
  const isShell =
    /pty\.spawn|dup2|proc_open|puts?[ (]+`#\{|\/bin\/(?:ba|z)?sh|["'](?:ba|z)?sh["']\s*(?:,\s*)?(?:(?:\[\s*)?["']-i|\))|exec(?:ute)?\s*\(?["'](?:\/bin\/)?(?:ba)?sh|\b(?:call|run|Popen)\(\s*\[?["'](?:\/bin\/)?(?:ba|z|da)?sh["'][^)]*\bstdin\s*=/.test(
      text,
    )
  // Commands that come by the connection: `while line = c.gets; IO.popen(line)`.
  const isObeying =
    text.length <= MAX_ONE_LINER &&
    /\b(?:gets|recv\w*|readline|getline|receive|on\(\s*['"]data['"])/.test(text) &&
    /\b(?:popen\w*|system|exec\w*|spawn\w*|shell_exec|passthru|check_output|subprocess\.\w+|eval)\b|`/.test(text)
  const isPiped = /\bspawn\w*\s?\(\s?['"](?:\/bin\/)?(?:ba|z)?sh['"]/.test(text) && /\.pipe\(\s?\w+\.stdin/.test(text)
  const host = /["']((?:\d{1,3}\.){3}\d{1,3}|[\w-]+(?:\.[\w-]+)+)["']/.exec(text)?.[1]
  if (isConnection && (isShell || isPiped || isObeying)) noteFlows(context, ['shell'], 'send', host ?? 'a host')
  const isSending = text.length <= MAX_ONE_LINER && /\.(?:end|write|send\w*|puts|print|emit)\b/.test(text)
  if (isConnection && isSending && WHOLE_ENVIRONMENT.test(text) && !/^(?:127\.|localhost)/.test(host ?? ''))
    noteFlows(context, ['environment'], 'send', host ?? 'a host')
}

/** Secrets that code has from a library or from the settings of its framework, beside a word that prints. */
const SHOWN_BY_LIBRARY =
  /\b(?:print|puts|pp?|echo|console\.log|dd|dump|inspect|write)\b[\s\S]{0,200}(?:get_credentials\(\)|\bapplication\.(?:credentials|secrets)\b|\bsettings\.SECRET_KEY\b|\bget_frozen_credentials\b|\bget_password\()/

/** The environment as a whole, not one variable of it. */
const WHOLE_ENVIRONMENT =
  /\bprocess\.env\b(?![.[])|\bos\.environ\b(?!\.get|\[)|\bENV\b(?:\.(?:to_\w+|inspect|map|each)|\s*[),])|%ENV\b|\bgetenv\(\)/

/** Notes what File::Find of Perl deletes: it calls the function it is given for all that lies below its folders. */
function noteFileFind(context: Context, text: string): void {
  const at = text.search(/\bfind(?:depth)?\s?\(/)
  const call = at === -1 ? '' : text.slice(at, at + MAX_ONE_LINER)
  if (!/\b(?:unlink|rmdir|rmtree|remove_tree)\b/.test(call)) return
  for (const [, , folder] of call.matchAll(/,\s?(["'])([^"'$@]{1,200})\1/g))
    deletePath(context, toKnownWord(folder ?? ''), 'tree')
}

/** Libraries by which code speaks to clouds, clusters, containers and services. */
const SERVICE_LIBRARY =
  /\b(?:boto3|botocore|aioboto3|aws-sdk|@aws-sdk|google\.cloud|@google-cloud|googleapiclient|googleapis|azure\.(?:mgmt|storage|identity|cosmos|keyvault)|@azure\/|from kubernetes|import kubernetes|@kubernetes\/|dockerode|import docker|from docker|digitalocean|hcloud|linode_api4|openstack|libcloud|@pulumi|cloudflare|PyGithub|from github import|octokit|gitlab|heroku|elasticsearch|opensearchpy|pinecone|qdrant_client|stripe|Aws::|Google::Cloud|Docker::)/i

/** Calls of theirs that take something away. */
const SERVICE_REMOVES =
  /(?<!\b(?:os|fs|shutil|pathlib|path|tmp|list|set|items|names))\.(?:delete|terminate|destroy|remove|prune|purge|kill|refund|cancel)(?:_[a-z_]+|[A-Z]\w*)?\s*\(|\b(?:Delete|Terminate|Purge|Destroy)[A-Z]\w*Command\b/

/** Requests in the words of other libraries that delete. */
const DELETING_REQUEST =
  /CUSTOMREQUEST["'\s,=>]{1,8}DELETE|Net::HTTP::Delete|\bhttp\w*\b[\s\S]{0,200}\.delete\s*\(\s*["']\//i

/** Notes calls of such a library that take away what others use. */
function noteServiceLibrary(context: Context, text: string): void {
  const isRemoving = SERVICE_LIBRARY.test(text) && SERVICE_REMOVES.test(text)
  const isRequest = DELETING_REQUEST.test(text) && !/localhost|127\.0\.0\.1/.test(text)
  if (isRemoving || isRequest) noteChange(context, 'cloud', 'delete', 'a library of a service', 'likely')
}

/** Libraries that are git for code. */
const GIT_LIBRARY =
  /\b(?:from git import|import git\b|git\.Repo\b|simple-git|simpleGit|pygit2|dulwich|isomorphic-git|nodegit|rugged|Rugged|Git\.open|Git::Repository|gitpython)/i

/** Notes calls of such a library that throw work or history away. */
function noteGitLibrary(context: Context, text: string): void {
  if (!GIT_LIBRARY.test(text)) return
  if (
    /\breset\w*\b[^;\n]{0,80}(?:hard|HARD|working_tree\s*=\s*True)|\bclean\s*\(\s*['"[][^)]{0,40}f|['"](?:clean|reset|checkout)['"]\s*,\s*['"](?:-\w*f|--hard|--force|--['"])|checkout\w*\s*\([^)]{0,60}(?:force|FORCE|['"]-f|['"]--['"]|['"]\.['"])/.test(
      text,
    )
  )
    noteChange(context, 'git', 'discard-work', 'a library of git', 'likely')
  if (/\bpush\w*\b[^;\n]{0,80}(?:force|['"]-f['"]|['"]\+)/.test(text))
    noteChange(context, 'git', 'rewrite-remote', 'a library of git', 'likely')
  if (/\bdelete_head\b|\bdeleteLocalBranch\b[^;\n]{0,60}true|\bbranch\s*\(\s*(?:\[\s*)?['"]-D/.test(text))
    noteChange(context, 'git', 'delete-ref', 'a library of git', 'likely')
}
