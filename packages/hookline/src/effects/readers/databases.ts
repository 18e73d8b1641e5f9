import { posix } from 'node:path'
import { shareRow } from '../../programs/share-row.ts'
import {
  type Context,
  enterStep,
  listRunnable,
  lowerCertainty,
  noteChange,
  noteFlows,
  noteSmallChange,
  noteUnseen,
  readContent,
  readFilled,
  readPath,
  readSource,
  resolveOne,
  writePath,
} from '../context.ts'
import { isAboutProduction, toSet } from '../program.ts'
import { hasOpenComment, readSql } from '../sql.ts'
import {
  type Content,
  carry,
  dropStart,
  EMPTY_CONTENT,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'

/** Readers of the shells of databases. */
const DATABASE_READERS: Readonly<Record<string, Reader>> = {
  sql: readSqlShell,
  'database-shell': readDatabaseShell,
  dropdb: readDropdb,
}

/** Reads a call by the one of them that its row names. */
export const readDatabaseCall: Reader = (call) => readByRow(DATABASE_READERS, call)

/** Words of a name that is made for trying things out. */
const TRYING =
  /^:memory:|(?:^|[-_./])(?:test|tests|testing|tmp|temp|scratch|sandbox|ci|dev|local|example|demo)(?:$|[-_./\d])/i

/** True for a name that is made for trying things out. */
export function isForTrying(name: string): boolean {
  return TRYING.test(name)
}

/** Words that name production, marked so. */
export function mark(words: string, besides = /$^/g): string {
  return isAboutProduction(words.replaceAll(besides, '')) ? `${words} (production)` : words
}

/** Longer texts of SQL are not read. */
const MAX_SQL_CHARS = 64 * 1024

/** Files that statements and functions of databases read. */
const SQL_READS =
  /\b(?:readfile|read_(?:text|blob|csv(?:_auto)?|json(?:_auto)?)|pg_read_(?:binary_)?file|load_file|lo_import|load data (?:local )?infile|glob)\s*(?:\(\s*)?'([^']+)'|^[ \t]{0,20}attach\s+(?:database\s+)?'([^']+)'|^\\?copy\s+\S+\s+from\s+'([^']+)'|^[ \t]*\.import\s+(?:-{1,2}\S+\s+)*'?([^\s']+)/gim

/** Notes the changes of a text of SQL. */
export function noteSql(context: Context, text: string, where: string): void {
  if (text.length > MAX_SQL_CHARS) {
    noteUnseen(context, 'too-much', 'sql', 'run')
    return
  }
  if (hasOpenComment(text)) noteUnseen(context, 'not-parsed', 'a comment that nothing closes', 'run')
  for (const { operation, target } of readSql(text)) {
    const full = mark(`${where} ${target}`.trim())
    // The user of an address says nothing of the database.
    const isTrying =
      isForTrying(where.replaceAll(/\/\/[^/@\s]*@|\bexample\.(?:com|net|org)\b/g, '//')) && !isAboutProduction(where)
    if (operation === 'run') runSqlProgram(context, text)
    else if (operation === 'delete-some') noteChange(context, 'database', 'delete-some', full)
    else if (operation === 'update-all')
      noteSmallChange(context, 'database', 'update-all', full, isTrying ? 'possible' : 'certain')
    else noteSmallChange(context, 'database', operation, full, isTrying ? 'possible' : 'certain')
  }
  for (const match of text.matchAll(/\binto\s+(?:out|dump)file\s+'([^']+)'/gi))
    writePath(context, toKnownWord(match[1] ?? ''), 'create')
  for (const match of text.matchAll(SQL_READS))
    readPath(context, toKnownWord(match.slice(1).find((each) => each !== undefined) ?? ''))
  if (/^[ \t]*(?:\.(?:restore|clone)\s|(?:source|\\\.)\s+\S)/m.test(text) && isAboutProduction(`${where} ${text}`))
    noteChange(context, 'database', 'reset', `${where} (production)`, 'likely')
  else if (/^[ \t]*\.(?:restore|clone)\s/m.test(text)) noteChange(context, 'database', 'reset', where, 'likely')
  for (const match of text.matchAll(/^[ \t]*(?:\\!|!!?)\s*(.+)$|^[ \t]*(?:\.(?:shell|system)|system)\s+(.+)$/gm))
    context.reading.runScript(enterStep(context), match[1] ?? match[2] ?? '')
  for (const match of text.matchAll(/^[ \t]*(?:\\(?:i|ir|include)|\.read|source)\s+(\S+)/gm))
    readSqlFile(context, toKnownWord(match[1] ?? ''), where)
}

/** `COPY … TO PROGRAM` runs a command on the machine of the database, with the rows as its input. */
function runSqlProgram(context: Context, text: string): void {
  noteUnseen(context, 'code', 'COPY … PROGRAM', 'run')
  for (const match of text.matchAll(/program\s+'((?:[^']|'')*)'/gi)) {
    noteFlows(context, ['project'], 'send', 'a program of the database')
    context.reading.runScript(enterStep(context), (match[1] ?? '').replaceAll("''", "'"))
  }
}

/** Notes what the statements of a file do to a database. */
export function readSqlFile(context: Context, file: Value, where: string): void {
  const path = resolveOne(context, file)
  const text = path ? readSource(context, path.text) : null
  if (path) readPath(context, file)
  if (text !== null)
    noteSql(enterStep(context, { text: path?.text ?? '', at: posix.basename(path?.text ?? '') }), text, where)
  else if (!path || path.exists) noteUnseen(context, 'code', showValue(file), 'run')
}

/** Options whose value is a script, of shells that use the letters of others for something else. */
const SCRIPT_OPTIONS: Readonly<Record<string, string>> = {
  ...shareRow('mysql mariadb mycli', '-e --execute'),
  psql: '-c --command',
}

function readSqlShell(call: Call): Content {
  const { context, name, input } = call
  const isFirstName = /^(?:sqlite3?|duckdb|litecli)$/.test(name)
  const script = SCRIPT_OPTIONS[name] ?? '-c --command --query -q -Q --execute -e --sql'
  const files = '-f --file -i --queries-file --input-file -init --init'
  const parsed = parseCall(
    call,
    `${script} ${files} -h -p-x -P -U -u -d -D -o -v -S -L -T -F -R --host --port --user --username --dbname --database --output --set --variable --defaults-file --socket --cmd -cmd`,
    { oneDash: false },
  )
  if (parsed.has('--help', '--version', '-V')) return UNKNOWN_CONTENT
  const where = parsed.operands[0]
    ? showValue(parsed.operands[0])
    : showValue(parsed.value('-d', '-D', '--dbname', '--database') ?? toKnownWord(''))
  const host = parsed.value('-h', '--host')
  const place = [host ? showValue(host) : '', where].join(' ').trim()
  const scripts = [
    ...parsed.values(...toSet(script)),
    ...parsed.values('-cmd', '--cmd'),
    ...(isFirstName ? parsed.operands.slice(1) : []),
  ]
  for (const each of scripts) {
    const text = readFilled(context, each)
    if (text === null) noteUnseen(context, 'value', showValue(each), 'run')
    noteSql(context, text ?? showValue(each), place)
  }
  for (const each of parsed.values(...toSet(files))) readSqlFile(context, each, place)
  if (name === 'sqlplus')
    for (const each of parsed.operands)
      if (readKnownStart(each).startsWith('@')) readSqlFile(context, dropStart(each, 1), place)
  if (scripts.length === 0) readPiped(context, input, place)
  if (isFirstName && parsed.operands[0]) {
    const isSecret = resolveOne(context, parsed.operands[0])?.place === 'secret'
    readPath(context, parsed.operands[0], isSecret ? 'content' : 'name')
    for (const each of scripts) {
      const file = /^\s*\.(?:output|once|dump|backup|save|log)\s+(\S+)/.exec(readWord(each) ?? '')?.[1]
      if (file && file !== 'stdout') writePath(context, toKnownWord(file), 'replace')
    }
  }
  const output = parsed.value('-o', '--output')
  if (output) writePath(context, output, 'replace')
  return { ...UNKNOWN_CONTENT, carries: new Set(['remote', 'project'] as const) }
}

function readPiped(context: Context, input: Content, place: string): void {
  const text = readContent(context, input)
  noteFlows(context, listRunnable(input.carries), 'run', `SQL for ${place}`)
  if (text === null && input !== EMPTY_CONTENT && isAboutProduction(place))
    noteChange(context, 'database', 'change', mark(place))
  if (text) noteSql(context, text, place)
  else if (input !== EMPTY_CONTENT && input.text === null) {
    noteUnseen(context, 'code', 'sql', 'run')
    // Rows of a query that are run as statements are known to nobody.
    if (input.carries.has('remote'))
      noteFlows(lowerCertainty(context, 'likely'), ['unknown'], 'run', `SQL for ${place}`)
  }
}

function readDatabaseShell(call: Call): Content {
  const { context, name, words, input } = call
  const texts = readCallWords(words)
  const parsed = parseCall(
    call,
    '-h -p -n -a -u -d --eval --host --port --username --password --file -f -x --endpoints --user --uri',
  )
  const statement = texts.findIndex((text) => text === '-execute' || text === '--execute')
  if (name === 'influx' && statement !== -1) noteSql(context, texts[statement + 1] ?? '', name)
  const code = [
    ...parsed.values('--eval').map((each) => readWord(each) ?? ''),
    name === 'arangosh' ? texts.join('\n') : '',
    name.startsWith('mongo') ? (input.text ?? '') : '',
  ].join('\n')
  const database = parsed.value('-n')
  const target = mark([name, ...texts].join(' '))
  const command = parsed.operands.map((each) => readWord(each) ?? '?').join(' ')
  const isTrying = isForTrying(parsed.operands[0] ? showValue(parsed.operands[0]) : '')
  if (/(?:\b|_)drop(?:Database|Collection)?\s*\(\s*['")]|\.drop\s*\(|dropUser|dropAllUsers/.test(code))
    noteSmallChange(context, 'database', 'drop', target, isTrying ? 'possible' : 'certain')
  if (
    /\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*(?:["']?\w+["']?\s*:\s*\{\s*["']?\$(?:exists|ne|gte?|nin)\b[^}]*\}\s*)?\}\s*)?\)/.test(
      code,
    )
  )
    noteSmallChange(context, 'database', 'delete-all', target, isTrying ? 'possible' : 'certain')
  else if (/\.(?:deleteMany|deleteOne|remove)\s*\(/.test(code)) noteChange(context, 'database', 'delete-some', target)
  const lines = [command, ...(input.text ?? '').split('\n')]
  for (const line of lines) {
    if (/^(?:flushall|flushdb)\b/i.test(line))
      noteChange(context, 'database', 'truncate', target, database ? 'likely' : 'certain')
    if (/^(?:eval|fcall|script)\b.*flush(?:all|db)/i.test(line)) noteChange(context, 'database', 'truncate', target)
    if (/^(?:shutdown|debug sleep|config set (?:dir|dbfilename))\b/i.test(line))
      noteChange(context, 'service', 'stop', target)
    if (/^(?:del|unlink)\b.*\?/i.test(line)) noteChange(context, 'database', 'delete-all', target, 'likely')
    if (/^del\b/.test(line) && (/--prefix|--from-key|""/.test(line) || parsed.has('--prefix', '--from-key')))
      noteChange(context, 'database', 'delete-all', target)
    if (name === 'etcdctl' && /^(?:member remove|snapshot restore|defrag|auth disable)\b/.test(line))
      noteChange(context, 'cluster', 'change', target)
    if (/^(?:bucket delete|delete)\b/.test(line) && name === 'influx') noteChange(context, 'database', 'drop', target)
    if (/\b(?:detach )?delete\b/i.test(line) && name === 'cypher-shell')
      noteChange(context, 'database', 'delete-all', target)
  }
  for (const each of parsed.values('--file')) noteUnseen(context, 'code', showValue(each), 'run')
  return { ...UNKNOWN_CONTENT, carries: carry('remote') }
}

function readDropdb(call: Call): Content {
  const parsed = parseCall(call, '-h -p -U -W-x --host --port --username --maintenance-db')
  if (parsed.has('--help', '--version')) return UNKNOWN_CONTENT
  for (const each of parsed.operands) {
    const text = showValue(each)
    noteSmallChange(
      call.context,
      'database',
      'drop',
      mark(text),
      isForTrying(text) && !isAboutProduction(text) ? 'possible' : 'certain',
    )
  }
  return UNKNOWN_CONTENT
}
