import { findOwn } from '../../text/table.ts'
import { lowerCertainty, noteChange, noteUnseen, readPath, spend } from '../context.ts'
import {
  carry,
  dropStart,
  join,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toUnknownWord,
} from '../value.ts'
import {
  appendToFile,
  changeMode,
  connect,
  copyFile,
  evaluate,
  fetchUrl,
  joinSegments,
  killProcess,
  linkFile,
  listFolder,
  loadModule,
  makePath,
  moveFile,
  moveTo,
  openFile,
  post,
  printArgument,
  read,
  readEnvironment,
  removeFile,
  removeTree,
  replaceProgram,
  returnArgument,
  returnHome,
  rewriteFile,
  runExec,
  runLikelyCommand,
  runOtherFile,
  runProgram,
  runShellText,
  runSql,
  truncateFile,
  walkFolder,
} from './actions.ts'
import {
  type Action,
  type Code,
  mapText,
  mapToGlob,
  NOTHING,
  type Thing,
  takeArgument,
  takeElement,
  toNamed,
} from './code.ts'
import { decodeBase64, decodeCharacters, decodeText, unpackHex } from './texts.ts'
import { noteByVerb, noteUnknownCall } from './unknown-call.ts'

/** Functions by their full names, the first that matches. */
const FUNCTIONS: readonly (readonly [RegExp, Action])[] = [
  [/^exec$/, runExec],
  [
    /^(?:shutil\.rmtree|distutils\.dir_util\.remove_tree|send2trash(?:\.send2trash)?|fs(?:\.promises|\/promises|-extra|e)?\.(?:rm|rmSync|rmdir|rmdirSync|remove|removeSync|emptyDir|emptyDirSync)|Deno\.remove(?:Sync)?|rimraf(?:\.sync|\.rimraf|\.rimrafSync|Sync|\.native)?|del|trash|FileUtils\.(?:rm_r|rm_rf|remove_dir|remove_entry\w*|rmtree|remove_tree)|Dir\.(?:delete|rmdir|unlink)|rmtree|remove_tree|File::Path::\w+|File\.rm_rf!?|os\.removedirs|os\.rmdir)$/,
    removeTree,
  ],
  [
    /^(?:os\.(?:remove|unlink)|fs(?:\.promises|\/promises|-extra)?\.(?:unlink|unlinkSync)|FileUtils\.(?:rm|rm_f|remove|safe_unlink)|File\.(?:delete|unlink|rm!?)|unlink|rmdir|os_remove)$/,
    removeFile,
  ],
  [
    /^(?:(?:sys\.stdin|STDIN|process\.stdin|ARGF|io\.stdin|stdin)\.(?:read\w*|gets|each_line|lines?)|input|gets|readlines?|io\.read)$/,
    () => ({ ...NOTHING, value: toUnknownWord('stdin', { carries: carry('data') }) }),
  ],
  [/^(?:fs(?:\.promises|\/promises)?\.truncate(?:Sync)?|os\.truncate)$/, truncateFile],
  [
    /^(?:fs(?:\.promises|\/promises|-extra)?\.(?:writeFile|writeFileSync|createWriteStream|outputFile|outputFileSync|writeJson|writeJsonSync)|Deno\.write(?:Text)?File(?:Sync)?|Bun\.write|File\.write|IO\.write|File\.binwrite|file_put_contents|File\.write!|write)$/,
    rewriteFile,
  ],
  [/^(?:fs(?:\.promises|\/promises|-extra)?\.appendFile(?:Sync)?)$/, appendToFile],
  [
    /^(?:shutil\.move|os\.(?:rename|replace|renames)|fs(?:\.promises|\/promises|-extra)?\.(?:rename|renameSync|move|moveSync)|FileUtils\.(?:mv|move)|File\.rename|rename|Deno\.rename(?:Sync)?)$/,
    moveFile,
  ],
  [
    /^(?:shutil\.copy\w*|fs(?:\.promises|\/promises|-extra)?\.(?:copyFile|copyFileSync|cp|cpSync|copy|copySync)|FileUtils\.(?:cp|cp_r|copy\w*)|copy|Deno\.copyFile(?:Sync)?|File\.cp)$/,
    copyFile,
  ],
  [
    /^(?:os\.(?:symlink|link)|fs(?:\.promises)?\.(?:symlink|symlinkSync|link|linkSync)|FileUtils\.ln_s\w*|File\.symlink|symlink)$/,
    linkFile,
  ],
  [/^(?:os\.ch(?:mod|own)|fs(?:\.promises)?\.ch(?:mod|own)(?:Sync)?|File\.ch(?:mod|own)|chmod)$/, changeMode],
  [
    /^(?:fs(?:\.promises|\/promises|-extra)?\.(?:readFile|readFileSync|createReadStream|readJson\w*)|File\.(?:read|readlines|foreach|binread|read!)|IO\.(?:read|readlines|foreach)|file_get_contents|readfile|file|Deno\.read(?:Text)?File(?:Sync)?|Bun\.file|linecache\.getlines|io\.lines|fileinput\.input|os\.open|fs\.openAsBlob)$/,
    read,
  ],
  [
    /^(?:open|io\.open|codecs\.open|File\.open|File\.new|fopen|fs\.openSync|fs\.open|builtins\.open|gzip\.open)$/,
    openFile,
  ],
  [
    /^(?:os\.(?:system|popen)|commands\.getoutput|subprocess\.get(?:status)?output|child_process\.(?:exec|execSync)|(?:Kernel\.)?(?:system|exec|spawn|`)|asyncio\.create_subprocess_shell|ctypes\.CDLL\.system|Kernel\.exec|shell_exec|passthru|popen|proc_open|IO\.popen|Open3\.\w+|os\.execute|io\.popen|execSync|sh|System\.cmd|execa\.(?:command|commandSync|execaCommand)|shelljs\.exec|shell\.exec|pty\.spawn|qx)$/,
    runShellText,
  ],
  [
    /^(?:subprocess\.(?:run|call|check_call|check_output|Popen)|child_process\.(?:spawn|spawnSync|execFile|execFileSync|fork)|Deno\.Command|Bun\.spawn(?:Sync)?|execa(?:\.execa|\.execaSync|Sync)?|cross-spawn|os\.(?:spawn\w*|posix_spawn\w*)|asyncio\.create_subprocess_exec|pcntl_exec|sh\.Command|pexpect\.(?:run|spawn))$/,
    runProgram,
  ],
  [/^os\.exec[lv]p?e?$/, replaceProgram],
  [
    /^(?:exec|eval|compile|builtins\.(?:exec|eval)|Function|vm\.(?:runIn\w+|compileFunction|Script)|instance_eval|class_eval|assert|runpy\.run_module|marshal\.loads|pickle\.loads?|globalThis\.eval|window\.eval|Code\.eval_string|loadstring|load|include_string)$/,
    evaluate,
  ],
  [
    /^(?:urllib\.request\.(?:urlopen|urlretrieve)|urllib2?\.urlopen|requests\.(?:get|head|request)|httpx\.(?:get|stream)|fetch|axios(?:\.get)?|https?\.get|got(?:\.get)?|undici\.(?:fetch|request)|Net::HTTP\.get(?:_response)?|URI\.(?:open|parse)|LWP::Simple\.get|aiohttp\.request|open-uri|needle\.get|superagent\.get|node-fetch|globalThis\.fetch|HTTParty\.get|Faraday\.get|curl_init|wget\.download)$/,
    fetchUrl,
  ],
  [
    /^(?:requests\.(?:post|put|patch|delete)|httpx\.(?:post|put|patch|delete)|axios\.(?:post|put|patch|delete|request)|https?\.request|got\.(?:post|put|delete)|(?:superagent|needle|ky|Net::HTTP|HTTParty|Faraday|RestClient)\.delete|Net::HTTP\.(?:post|post_form|put)|needle\.post|superagent\.post|HTTParty\.post|Faraday\.post|urllib\.request\.Request)$/,
    post,
  ],
  [
    /^(?:base64\.(?:b64decode|standard_b64decode|urlsafe_b64decode|decodebytes)|atob|Base64\.(?:decode64|strict_decode64)|base64_decode|decode_base64|MIME::Base64::decode)$/,
    decodeBase64,
  ],
  [
    /^(?:bytes|bytearray)$/,
    (code, args, name) =>
      args[0]?.items ? { ...NOTHING, value: decodeCharacters(args[0]) } : returnArgument(code, args, name),
  ],
  [/^(?:bytes\.fromhex|bytearray\.fromhex|binascii\.unhexlify|hex2bin)$/, (_, args) => decodeText(args, 'hex')],
  [
    /^Buffer\.from$/,
    (_, args) =>
      args[1]
        ? decodeText(args, readWord(takeArgument(args, 1)) === 'hex' ? 'hex' : 'base64')
        : returnArgument(_, args, ''),
  ],
  [
    /^(?:codecs\.decode|zlib\.decompress|gzip\.decompress|gzinflate|str_rot13|lzma\.decompress|bz2\.decompress|zlib\.\w*[iI]nflate\w*|zlib\.gunzip\w*|unescape|unpack|urllib\.parse\.unquote)$/,
    (_, args) => ({
      ...NOTHING,
      value: toUnknownWord('decoded', { carries: carry('decode', takeArgument(args).carries) }),
    }),
  ],
  [
    /^pack$/,
    (_, args) => ({ ...NOTHING, value: unpackHex({ ...NOTHING, value: takeArgument(args, 1) }, [args[0] ?? NOTHING]) }),
  ],
  [
    /^String\.from(?:CharCode|CodePoint)$/,
    (_, args) => ({
      ...NOTHING,
      value: toKnownWord(
        args.map(({ value }) => String.fromCharCode(Number(readWord(value) ?? 32))).join(''),
        carry('decode'),
      ),
    }),
  ],
  [
    /^chr$/,
    (_, args) => ({
      ...NOTHING,
      value: toKnownWord(String.fromCharCode(Number(readWord(takeArgument(args)) ?? 32)), carry('decode')),
    }),
  ],
  [
    /^(?:os\.path\.expanduser|File\.expand_path|os\.path\.expandvars)$/,
    ({ context }, args) => ({
      ...NOTHING,
      value: mapText(takeArgument(args), (text) =>
        text.replace(/^~(?=\/|$)/, context.reading.world.home).replace(/^\$HOME/, context.reading.world.home),
      ),
    }),
  ],
  [
    /^(?:os\.path\.join|posixpath\.join|path\.(?:join|resolve)|path\.posix\.join|File\.join|Path\.join|joinpath)$/,
    joinSegments,
  ],
  [
    /^(?:os\.path\.(?:abspath|realpath|normpath)|path\.normalize|str|String|bytes|bytearray|pathlib\.(?:Path|PurePath|PosixPath)|Path|Pathname(?:\.new)?|list|sorted|tuple|set|Array\.from|fs\.realpathSync|shlex\.quote|repr|iter|reversed|(?:\w+\.)?(?:URL|fileURLToPath|pathToFileURL)|encodeURIComponent|JSON\.stringify|json\.dumps|json\.load|json\.loads|JSON\.parse|base64\.b64encode|Base64\.encode64|btoa|base64_encode|Buffer\.concat|readlines|shlex\.split|(?:\w+\.)?(?:sql\.SQL|text|literal|RawSQL)|(?:\w+\.)?raw)$/,
    returnArgument,
  ],
  [
    /^(?:print|println|pprint(?:\.pprint)?|console\.(?:log|info|error|dir|table)|(?:process|sys)\.(?:stdout|stderr)\.write|puts|echo|pp?|print_r|var_dump|say|io\.write)$/,
    printArgument,
  ],
  [/^(?:pathlib\.Path\.home|Path\.home|os\.homedir|Dir\.home|os\.userInfo)$/, returnHome],
  [
    /^(?:pathlib\.Path\.cwd|Path\.cwd|os\.getcwd|process\.cwd|Dir\.pwd|getcwd)$/,
    ({ context }) => ({
      ...NOTHING,
      value: toKnownWord(context.shell.folders[0]?.path ?? context.reading.world.folder),
    }),
  ],
  [
    /^(?:tempfile\.gettempdir|os\.tmpdir|Dir\.tmpdir|sys_get_temp_dir)$/,
    () => ({ ...NOTHING, value: toKnownWord('/tmp') }),
  ],
  [
    /^(?:tempfile\.\w+|os\.tmpdir|Dir\.(?:tmpdir|mktmpdir)|fs(?:\.promises)?\.mkdtemp(?:Sync)?|sys_get_temp_dir|tempnam)$/,
    ({ context }) => ({ ...NOTHING, value: toKnownWord(`${context.reading.world.temp[0] ?? '/tmp'}/x`) }),
  ],
  [
    /^(?:os\.environ\.get|os\.getenv|getenv|ENV\.fetch|process\.env\.get|Deno\.env\.get|System\.get_env)$/,
    (code, args) => readEnvironment(code, readWord(takeArgument(args))),
  ],
  [
    /^(?:glob\.i?glob|Dir\.(?:glob|\[\])|glob|globSync|fast-glob|fg|fg\.sync)$/,
    ({ context, language }, args) => {
      const home = toKnownWord(context.reading.world.home)
      const pattern = takeArgument(args)
      const isHome = language === 'perl' && /^~(?=\/|$)/.test(readKnownStart(pattern))
      return { ...NOTHING, value: mapToGlob(isHome ? join([home, dropStart(pattern, 1)]) : pattern) }
    },
  ],
  [
    /^(?:os\.(?:listdir|scandir)|fs(?:\.promises|\/promises)?\.readdir(?:Sync)?|Dir\.(?:children|entries|each_child)|scandir)$/,
    listFolder,
  ],
  [/^os\.(?:walk|fwalk)$/, walkFolder],
  [
    /^netrc\.netrc$/,
    ({ context }, args) => {
      readPath(context, args.length > 0 ? takeArgument(args) : toKnownWord(`${context.reading.world.home}/.netrc`))
      return { ...NOTHING, value: toUnknownWord('netrc', { carries: carry('secret') }) }
    },
  ],
  [
    /^(?:keyring|keytar|secretstorage|win32cred)\.(?:get_\w+|getPassword|findCredentials|findPassword|CredRead)$/,
    ({ context }, _, name) => {
      noteChange(context, 'cloud', 'secret', name)
      return { ...NOTHING, value: toUnknownWord('password', { carries: carry('secret') }) }
    },
  ],
  [/^(?:(?:.*\.)?require|import|__import__|importlib\.import_module|process\.binding)$/, loadModule],
  [/^(?:array_map|array_walk|array_filter|map|filter|call_user_func(?:_array)?)$/, callHanded],
  [/(?:^|\.)(?:send|public_send|__send__)$/, callSent],
  [
    /^(?:runpy\.run_path|execfile|Code\.require_file|load_file|dofile|require_relative|include|require_once|include_once|source)$/,
    runOtherFile,
  ],
  [
    /^(?:socket\.create_connection|net\.(?:connect|createConnection)|tls\.connect|TCPSocket\.(?:new|open)|fsockopen|IO::Socket::INET\.new|stream_socket_client)$/,
    connect,
  ],
  [
    /^dotenv\.(?:config|parse|load\w*|dotenv_values|values)$|^(?:dotenv_values|load_dotenv)$/,
    ({ context }) => {
      readPath(context, toKnownWord('.env'), 'name')
      return { ...NOTHING, value: toUnknownWord('settings', { carries: carry('secret-variable') }) }
    },
  ],
  [
    /^(?:os\.(?:makedirs|mkdir)|fs(?:\.promises|\/promises|-extra)?\.(?:mkdir|mkdirSync|ensureDir|ensureDirSync|mkdirp|mkdirpSync)|FileUtils\.(?:mkdir_p|mkdir|touch)|Dir\.mkdir|Deno\.mkdir(?:Sync)?|mkdir|touch)$/,
    makePath,
  ],
  [/^(?:os\.kill|process\.kill|Process\.kill|posix_kill|kill)$/, killProcess],
  [/^os\.ch(?:dir|root)$|^process\.chdir$|^Dir\.chdir$|^chdir$/, moveTo],
  [
    /^getattr$/,
    (_, args) => ({
      ...NOTHING,
      name:
        args[0]?.name && readWord(takeArgument(args, 1)) !== null
          ? `${args[0].name}.${readWord(takeArgument(args, 1))}`
          : null,
    }),
  ],
  [
    /^(?:sqlite3|psycopg2?|pymysql|MySQLdb|mysql\.connector|asyncpg|pg|mysql2?|better-sqlite3|duckdb|sqlalchemy)\.\w*(?:connect|Client|Pool|Database|create\w*|engine)\w*$|^(?:PDO|SQLite3|DBI\.connect)$/,
    (_, args) => ({ ...NOTHING, value: args.length > 0 ? takeArgument(args) : toUnknownWord('database') }),
  ],
  [/\.(?:execute|executescript|executemany|query|exec|unsafe|\$executeRawUnsafe|run|prepare|do)$/, runSql],
]

/** True for a function that the table has. */
export function isKnownFunction(name: string): boolean {
  return FUNCTIONS.some(([shape]) => shape.test(name))
}

/** Actions of functions that do something by themselves, wherever they are called. */
const RISKY_ACTIONS: ReadonlySet<Action> = new Set<Action>([
  runExec,
  removeTree,
  removeFile,
  rewriteFile,
  runShellText,
  runProgram,
  replaceProgram,
  evaluate,
  runSql,
])

/** A function that is handed to another, and called with what that one is given. */
function callHanded(code: Code, args: readonly Thing[]): Thing {
  const [handed, ...rest] = args
  const name = handed?.name ?? readWord(handed?.value ?? toKnownWord(''))
  if (name === 'chr') return { ...NOTHING, value: decodeCharacters(rest[0]) }
  if (name === null || name === '') return { ...NOTHING, value: rest[0]?.value ?? NOTHING.value }
  return callFunction(code, name, [takeElement(rest[0] ?? NOTHING), ...rest.slice(1)])
}

/** `send(:system, …)` of Ruby calls by a name. */
export function callSent(code: Code, args: readonly Thing[]): Thing {
  const name = args[0] ? (readWord(args[0].value) ?? args[0].name) : null
  return name ? callFunction(code, name.replace(/^:/, ''), args.slice(1)) : runLikelyCommand(code, args.slice(1))
}

/** Calls a function that another is handed to, or that is called in a roundabout way; null for any other. */
function callIndirectly(code: Code, name: string, args: readonly Thing[]): Thing | null {
  const [, target, way] = /^(.+)\.(call|apply|bind)$/.exec(name) ?? []
  if (target && way && code.language === 'ruby') return callFunction(code, target, args)
  if (target && way && code.language === 'javascript') {
    const given = way === 'apply' ? (args[1]?.items ?? args.slice(1)) : args.slice(1)
    const result = callFunction(code, target, given)
    return way === 'bind' ? { ...NOTHING, name: target } : result
  }
  if (name === 'Reflect.apply' && args[0]) return callThing(code, args[0], args[2]?.items ?? [])
  if (/(?:^|\.)promisify$/.test(name) && args[0]) return args[0]
  if (/^(?:vars|dict)$/.test(name) && args[0]?.name) return args[0]
  if (/^method$/.test(name)) return toNamed(readWord(takeArgument(args)) ?? args[0]?.name ?? 'method')
  const options = args.find(({ fields }) => fields !== null)?.fields
  const handed = options?.get('target') ?? options?.get('func') ?? options?.get('function') ?? args[0]
  const isHanded = handed !== undefined && (handed.body !== undefined || (handed.name !== null && isRisky(handed.name)))
  if (!isHanded) return null
  const named = options?.get('args')
  const list = named ? (named.items ?? [named]) : args.slice(1).filter((each) => each !== handed)
  const given = /(?:^|\.)(?:map|starmap|imap|submit|apply_async|run_in_executor|filter|map_async)$/.test(name)
    ? list.map(takeElement)
    : list
  if (handed.body && code.called.has(handed.body) && given.length === 0) return null
  callThing({ ...code, context: lowerCertainty(code.context, 'likely') }, handed, given)
  return { ...NOTHING, name: handed.name, value: toUnknownWord('result') }
}

/** True for a function that does something by itself. */
function isRisky(name: string): boolean {
  const short = name.replace(/^(?:builtins|globalThis|global|window)\./, '')
  const found = FUNCTIONS.find(([shape]) => shape.test(short))
  return found !== undefined && RISKY_ACTIONS.has(found[1])
}

/** Names of the first parameter of functions, by which it may be given. */
const FIRST_PARAMETERS = 'path filename file name src source url cmd args command target top fd'.split(' ')

/** The arguments with the first one in its place, where all of them are given by name. */
function putNamedFirst(args: readonly Thing[]): readonly Thing[] {
  const fields = args.length === 1 ? args[0]?.fields : undefined
  const name = fields ? FIRST_PARAMETERS.find((each) => fields.has(each)) : undefined
  const first = name === undefined ? undefined : fields?.get(name)
  return first ? [first, ...args] : args
}

/** Calls a function of a library by its full name. */
export function callFunction(code: Code, name: string, args: readonly Thing[]): Thing {
  spend(code.context)
  const indirect = callIndirectly(code, name, args)
  if (indirect) return indirect
  const short = name
    .replace(/^(?:builtins|globalThis|global|window|self|::)\./, '')
    .replace(/^fs-extra/, 'fs-extra')
    .replace(/\.(?:default|new)$/, (end) => (end === '.new' ? end : ''))
  const found = FUNCTIONS.find(([shape]) => shape.test(short))
  if (found) return found[1](code, putNamedFirst(args), short)
  const carries = mergeCarried(args.map(({ value }) => value.carries))
  const last = short.split('.').at(-1) ?? ''
  const member = findOwn(RISKY_MEMBERS, last)
  if (member && short.includes('.')) return callFunction(code, member, args)
  if (/^https?:\/\//.test(readKnownStart(takeArgument(args)))) {
    if (/post|put|send|upload/i.test(last)) return post(code, args, short)
    if (/get|fetch|open|download|request|read|curl|load|url/i.test(last)) return fetchUrl(code, args, short)
  }
  const handed = args.find((each) => each.name !== null && /^(?:eval|exec|Function)$/.test(each.name))
  if (handed) noteUnseen(code.context, 'code', name, 'run')
  else noteUnknownCall(code, short)
  noteByVerb(code, last, args)
  return { ...NOTHING, value: toUnknownWord(name.split('.').at(-1) ?? 'result', { carries }) }
}

/** Functions by the last part of their name, for receivers that are not known: a module that was loaded in a roundabout way. */
export const RISKY_MEMBERS: Readonly<Record<string, string>> = {
  system: 'os.system',
  popen: 'os.popen',
  execSync: 'child_process.execSync',
  spawnSync: 'child_process.spawnSync',
  execFileSync: 'child_process.execFileSync',
  rmSync: 'fs.rmSync',
  rmdirSync: 'fs.rmSync',
  unlinkSync: 'fs.unlinkSync',
  rmtree: 'shutil.rmtree',
  writeFileSync: 'fs.writeFileSync',
  appendFileSync: 'fs.appendFileSync',
  readFileSync: 'fs.readFileSync',
  renameSync: 'fs.renameSync',
  require: 'require',
}

/** Calls what a value is: a function of the code, one by its name, one whose name is in a text. */
export function callThing(code: Code, thing: Thing, args: readonly Thing[]): Thing {
  if (thing.body) return code.callBody(code, thing.body, args)
  if (thing.name !== null) return callFunction(code, thing.name, args)
  const text = code.language === 'php' ? readWord(thing.value) : null
  if (text !== null && /^\w+$/.test(text)) return callFunction(code, text, args)
  noteUnseen(code.context, 'code', `a call of ${showValue(thing.value)}`, 'run')
  return {
    ...NOTHING,
    value: toUnknownWord('result', { carries: mergeCarried(args.map(({ value }) => value.carries)) }),
  }
}
