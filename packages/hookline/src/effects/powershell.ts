import { findOwn } from '../text/table.ts'
import {
  type Context,
  deletePath,
  enterStep,
  fetchFrom,
  isLoopback,
  listRunnable,
  lowerCertainty,
  MAX_DEPTH,
  noteChange,
  noteFlows,
  noteUnseen,
  readPath,
  resolveOne,
  sendTo,
  spend,
  writePath,
} from './context.ts'
import {
  type Content,
  carry,
  concat,
  EMPTY_CONTENT,
  leaveOut,
  mergeCarried,
  showValue,
  toKnownWord,
  toPatternWord,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'
import { noteSource } from './variables.ts'

/** Longer scripts are not read. */
const MAX_CHARS = 64 * 1024

/** Aliases of cmdlets, and words of cmd that mean the same. */
const ALIASES: Readonly<Record<string, string>> = {
  rm: 'remove-item',
  ri: 'remove-item',
  del: 'remove-item',
  erase: 'remove-item',
  rd: 'remove-item',
  rmdir: 'remove-item',
  gc: 'get-content',
  cat: 'get-content',
  type: 'get-content',
  sc: 'set-content',
  ac: 'add-content',
  clc: 'clear-content',
  cp: 'copy-item',
  copy: 'copy-item',
  cpi: 'copy-item',
  mv: 'move-item',
  move: 'move-item',
  mi: 'move-item',
  ren: 'move-item',
  rni: 'move-item',
  'rename-item': 'move-item',
  iwr: 'invoke-webrequest',
  irm: 'invoke-restmethod',
  curl: 'invoke-webrequest',
  wget: 'invoke-webrequest',
  iex: 'invoke-expression',
  saps: 'start-process',
  start: 'start-process',
  sls: 'select-string',
  ls: 'get-childitem',
  dir: 'get-childitem',
  gci: 'get-childitem',
  ni: 'new-item',
  md: 'new-item',
  mkdir: 'new-item',
  kill: 'stop-process',
  icm: 'invoke-command',
  sajb: 'start-job',
  gps: 'get-process',
  ps: 'get-process',
  spps: 'stop-process',
  sl: 'set-location',
  cd: 'set-location',
  chdir: 'set-location',
  pushd: 'set-location',
}

/** Reads a script of PowerShell or cmd: pipelines of cmdlets, some calls of .NET, and programs that the table knows. */
export function readPowerShell(context: Context, script: string): Content {
  if (script.length > MAX_CHARS) {
    noteUnseen(context, 'too-much', script.slice(0, 80), 'run')
    return UNKNOWN_CONTENT
  }
  return readStatements(context, script, new Map())
}

/** Words before a block in braces. */
const BLOCK = /^(?:if|elseif|else|foreach|for|while|do|try|catch|finally|switch|until)\b/i

/** Steps of one statement: it is compared with what .NET offers as a whole. */
const STATEMENT_STEPS = 7

/** Longer statements are not read: many patterns go over each. */
const MAX_STATEMENT_CHARS = 16 * 1024

/** Reads statements one by one; the body of a block is read as likely. */
function readStatements(context: Context, script: string, variables: Map<string, string>): Content {
  let output: Content = EMPTY_CONTENT
  spend(context, 1 + (script.length >> 6))
  const { plain, blocks } = takeBlocks(script)
  for (const { head, body } of blocks) {
    spend(context)
    const isEndless = /^(?:while|do|until)\s*\(\s*(?:1|\$true)\s*\)|^for\s*\(\s*;\s*;/i.test(head)
    if (
      isEndless &&
      /\b(?:Start-Process|saps|start|Start-Job|Start-ThreadJob)\b/i.test(body) &&
      !/Start-Sleep|-Wait\b|\bbreak\b/i.test(body)
    )
      noteChange(context, 'machine', 'fork-bomb', 'a loop that starts processes without end')
    const loop = /\bforeach\s*\(\s*\$(\w+)\s+in\s([^)]*)\)/i.exec(head)
    const list = loop
      ? [...(loop[2] ?? '').matchAll(/["']([^"']*)["']|([^\s,]+)/g)].map((match) => match[1] ?? match[2] ?? '')
      : ['']
    for (const each of list.slice(0, 20)) {
      const own = new Map(variables)
      if (loop) own.set(loop[1] ?? '', each)
      readStatements(lowerCertainty(enterStep(context), 'likely'), body, own)
    }
  }
  for (const statement of splitSigns(plain, /^(?:;|\n|&&|\|\|)|^& (?=\w)/)) {
    spend(context, STATEMENT_STEPS)
    if (statement.length > MAX_STATEMENT_CHARS) {
      noteUnseen(context, 'too-much', statement.slice(0, 80), 'run')
      continue
    }
    const assignment = /^\s*\$(\w+)\s*=\s*(.+)$/s.exec(statement)
    const text = assignment ? (assignment[2] ?? '') : statement
    const filled = expandVariables(context, text, variables)
    output = runPipeline(context, filled)
    if (assignment) {
      const isFetched = output.carries.has('fetch')
      variables.set(assignment[1] ?? '', isFetched ? FETCHED : joinPaths(filled.trim()).replaceAll(/^["']|["']$/g, ''))
    }
    if (filled.includes(FETCHED) && /\b(?:iex|invoke-expression)\b|scriptblock/i.test(filled))
      noteFlows(context, ['fetch'], 'run', 'a script of the network')
  }
  return output
}

/** Stands for text that came from the network. */
const FETCHED = '\0fetched'

/** `Join-Path a b` as the path that it makes. */
function joinPaths(text: string): string {
  const match =
    /^\(?\s*Join-Path\s+(?:-Path\s+)?(["'][^"']*["']|\S+)\s+(?:-ChildPath\s+)?(["'][^"']*["']|[^\s)]+)\s*\)?$/i.exec(
      text,
    )
  if (!match) return text
  return [match[1] ?? '', match[2] ?? ''].map((part) => part.replaceAll(/^["']|["']$/g, '')).join('/')
}

/** Blocks that are taken out of a script: more take more steps than there are. */
const MAX_BLOCKS = 500

/** Takes the blocks in braces out of a script: of conditions, loops and functions, which are read on their own. */
function takeBlocks(script: string): { plain: string; blocks: { head: string; body: string }[] } {
  const blocks: { head: string; body: string }[] = []
  let plain = ''
  let rest = script
  for (let round = 0; round < MAX_BLOCKS; round++) {
    const open = rest.indexOf('{')
    if (open === -1) break
    const before = rest.slice(0, open)
    const head = before
      .slice(Math.max(before.lastIndexOf(';'), before.lastIndexOf('\n'), before.lastIndexOf('}')) + 1)
      .trim()
    const end = findClosing(rest, open)
    if (!(BLOCK.test(head) || /^(?:function|filter)\s/i.test(head)) || end === -1) {
      const to = end === -1 ? rest.length : end + 1
      plain += rest.slice(0, to)
      rest = rest.slice(to)
      continue
    }
    blocks.push({ head, body: rest.slice(open + 1, end) })
    plain += `${before.slice(0, before.length - head.length - (before.length - before.trimEnd().length))};`
    rest = rest.slice(end + 1)
  }
  return { plain: plain + rest, blocks }
}

function findClosing(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return -1
}

/** Signs that may stand between statements or the stages of a pipeline. */
const BETWEEN = ';\n&|'

function splitSigns(text: string, sign: RegExp): string[] {
  const parts: string[] = []
  let quote = ''
  let from = 0
  let depth = 0
  // Signs between braces belong to the block, which is read on its own.
  const hasBlocks = text.split('{').length === text.split('}').length
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
    else if (hasBlocks && letter === '{') depth += 1
    else if (depth > 0) depth -= letter === '}' ? 1 : 0
    else if (BETWEEN.includes(letter)) {
      const found = sign.exec(text.slice(at, at + 2))?.[0]
      if (found === undefined) continue
      parts.push(text.slice(from, at))
      at += found.length - 1
      from = at + 1
    }
  }
  return [...parts, text.slice(from)].map((each) => each.trim()).filter((each) => each !== '')
}

function expandVariables({ reading }: Context, text: string, variables: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /\$(?:\{?(env:\w+|\w+)\}?)|%(\w+)%/gi,
    (written, name: string | undefined, percent: string | undefined) => {
      const key = (name ?? percent ?? '').toLowerCase().replace(/^env:/, '')
      if (key === 'home' || key === 'userprofile' || key === 'homepath') return reading.world.home
      if (key === 'pwd' || key === 'cd') return reading.world.folder
      if (key === 'temp' || key === 'tmp') return '/tmp'
      if (key === 'profile') return `${reading.world.home}/.config/powershell/profile.ps1`
      if (key === 'false' || key === 'true' || key === 'null' || key === '_') return written
      return variables.get(name ?? '') ?? written
    },
  )
}

function runPipeline(context: Context, text: string): Content {
  readDotNet(context, text)
  let flowing: Content = EMPTY_CONTENT
  for (const stage of splitSigns(text, /^\|(?!\|)/)) {
    const { plain, targets } = takeRedirections(stage)
    flowing = runStage(context, plain, flowing)
    for (const { file, isAppending } of targets)
      writePath(context, toPath(context, file), isAppending ? 'append' : 'replace', flowing)
  }
  return flowing
}

/** Takes `> file`, `2>> file` and `*> file` out of a stage; what goes to nothing or to another stream is left out. */
function takeRedirections(stage: string): {
  readonly plain: string
  readonly targets: readonly { readonly file: string; readonly isAppending: boolean }[]
} {
  const targets: { file: string; isAppending: boolean }[] = []
  const plain = stage.replaceAll(
    /"[^"]*"|'[^']*'|(?<=^|\s)[1-6*]?(>>?)\s*(?:&\d|"([^"]+)"|'([^']+)'|([^\s"'|;&<>]+))/g,
    (written, sign: string | undefined, double?: string, single?: string, bare?: string) => {
      if (sign === undefined) return written
      const file = double ?? single ?? bare
      if (file !== undefined && !/^(?:\$null|nul|\/dev\/null)$/i.test(file))
        targets.push({ file, isAppending: sign === '>>' })
      return ''
    },
  )
  return { plain, targets }
}

/** Calls of .NET that touch files, the network or code. */
function readDotNet(context: Context, text: string): void {
  for (const match of text.matchAll(/\[(?:System\.)?IO\.(File|Directory)\]::(\w+)\(\s*["']([^"']+)["']/gi)) {
    const path = toPath(context, match[3] ?? '')
    const verb = match[2] ?? ''
    if (/^delete$/i.test(verb)) deletePath(context, path, match[1] === 'File' ? 'file' : 'tree')
    else if (/^move$/i.test(verb)) deletePath(context, path, 'move-away')
    else if (/^(?:write|append|create)/i.test(verb)) writePath(context, path, 'replace')
    else if (/^(?:read|open)/i.test(verb)) readPath(context, path)
  }
  for (const match of text.matchAll(
    /\(\s*(?:Get-Item|gi|Get-ChildItem|gci|ls|dir)\s(?:-\w{0,20}path\s)?["']?([^()|"']{1,200}?)["']?\s?\)\.(Delete|MoveTo)\(/gi,
  ))
    deletePath(context, toPath(context, match[1] ?? ''), /move/i.test(match[2] ?? '') ? 'move-away' : 'tree')
  const [, lasting] =
    /SetEnvironmentVariable\([^)]{0,300},\s?["']?(?:\[[\w.]+\]::)?(Machine|User)["']?\s*\)/i.exec(text) ?? []
  if (lasting)
    noteChange(
      context,
      'machine',
      'settings',
      'SetEnvironmentVariable',
      /machine/i.test(lasting) ? 'certain' : 'likely',
    )
  if (/Download(?:String|Data|File)(?:Async)?\s*\(/i.test(text)) {
    const url = /https?:\/\/[^"')\s]+/.exec(text)?.[0]
    fetchFrom(context, toKnownWord(url ?? 'unknown'))
    if (/\b(?:iex|invoke-expression)\b|\[scriptblock\]::create/i.test(text)) noteFlows(context, ['fetch'], 'run', 'iex')
  }
  if (
    /\(\s*(?:iwr|irm|invoke-webrequest|invoke-restmethod|curl|wget)\b/i.test(text) &&
    /\b(?:iex|invoke-expression)\b|scriptblock/i.test(text)
  )
    noteFlows(context, ['fetch'], 'run', 'iex')
  if (/FromBase64String/i.test(text) && /\b(?:iex|invoke-expression)\b/i.test(text))
    noteFlows(context, ['decode'], 'run', 'iex')
  const host = /Net\.Sockets\.TCPClient\(\s*["']([^"']+)["']/i.exec(text)?.[1]
  if (host && !isLoopback(host)) {
    sendTo(context, toKnownWord(host), EMPTY_CONTENT)
    if (/GetStream|Invoke-Expression|\biex\b/i.test(text)) noteFlows(context, ['shell'], 'send', host)
  }
  if (/Add-Type\b|\[Reflection\.Assembly\]::Load|DllImport/i.test(text)) noteUnseen(context, 'code', 'Add-Type', 'run')
}

function toWords(text: string): string[] {
  return [...text.matchAll(/"((?:[^"`]|`.)*)"|'([^']*)'|([^\s"',]+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
}

/** A path of Windows or of this system; the home of a user of Windows is taken for the home. */
function toPath({ reading }: Context, text: string): Value {
  const { home } = reading.world
  const slashed = text.replaceAll('\\', '/').replace(/^~(?=\/|$)/, home)
  const user = /^[a-z]:\/Users\/[^/]+/i.exec(slashed)
  const inTemp = /^[a-z]:\/(?:windows\/)?te?mp(?=\/|$)/i.exec(slashed)
  if (inTemp) return toKnownWord(`/tmp${slashed.slice(inTemp[0].length)}`)
  const path = user
    ? home + slashed.slice(user[0].length)
    : slashed.replace(/^[a-z]:\/(?=.)/i, '/windows/').replace(/^[a-z]:\/?$/i, '/')
  return /[*?]/.test(path) ? toPatternWord(path) : toKnownWord(path)
}

/** Parameters of cmdlets that take a value. */
const VALUED =
  /^-(?:path|literalpath|filter|include|exclude|value|destination|outfile|uri|method|body|infile|headers|name|argumentlist|filepath|encoding|pattern|property|itemtype|type|newname|computername|scriptblock|verb|credential|contenttype|file|c|command|encodedcommand|enc|executionpolicy|ep|windowstyle|w|force:|confirm:)$/i

/** Strings that go down the pipe as they are. */
const LITERALS = /^\s*@?\(?\s*(?:"[^"]*"|'[^']*')(?:\s*,\s*(?:"[^"]*"|'[^']*'))*\s*\)?\s*$/

/** A stage in which paths that are joined in brackets stand as they are: `Remove-Item (Join-Path ~ x)`. */
function joinInner(stage: string): string {
  return stage.replaceAll(/\(\s*Join-Path\s[^()]*\)/gi, (written) => `"${joinPaths(written)}"`)
}

/** A command in brackets among the words of another: `-Body (Get-Content a)`. */
const INNER = /(?<=[\s=,$])\(\s*([a-z]+-[a-z]+|gc|cat|type|gci|ls|dir)(?=\s)([^()]*)\)/gi

function runStage(context: Context, stage: string, given: Content): Content {
  spend(context)
  if (LITERALS.test(stage)) return { ...EMPTY_CONTENT, text: toWords(stage).join('\n') }
  const inner = [...stage.matchAll(INNER)].map((match) => readPowerShell(enterStep(context), match[0].slice(1, -1)))
  const input = inner.length > 0 ? concat([given, ...inner]) : given
  const words = toWords(
    joinInner(stage)
      .replace(/^[&.]\s*(?=["'\w$])/, '')
      .replace(/^\(+|(?<!\))\)+$/g, ''),
  )
  const [first = '', ...rest] = words
  const name = findOwn(ALIASES, first.toLowerCase()) ?? first.toLowerCase().replace(/\.exe$/, '')
  const options = new Map<string, string>()
  const operands: string[] = []
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? ''
    if (VALUED.test(word)) options.set(word.toLowerCase(), rest[++at] ?? '')
    else if (/^-\w/.test(word)) options.set(word.toLowerCase(), '')
    else if (/^\/[a-z]$/i.test(word)) options.set(word.toLowerCase(), '')
    else operands.push(word)
  }
  const path = options.get('-path') ?? options.get('-literalpath') ?? operands[0] ?? ''
  if (options.has('-whatif')) return UNKNOWN_CONTENT
  const isWriting = /^(?:copy|move|new|set|add|out)-|^(?:xcopy|robocopy|mklink)$/.test(name)
  if (isWriting && /[\\/]Programs[\\/]Start-?up\b/i.test(stage)) noteChange(context, 'machine', 'startup', stage)
  return runCmdlet(context, { name, path, operands, options, input, rest, first })
}

interface Cmdlet {
  readonly name: string
  readonly path: string
  readonly operands: readonly string[]
  readonly options: ReadonlyMap<string, string>
  readonly input: Content
  readonly rest: readonly string[]
  readonly first: string
}

/** The program that is started: a file of the call that lies in the folder is found before programs of the system. */
function toStarted(context: Context, name: string): Value {
  const value = toPath(context, name)
  const found = resolveOne(context, value)
  return found && context.reading.files.has(found.text) ? toKnownWord(found.text) : value
}

function runCmdlet(context: Context, cmdlet: Cmdlet): Content {
  const { name, path, operands, options, input, rest, first } = cmdlet
  if (/^(?:HK[A-Z_]+:|Registry::)/i.test(path) && /^(?:remove|new|set|clear|copy|move)-item/.test(name)) {
    noteRegistry(context, [first, ...rest].join(' '))
    return EMPTY_CONTENT
  }
  switch (name) {
    case 'remove-item': {
      const isTree = [...options.keys()].some((option) => /^-r|^\/s/.test(option))
      for (const each of path === '' ? (input.lists ?? []) : [path, ...operands.slice(1)])
        deletePath(context, typeof each === 'string' ? toPath(context, each) : each, isTree ? 'tree' : 'file')
      return EMPTY_CONTENT
    }
    case 'clear-content':
      deletePath(context, toPath(context, path), 'truncate')
      return EMPTY_CONTENT
    case 'clear-recyclebin':
      deletePath(context, toKnownWord(`${context.reading.world.home}/.local/share/Trash/files`), 'tree')
      return EMPTY_CONTENT
    case 'get-content':
    case 'format-hex':
      return readContents(context, path === '' ? [] : [path, ...operands.slice(1)], input)
    case 'findstr':
    case 'select-string':
      // The first operand is what is looked for, where no parameter says so.
      return readContents(
        context,
        options.has('-path') || options.has('-literalpath') ? [path] : operands.slice(options.has('-pattern') ? 0 : 1),
        input,
      )
    case 'get-childitem':
      if (/^env:/i.test(path)) return { ...UNKNOWN_CONTENT, carries: carry('environment') }
      return { ...UNKNOWN_CONTENT, lists: listChildren(context, cmdlet) }
    case 'set-content':
    case 'out-file':
    case 'new-item':
      writePath(
        context,
        toPath(context, options.get('-filepath') ?? path),
        'replace',
        input.carries.size > 0 ? input : UNKNOWN_CONTENT,
      )
      return EMPTY_CONTENT
    case 'add-content':
      writePath(context, toPath(context, path), 'append')
      return EMPTY_CONTENT
    case 'copy-item':
      readPath(context, toPath(context, path), 'tree')
      writePath(context, toPath(context, options.get('-destination') ?? operands[1] ?? '.'), 'replace')
      return EMPTY_CONTENT
    case 'rename-item':
    case 'move-item':
      context.reading.runWords(
        context,
        [toKnownWord('mv'), toPath(context, path), toPath(context, options.get('-destination') ?? operands[1] ?? '.')],
        EMPTY_CONTENT,
      )
      return EMPTY_CONTENT
    case 'set-location':
      context.reading.runWords(context, [toKnownWord('cd'), toPath(context, path === '' ? '~' : path)], EMPTY_CONTENT)
      return EMPTY_CONTENT
    case 'invoke-webrequest':
    case 'invoke-restmethod':
      return request(context, cmdlet)
    case 'start-bitstransfer': {
      const content = fetchFrom(context, toKnownWord(options.get('-source') ?? path))
      writePath(context, toPath(context, options.get('-destination') ?? operands[1] ?? '.'), 'replace', content)
      return EMPTY_CONTENT
    }
    case 'install-module':
    case 'install-script':
    case 'install-package':
    case 'register-psrepository':
    case 'register-packagesource':
      for (const word of rest) if (/^https?:/i.test(word)) noteSource(context, first, word)
      return EMPTY_CONTENT
    case 'invoke-expression':
      return evaluate(context, cmdlet)
    case 'start-process':
      if (/runas/i.test(options.get('-verb') ?? ''))
        noteChange(context, 'machine', 'root-shell', `Start-Process ${path} -Verb RunAs`)
      return context.reading.runWords(
        enterStep(context),
        [
          toStarted(context, options.get('-filepath') ?? path),
          ...(options.get('-argumentlist') ?? '')
            .split(/[\s,]+/)
            .filter((word) => word !== '')
            .map((word) => toKnownWord(word)),
        ],
        EMPTY_CONTENT,
      )
    case 'powershell':
    case 'pwsh':
      return runInner(context, cmdlet)
    case 'cmd':
      return readPowerShell(
        enterStep(context),
        rest.slice(rest.findIndex((word) => /^\/[ck]$/i.test(word)) + 1).join(' '),
      )
    case 'stop-computer':
    case 'restart-computer':
    case 'shutdown':
      noteChange(context, 'machine', 'power', first)
      return EMPTY_CONTENT
    case 'get-process':
      return { ...UNKNOWN_CONTENT, carries: rest.length === 0 ? carry('processes') : new Set() }
    case 'invoke-command':
    case 'start-job':
    case 'start-threadjob':
    case 'measure-command':
    case 'register-objectevent':
    case 'register-engineevent':
      return runBlock(context, cmdlet)
    case 'stop-process':
    case 'taskkill':
    case 'tskill':
      noteStopped(context, cmdlet)
      return EMPTY_CONTENT
    case 'format-volume':
    case 'clear-disk':
    case 'initialize-disk':
    case 'remove-partition':
    case 'diskpart':
    case 'format':
    case 'cipher':
    case 'bcdedit':
    case 'vssadmin':
    case 'wbadmin':
    case 'fsutil':
      if (!/^\/?(?:list|enum|get|query|queryex|fsinfo|c|\?|help|status|show)\b|^\/\?/i.test(rest[0] ?? ''))
        noteChange(context, 'machine', 'disk', [first, ...rest].join(' '))
      return EMPTY_CONTENT
    case 'reg':
    case 'remove-itemproperty':
    case 'set-itemproperty':
    case 'new-itemproperty':
      if (/^(?:save|export)$/i.test(operands[0] ?? '') && /\\(?:SAM|SECURITY|SYSTEM)(?:\s|$)/i.test(rest.join(' ')))
        noteChange(context, 'cloud', 'secret', [first, ...rest].join(' '))
      else if (name !== 'reg' || /^(?:delete|add|import|restore|load)$/i.test(operands[0] ?? ''))
        noteRegistry(context, [first, ...rest].join(' '))
      return EMPTY_CONTENT
    case 'netsh':
      if (/\bkey=clear\b/i.test(rest.join(' '))) noteChange(context, 'cloud', 'secret', [first, ...rest].join(' '))
      else if (rest.length > 0 && !rest.some((word) => /^(?:show|dump|help|\?|\/\?)$/i.test(word)))
        noteChange(context, 'machine', 'security', [first, ...rest].join(' '))
      return EMPTY_CONTENT
    case 'set-executionpolicy':
    case 'set-mppreference':
    case 'add-mppreference':
    case 'set-netfirewallprofile':
    case 'disable-windowsoptionalfeature':
    case 'add-localgroupmember':
    case 'new-localuser':
    case 'net':
    case 'net1':
    case 'cacls':
    case 'manage-bde':
    case 'logoff':
    case 'sc':
    case 'icacls':
    case 'takeown':
      if (
        !/^(?:show|query|view|use|user)$/i.test(operands[0] ?? '') ||
        /\s\/(?:add|delete|active)\b/i.test(` ${rest.join(' ')}`)
      )
        noteChange(
          context,
          'machine',
          /user|group/i.test(name + (operands[0] ?? '')) ? 'accounts' : 'security',
          [first, ...rest].join(' '),
          /^set-executionpolicy$/.test(name) && /-scope\s+process/i.test(rest.join(' ')) ? 'possible' : 'certain',
        )
      return EMPTY_CONTENT
    case 'register-scheduledtask':
    case 'schtasks':
    case 'new-service':
      if (name !== 'schtasks' || /\/create|\/change/i.test(rest.join(' ')))
        noteChange(context, 'machine', 'startup', [first, ...rest].join(' '))
      return EMPTY_CONTENT
    case 'setx':
      if (options.has('/m') || /^(?:path|pathext|comspec|psmodulepath)$/i.test(operands[0] ?? ''))
        noteChange(context, 'machine', 'settings', [first, ...rest].join(' '))
      return EMPTY_CONTENT
    case 'robocopy':
      if (rest.some((word) => /^\/l$/i.test(word))) return EMPTY_CONTENT
      if (/\/(?:mir|purge)\b/i.test(rest.join(' '))) deletePath(context, toGlob(context, operands[1] ?? ''), 'tree')
      else writePath(context, toPath(context, operands[1] ?? ''), 'replace')
      return EMPTY_CONTENT
    case 'foreach-object':
    case '%':
    case 'where-object':
    case '?': {
      const block = /^[^{]*\{([^}]*)\}/.exec([first, ...rest].join(' '))?.[1]
      if (
        block &&
        input.carries.has('environment') &&
        /\b(?:irm|iwr|invoke-restmethod|invoke-webrequest)\b/i.test(block)
      )
        sendTo(context, toKnownWord(/https?:\/\/[^\s"']+/.exec(block)?.[0] ?? 'a host'), input)
      if (
        block &&
        /^(?:foreach-object|%)$/.test(name) &&
        !/\b(?:remove-item|rm|del|ri)\s/i.test(block.replace(/\bdocker\b.*/, ''))
      )
        readPowerShell(lowerCertainty(enterStep(context), 'likely'), block.replaceAll(/\$_(?:\.\w+)*/g, '$ITEM'))
      const isWritten = input.text !== null && block !== undefined && /^(?:foreach-object|%)$/.test(name)
      if (isWritten) for (const each of fillTopic(block, input)) readPowerShell(enterStep(context), each)
      const removed = block && /\b(?:remove-item|rm|del|ri)\b|\$_\.(?:Delete|MoveTo)\(/i.test(block)
      if (removed) for (const each of input.lists ?? []) deletePath(context, each, 'tree')
      // Processes that a condition leaves are some of them, not all.
      return /^(?:where|\?)/.test(name) ? { ...input, carries: leaveOut(input.carries, 'processes') } : input
    }
    default:
      if (
        /^(?:get|measure|select|sort|format|convertfrom|convertto|test|write|out|compare|group|resolve|join|split|import|show|wait|find|where|tee|read)-/.test(
          name,
        ) ||
        /^[$[@(]/.test(first) ||
        name === 'echo' ||
        name === ''
      )
        return { ...UNKNOWN_CONTENT, carries: input.carries, lists: input.lists }
      if (context.reading.files.has(resolveOne(context, toKnownWord(first))?.text ?? ''))
        return context.reading.runWords(
          enterStep(context),
          [toKnownWord(/^[/.]/.test(first) ? first : `./${first}`)],
          input,
        )
      if (noteCmdletVerb(context, name, [first, ...rest].join(' '))) return UNKNOWN_CONTENT
      if (/^[\w.-]+$/.test(name))
        return context.reading.runWords(
          enterStep(context),
          [
            toKnownWord(name),
            ...rest.map((word) => (/^[~$]|\\/.test(word) ? toPath(context, word) : toKnownWord(word))),
          ],
          input,
        )
      noteUnseen(context, 'not-parsed', first, 'run')
      return UNKNOWN_CONTENT
  }
}

/** Reads files that a cmdlet is given by name, else those that come by the pipe. */
/** The script once for each word that comes by the pipe, which `$_` stands for. */
function fillTopic(block: string, { lists, text }: Content): readonly string[] {
  const items = lists?.map(showValue) ?? text?.split('\n') ?? []
  return items
    .slice(0, MAX_TOPICS)
    .map((item) => block.replaceAll(/\$(?:_|PSItem)\b(?:\.(?:FullName|Name|Path)\b)?/g, item))
}

/** Words of a pipe that are put into a block. */
const MAX_TOPICS = 20

function readContents(context: Context, paths: readonly string[], input: Content): Content {
  const files = paths.length > 0 ? paths.map((each) => toPath(context, each)) : (input.lists ?? [])
  return files.length > 0
    ? concat(files.map((each) => readPath(context, each)))
    : { ...UNKNOWN_CONTENT, carries: input.carries }
}

/** Runs the block that a cmdlet is given; one with a computer runs there. */
function runBlock(context: Context, { first, rest, options, input }: Cmdlet): Content {
  if (context.depth > MAX_DEPTH) {
    noteUnseen(context, 'too-deep', first, 'run')
    return UNKNOWN_CONTENT
  }
  const text = [first, ...rest].join(' ')
  const open = text.indexOf('{')
  const end = open === -1 ? -1 : findClosing(text, open)
  const script = end === -1 ? options.get('-command') : text.slice(open + 1, end)
  if (script === undefined) {
    noteUnseen(context, 'code', text.slice(0, 80), 'run')
    return UNKNOWN_CONTENT
  }
  const host = options.get('-computername') ?? options.get('-hostname')
  const isElsewhere = host !== undefined && !/^(?:localhost|127\.|\.$)/.test(host)
  const inner = isElsewhere ? { ...context, where: { host }, mounts: null } : context
  const output = readPowerShell({ ...enterStep(inner), depth: context.depth + 1 }, script)
  return { ...output, carries: mergeCarried([output.carries, input.carries]) }
}

/** Programs of the system that guard it, or without which nothing is shown. */
const OF_SYSTEM =
  /^(?:explorer|csrss|lsass|winlogon|services|svchost|wininit|dwm|smss|system|msmpeng|mssense|falcon\w*|sentinel\w*|cb|xagt)(?:\.exe)?$/i

/** Notes the end of processes that the call does not name one by one, or that belong to the system. */
function noteStopped(context: Context, { first, rest, options, input }: Cmdlet): void {
  const line = rest.join(' ')
  const names = [...rest, options.get('-name') ?? '']
  const isAll =
    /\/im\s+\*|\/fi\b|(?:^|\s)-name\s+\*|^\*/i.test(line) ||
    options.get('-name') === '*' ||
    input.carries.has('processes')
  if (isAll || names.some((name) => OF_SYSTEM.test(name))) noteChange(context, 'machine', 'process', `${first} ${line}`)
}

/** Notes a change of the registry; what stands below `Run` is started by itself. */
function noteRegistry(context: Context, text: string): void {
  noteChange(context, 'machine', /\\Run(?:Once)?\b/i.test(text) ? 'startup' : 'settings', text)
}

/** Cmdlets that change the session alone. */
const OF_SESSION =
  /-(?:variable|module|psdrive|job|pssession|host|history|event|typedata|psbreakpoint|alias|item\w*|property|member|object|location|strictmode|psreadlineoption|culture|clipboard|output\w*|guid|timespan|temporaryfile|pssnapin|formatdata)$/

/** Notes what a cmdlet changes by the verb in its name; answers whether it changes anything. */
function noteCmdletVerb(context: Context, name: string, text: string): boolean {
  const [verb = '', noun = ''] = name.split('-')
  if (noun === '' || OF_SESSION.test(name)) return false
  const removes = /^(?:remove|clear|uninstall|unregister|revoke|reset|disable)$/.test(verb)
  if (removes && /^(?:az|aws|ad|mg|gc|ec2|s3|rds|vm|sql|k8s|iam|dns|azure|msol|sp|cluster|rg)/.test(noun))
    noteChange(context, 'cloud', 'delete', text)
  else if (/eventlog|winevent|auditpolicy|mpp|defender|bitlocker/.test(noun) && verb !== 'get')
    noteChange(context, 'machine', 'security', text)
  else if (
    removes ||
    (/^(?:set|new|enable|stop|restart|suspend)$/.test(verb) &&
      /service|firewall|net(?:adapter|ip|route)|dns|psremoting|date|timezone|acl|disk|partition|volume|smbshare|localuser|scheduled|execution/.test(
        noun,
      ))
  )
    noteChange(context, 'machine', 'settings', text, 'likely')
  else return false
  return true
}

/** Files that `Get-ChildItem` lists, by the patterns that narrow them. */
function listChildren(context: Context, { path, operands, options }: Cmdlet): readonly Value[] {
  const folder = operands[0] ?? options.get('-path') ?? options.get('-literalpath') ?? path
  const patterns = [options.get('-include'), options.get('-filter')].filter((each) => each !== undefined && each !== '')
  if (patterns.length === 0) return [toGlob(context, path)]
  const isDeep = [...options.keys()].some((option) => /^-r/.test(option))
  const start = toPath(context, folder === '' ? '.' : folder)
  return patterns.map((each) => ({
    pieces: [...start.pieces, { is: 'glob', text: `${isDeep ? '/**' : ''}/${each ?? '*'}` }],
    carries: start.carries,
  }))
}

function toGlob(context: Context, path: string): Value {
  const folder = toPath(context, path === '' ? '.' : path)
  return { pieces: [...folder.pieces, { is: 'glob', text: '/*' }], carries: folder.carries }
}

function request(context: Context, { options, path, input }: Cmdlet): Content {
  const url = toKnownWord(options.get('-uri') ?? path)
  const file = options.get('-infile')
  const body = file ? readPath(context, toPath(context, file)) : input
  const isSending =
    file !== undefined || options.has('-body') || /^(?:post|put|patch|delete)$/i.test(options.get('-method') ?? '')
  if (isSending) sendTo(context, url, body)
  const content = isSending ? UNKNOWN_CONTENT : fetchFrom(context, url)
  const output = options.get('-outfile')
  if (output) writePath(context, toPath(context, output), 'replace', content)
  return output ? EMPTY_CONTENT : content
}

function evaluate(context: Context, { operands, input }: Cmdlet): Content {
  noteFlows(context, mergeCarried([input.carries]), 'run', 'iex')
  const text = operands.join(' ')
  if (/^\(|\$|\.Download/i.test(text) || text === '') noteUnseen(context, 'code', 'iex', 'run')
  else return readPowerShell(enterStep(context), text)
  return UNKNOWN_CONTENT
}

function runInner(context: Context, { name, options, operands, rest, input }: Cmdlet): Content {
  if (operands.length === 0 || operands[0] === '-') noteFlows(context, listRunnable(input.carries), 'run', name)
  const encoded =
    options.get('-encodedcommand') ??
    options.get('-enc') ??
    rest[rest.findIndex((word) => /^-e(?:nc|ncodedcommand)?$/i.test(word)) + 1]
  const isEncoded = rest.some((word) => /^-e(?:nc|ncodedcommand)?$/i.test(word))
  if (isEncoded) {
    noteFlows(context, carry('decode'), 'run', 'powershell')
    return readPowerShell(
      enterStep(lowerCertainty(context, 'certain')),
      Buffer.from(encoded ?? '', 'base64').toString('utf16le'),
    )
  }
  const file = options.get('-file')
  if (file) noteUnseen(context, 'code', file, 'run')
  const script = options.get('-command') ?? options.get('-c') ?? operands.join(' ')
  const at = rest.findIndex((word) => /^-c(?:ommand)?$/i.test(word))
  return script === ''
    ? UNKNOWN_CONTENT
    : readPowerShell(enterStep(context), at === -1 ? script : joinCommand(rest.slice(at + 1)))
}

/** The script in the words behind `-Command` or `/c`: one word as it is, several with their blanks quoted. */
function joinCommand(words: readonly string[]): string {
  return words.length === 1 ? (words[0] ?? '') : words.map(quotePowerShell).join(' ')
}

/** A word as PowerShell takes it for one. */
export function quotePowerShell(word: string): string {
  return /\s/.test(word) ? `'${word.replaceAll("'", "''")}'` : word
}
