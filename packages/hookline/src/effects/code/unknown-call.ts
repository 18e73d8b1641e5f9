import { isProgramName } from '../../programs/table.ts'
import {
  deletePath,
  enterStep,
  lowerCertainty,
  noteChange,
  noteUnseen,
  readPath,
  resolveOne,
  writePath,
} from '../context.ts'
import { isCommandLine, runHandedScript } from '../handed-commands.ts'
import { noteSql } from '../readers/databases.ts'
import { EMPTY_CONTENT, readWord, toKnownWord } from '../value.ts'
import type { Code, Thing } from './code.ts'

/** Functions and methods that only make values of others. */
const PURE =
  /^(?:len|range|int|float|bool|max|min|sum|abs|round|pow|divmod|enumerate|zip|any|all|isinstance|issubclass|type|dict|format|hash|id|ord|hex|oct|bin|next|object|super|slice|frozenset|input|callable|hasattr|setattr|property|staticmethod|classmethod|dir|exit|quit|sleep|Error|Exception|\w+Error|Promise|Map|Set|WeakMap|Symbol|Number|Boolean|Date|RegExp|Array|Object|BigInt|parseInt|parseFloat|isNaN|structuredClone|queueMicrotask|clear(?:Timeout|Interval)|alert|die|say|lc|uc|defined|ref|scalar|keys|values|join|split|push|pop|shift|unshift|sprintf|printf|substr|length|strlen|count|implode|explode|trim|str_replace|in_array|array_\w+|is_\w+|json_(?:en|de)code|var_export|die|raise|warn|attr_\w+|gets|rand|srand|lambda|proc|pcall|pairs|ipairs|tostring|tonumber|Struct|describe|it|test|expect|beforeEach|afterEach|fs\.(?:exists|stat|lstat|access|existsSync|statSync|lstatSync|accessSync|constants)(?:Sync)?|os\.(?:getcwd|getpid|cpus|platform|uname|cpu_count|sep|linesep|path|type|arch|hostname)|ast\.\w+)$/

const PURE_MODULES =
  /^(?:math|re|json|datetime|time|random|string|collections|itertools|functools|operator|textwrap|hashlib|hmac|uuid|statistics|decimal|fractions|enum|dataclasses|typing|copy|pprint|argparse|logging|struct|unicodedata|difflib|calendar|locale|platform|sys|traceback|inspect|warnings|contextlib|heapq|bisect|array|numbers|abc|types|secrets|console|Math|Object|Array|Number|String|JSON|Promise|Date|Symbol|BigInt|Intl|RegExp|Set|Map|process\.(?:std\w+|exit|cwd|on|once|hrtime|nextTick|uptime|memoryUsage|emitWarning)|path|url|util|crypto|assert|events|stream|readline|perf_hooks|querystring|os\.path|performance|np|numpy|pd|pandas|plt|Time|Random|Comparable)(?:\.|$)/

const PURE_METHODS =
  /^(?:append|extend|insert|add|push|pop|shift|unshift|concat|slice|splice|sort|sorted|reverse|keys|values|items|entries|get|set|has|update|setdefault|copy|count|index|find\w*|indexOf|includes|some|every|reduce|flat\w*|fill|at|lower|upper|title|capitalize|toLowerCase|toUpperCase|startswith|endswith|startsWith|endsWith|isdigit|isalpha|is\w+|zfill|ljust|rjust|center|padStart|padEnd|repeat|charAt|charCodeAt|codePointAt|match\w*|search|test|group|groups|sub|subn|finditer|fullmatch|replaceAll|splitlines|rstrip|lstrip|strip\w*|trim\w*|substring|substr|localeCompare|toFixed|toISOString|getTime|toJSON|valueOf|hasOwnProperty|hexdigest|digest|isoformat|strftime|total_seconds|now|today|next|send_signal|readline|readlines|close|flush|seek|tell|wait|poll|communicate|decode|finally|catch|length|size|first|last|min|max|sum|mean|empty|nil|collect|select|reject|inject|compact|uniq|flatten|to_i|to_f|to_a|to_h|to_sym|inspect|freeze|dup|head|tail|describe|info|shape|log|error|warn|debug|end|on|once|off|setEncoding|pipe|cwd|exit|parse_args|add_argument|lines|name|stem|suffix|parts|relative_to|with_suffix|with_name|stat|samefile|owner|exitcode|returncode|done|result|start|add_done_callback|cursor|commit|to\w+|assert\w+|not|resolves|rejects|status|json|text|blob|arrayBuffer)$/

/** Notes a call that this reader has no meaning for. */
export function noteUnknownCall(code: Code, name: string): void {
  const last = name.split('.').at(-1) ?? ''
  if (name === '' || PURE.test(name) || PURE_MODULES.test(name) || PURE_METHODS.test(last)) return
  noteUnseen(code.context, 'code', `${name}()`)
}

/** Verbs in the names of functions that no table has. */
const DELETING_VERB =
  /^(?:delete|remove|unlink|erase|rm|rmdir|rmtree|wipe|purge|trash|destroy|empty|nuke|shred)(?:[A-Z_]\w*)?$|(?:_|[a-z])(?:rmtree|Unlink|Delete|Remove|_delete|_remove|_unlink)$/

const WRITING_VERB =
  /^(?:write|save|dump|append|overwrite|put|store|export|extract\w*|unpack\w*|to|output|copy|move|rename|link|symlink)(?:[A-Z_]\w*)?$/

const READING_VERB = /^(?:read|load|slurp|cat|open|parse|get|import)(?:[A-Z_]\w*)?$/

/** Verbs by which a library brings a file to another machine. */
const UPLOADING_VERB = /^(?:put|putfo|upload\w*|send_?file|sendFile|storbinary)$/

const RUNNING_VERB =
  /^(?:system|shell|exec|spawn|popen|run|call|cmd|sudo|sh|bash|command|invoke|launch|start|check|execute)(?:[A-Z_]\w*)?$/

/** Methods of clients of databases by which data is gone. */
const DATABASE_VERB =
  /^(?:drop(?:Database|Collection|Table|Schema|All\w*|_all|_table|_database|_collection|_schema|Index(?:es)?)|flush(?:all|db|Db|_all|DB|All)|deleteMany|delete_many|removeAll|truncate(?:Table)?|emptyDatabase|destroyAll|deleteAll|delete_all|destroy_all|resetDatabase)$/

/** Functions that are given statements, and statements that take something away. */
const SQL_VERB = /sql|quer(?:y|ies)|exec(?:ute)?|raw|statement/i
const STATEMENT = /^\s*(?:drop\s+(?:table|database|schema|view|index|keyspace)|truncate|delete\s+from|alter\s+table)\s/i

/** Methods of clients of clouds by which what they name is gone. */
const CLOUD_VERB =
  /^(?:delete|terminate|destroy)_?(?:bucket|stack|table|instances?|db_?instance|db_?cluster|cluster|function|user|role|database|project|topic|queue|volume|snapshot|namespace|deployment|repository|repo|droplet|server|zone|app)s?(?:Async|_async|Command)?$/i

/** Runs the words that a function of tasks is given one by one: `session.run("rm", "-rf", …)`. */
function runWords({ context }: Code, args: readonly Thing[]): void {
  const words = args.filter(({ fields }) => fields === null).map(({ value }) => value)
  const name = readWord(words[0] ?? toKnownWord(''))
  if (name !== null && words.length > 1 && isProgramName(name))
    context.reading.runWords(enterStep(context), words, EMPTY_CONTENT)
}

/** Notes what a function that is not known does by the verb in its name, where it is given a path or a command that is known. */
export function noteByVerb(code: Code, verb: string, args: readonly Thing[]): void {
  const likely = lowerCertainty(code.context, 'likely')
  if (DATABASE_VERB.test(verb)) {
    const isSome = /^delete_?many$/i.test(verb) && (args[0]?.fields?.size ?? 0) > 0
    noteChange(code.context, 'database', isSome ? 'delete-some' : 'drop', verb)
    return
  }
  for (const { value } of args.slice(0, 3)) {
    const text = readWord(value)
    if (text !== null && SQL_VERB.test(verb) && STATEMENT.test(text)) noteSql(code.context, text, '')
  }
  if (verb === 'drop' && args.length === 0) noteChange(likely, 'database', 'drop', `${verb}()`)
  if (RUNNING_VERB.test(verb) && args.length > 1) runWords(code, args)
  if (CLOUD_VERB.test(verb)) noteChange(likely, 'cloud', 'delete', verb)
  for (const [at, { value }] of args.slice(0, 4).entries()) {
    const text = readWord(value)
    if (text === null || text === '' || text.length > 2000) continue
    if (RUNNING_VERB.test(verb) && isCommandLine(text)) {
      runHandedScript(code.context, text)
      continue
    }
    if (!/^(?:~|\/|\.)/.test(text) || /\s/.test(text)) continue
    const path = toKnownWord(text.replace(/^~(?=\/|$)/, code.context.reading.world.home))
    const found = resolveOne(code.context, path)
    if (!found || /^(?:project|built|temp|remote)$/.test(found.place)) continue
    const isMoved = at === 0 && args.length > 1 && /^(?:move|rename|mv)(?:[A-Z_]\w*)?$/.test(verb)
    if ((isMoved || DELETING_VERB.test(verb)) && (found.exists || found.place === 'home'))
      deletePath(likely, path, 'tree')
    else if (
      (WRITING_VERB.test(verb) && /^(?:startup|agent|device|system)$/.test(found.place)) ||
      (found.text === code.context.reading.world.home && /^(?:extract|unpack)/.test(verb))
    )
      writePath(likely, path, 'replace')
    else if (UPLOADING_VERB.test(verb) && found.place === 'secret') readPath(likely, path)
    else if (READING_VERB.test(verb) && found.place === 'secret' && found.exists && !/\.env/.test(text))
      readPath(likely, path)
  }
}
