import type {
  Assignment,
  Command,
  CompoundList,
  HereDoc,
  HereString,
  ParsedScript,
  PipelineNode,
  Redirect,
  Redirected,
  Redirection,
  Statement,
  TestExpression,
} from 'unbash'
import { parse } from 'unbash'
import { listProgramNames } from '../programs/table.ts'
import { isTooCostlyToParse } from '../text/parse-cost.ts'
import {
  type Context,
  copyShell,
  enterStep,
  listRunnable,
  lowerCertainty,
  MAX_DEPTH,
  note,
  noteChange,
  noteFlows,
  noteUnseen,
  readPath,
  sendTo,
  spend,
  writePath,
} from './context.ts'
import { compileGlob } from './places.ts'
import { runProgram } from './run-program.ts'
import {
  type Content,
  concat,
  dropStart,
  EMPTY_CONTENT,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'
import { noteVariable } from './variables.ts'
import { expandJoined, expandParts, expandWord, readVariable, runNested } from './words.ts'

/** Longer scripts are not read. */
const MAX_SCRIPT_CHARS = 64 * 1024

/** Commands of a script: to parse more takes longer than a call may. */
const MAX_COMMANDS = 2000

/** Rounds of a loop whose words are all looked at. */
const MAX_ROUNDS = 24

/** Rounds of a loop over numbers, of which the first are looked at for all. */
const MAX_COUNTED_ROUNDS = 150

/** Programs that a pattern in the place of a command may mean. */
const MAX_MATCHES = 40

/** Control characters that shells and parsers take for different things. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\0-\x08\x0e-\x1f\x7f]/

type Body = Command | Redirected | PipelineNode | CompoundList | Statement['command']

/** Reads a script of a shell and notes what it does; answers with what it prints. */
export function runScript(context: Context, script: string, input: Content = EMPTY_CONTENT): Content {
  if (context.depth > MAX_DEPTH) {
    noteUnseen(context, 'too-deep', script.slice(0, 80), 'run')
    return UNKNOWN_CONTENT
  }
  if (script.length > MAX_SCRIPT_CHARS || isTooCostlyToParse(script) || hasTooManyCommands(script)) {
    noteUnseen(context, 'too-much', script.slice(0, 80), 'run')
    return UNKNOWN_CONTENT
  }
  spend(context, 1 + (script.length >> 6))
  context.reading.scripts.add(script)
  if (CONTROL.test(script)) noteUnseen(context, 'not-parsed', script.slice(0, 80), 'run')
  return runParsed(context, parse(script), input)
}

/** Counts the lines and separators outside of here-documents, without a parser. */
function hasTooManyCommands(script: string): boolean {
  let commands = 0
  let delimiter: string | null = null
  for (const line of script.split('\n')) {
    if (delimiter !== null) {
      if (line.trim() === delimiter) delimiter = null
      continue
    }
    commands += 1 + (line.match(/[;|&]+/g)?.length ?? 0)
    if (commands > MAX_COMMANDS) return true
    delimiter = /<<-?\s*['"\\]?([\w.-]+)/.exec(line)?.[1] ?? null
  }
  return false
}

function runParsed(context: Context, script: ParsedScript, input: Content): Content {
  if (script.errors && script.errors.length > 0)
    noteUnseen(context, 'not-parsed', script.errors[0]?.message ?? '', 'run')
  return runStatements(context, script.commands, input)
}

function runStatements(context: Context, statements: readonly Statement[], input: Content): Content {
  const outputs: Content[] = []
  for (const { command, background } of statements) {
    spend(context)
    const inner = background ? { ...context, shell: copyShell(context.shell) } : context
    outputs.push(runNode(inner, command, input))
  }
  return concat(outputs)
}

function runNode(context: Context, node: Body, input: Content): Content {
  spend(context)
  switch (node.type) {
    case 'Command':
      return runCommand(context, node, input)
    case 'Pipeline':
      return runPipeline(context, node, input)
    case 'AndOr':
      return runAndOr(context, node, input)
    case 'Redirected':
      return redirect(context, node.redirects, input, (inner, from) => runNode(inner, node.command, from))
    case 'Subshell':
      return runStatements({ ...context, shell: copyShell(context.shell) }, node.body.commands, input)
    case 'BraceGroup':
      return runStatements(context, node.body.commands, input)
    case 'CompoundList':
      return runStatements(context, node.commands, input)
    case 'If':
      return runIf(context, node, input)
    case 'For':
    case 'Select':
      return runLoop(context, node, input)
    case 'ArithmeticFor':
      if (!node.test && isStartingMore(node.body) && !hasPause(node.body))
        noteChange(context, 'machine', 'fork-bomb', 'a loop that starts processes without end')
      runNested(context, [node.initialize, node.test, node.update], runParsed)
      return runStatements(lowerCertainty(context, 'likely'), node.body.commands, input)
    case 'While':
      return runWhile(context, node, input)
    case 'Case':
      return runCase(context, node, input)
    case 'Function':
      return defineFunction(context, node)
    case 'Coproc':
      return runNode({ ...context, shell: copyShell(context.shell) }, node.body, input)
    case 'TestCommand':
      readTest(context, node.expression)
      return EMPTY_CONTENT
    case 'ArithmeticCommand':
      runNested(context, node.expression, runParsed)
      return EMPTY_CONTENT
  }
}

function runPipeline(context: Context, node: Extract<Body, { type: 'Pipeline' }>, input: Content): Content {
  let flowing = input
  const isOne = node.commands.length === 1
  for (const [at, command] of node.commands.entries()) {
    const next = node.commands[at + 1]
    const inner = isOne
      ? context
      : { ...context, shell: copyShell(context.shell), isForLogin: next !== undefined && isLogin(next) }
    flowing = runNode(inner, command, flowing)
  }
  return flowing
}

/** True for a command that takes a password from its input, and shows none of it. */
function isLogin(node: Body): boolean {
  return (
    node.type === 'Command' &&
    node.args.some(
      (each) =>
        each.type === 'Word' && /^--(?:password|pass|token|secret|access-token)-stdin$|^--with-token$/.test(each.value),
    )
  )
}

/** Commands that only ask a question, so that what follows depends on the answer. */
const QUESTIONS = new Set([
  'test',
  '[',
  'grep',
  'rg',
  'command',
  'type',
  'which',
  'hash',
  'false',
  'cmp',
  'diff',
  'pgrep',
  'getent',
  'nc',
  'true',
  'read',
])

function runAndOr(context: Context, node: Extract<Body, { type: 'AndOr' }>, input: Content): Content {
  const outputs: Content[] = []
  let sure = context
  const start = context.shell.folders
  node.commands.forEach((command, at) => {
    const operator = node.operators[at - 1]
    const previous = node.commands[at - 1]
    if (operator === '||') {
      if (previous && isLeaving(command)) {
        context.shell.folders = context.shell.folders.slice(0, 1).map(({ path }) => ({ path, certainty: 'certain' }))
        return
      }
      if (previous && isAlwaysFalse(previous)) sure = context
      else sure = lowerCertainty(context, 'likely')
      if (previous && isFolderChange(previous))
        sure = { ...sure, shell: { ...copyShell(context.shell), folders: start } }
    }
    if (operator === '&&') {
      if (previous && isQuestion(previous)) sure = lowerCertainty(sure, 'likely')
      if (previous && isFolderChange(previous)) keepReachedFolder(sure)
    }
    outputs.push(runNode(sure, command, input))
  })
  return concat(outputs)
}

/** After `cd x &&` the shell is in x. */
function keepReachedFolder({ shell }: Context): void {
  const reached = shell.folders[0]
  if (reached) shell.folders = [{ path: reached.path, certainty: 'certain' }]
}

function readCommandName(node: Body): string | null {
  return node.type === 'Command' ? (node.name?.value ?? null) : null
}

function isFolderChange(node: Body): boolean {
  const name = readCommandName(node)
  return name === 'cd' || name === 'pushd' || name === 'popd'
}

function isLeaving(node: Body): boolean {
  const name = readCommandName(node)
  return name === 'exit' || name === 'return'
}

function isAlwaysFalse(node: Body): boolean {
  return readCommandName(node) === 'false'
}

function isQuestion(node: Body): boolean {
  if (node.type === 'TestCommand') return true
  if (node.type === 'Pipeline') {
    const last = node.commands.at(-1)
    return last ? isQuestion(last) : false
  }
  const name = readCommandName(node)
  return name !== null && name !== 'true' && QUESTIONS.has(name)
}

function runIf(context: Context, node: Extract<Body, { type: 'If' }>, input: Content): Content {
  const outputs = [runStatements(context, node.clause.commands, EMPTY_CONTENT)]
  const runBranch = (body: CompoundList) =>
    runStatements({ ...lowerCertainty(context, 'likely'), shell: copyShell(context.shell) }, body.commands, input)
  const fixed =
    node.clause.commands.length === 1 && node.elif.length === 0
      ? readCommandName(node.clause.commands[0]?.command ?? node)
      : null
  if (fixed === 'true' || fixed === ':') return runStatements(context, node.then.commands, input)
  outputs.push(runBranch(node.then))
  for (const each of node.elif) {
    runStatements(lowerCertainty(context, 'likely'), each.clause.commands, EMPTY_CONTENT)
    outputs.push(runBranch(each.then))
  }
  if (node.else) outputs.push(runBranch(node.else))
  rememberAssignments(context, [node.then, ...node.elif.map(({ then }) => then), ...(node.else ? [node.else] : [])])
  return concat(outputs)
}

/** Variables that a branch sets are unknown after it, unless they had no value before. */
function rememberAssignments(context: Context, bodies: readonly CompoundList[]): void {
  for (const body of bodies)
    for (const { command } of body.commands) {
      if (command.type !== 'Command' || command.name) continue
      for (const each of command.prefix) {
        if (each.type !== 'Assignment' || each.value.type !== 'Word') continue
        const value = expandJoined(context, each.value, runParsed)
        const text = readWord(value)
        const before = context.shell.variables.get(each.name)
        const isNew = !before || readWord(before) === ''
        context.shell.variables.set(
          each.name,
          isNew && text !== null
            ? { pieces: [{ is: 'unknown', name: each.name, empty: false, otherwise: text }], carries: value.carries }
            : toUnknownWord(each.name, { carries: value.carries }),
        )
      }
    }
}

function runLoop(context: Context, node: Extract<Body, { type: 'For' | 'Select' }>, input: Content): Content {
  const words = node.wordlist
    ? node.wordlist.flatMap((word) => expandWord(context, word, runParsed))
    : context.shell.positional
  const outputs: Content[] = []
  const name = node.name.value
  const [rounds, others] = [words.slice(0, MAX_ROUNDS), words.slice(MAX_ROUNDS)]
  for (const word of rounds) {
    context.shell.variables.set(name, word)
    outputs.push(runStatements(context, node.body.commands, input))
  }
  // A number more does what the others did.
  const isCounting = words.length < MAX_COUNTED_ROUNDS && others.every((word) => /^\d+$/.test(readWord(word) ?? ''))
  if (others.length > 0 && !isCounting) noteUnseen(context, 'too-much', `words of the loop over ${name}`, 'run')
  if (words.length === 0) {
    context.shell.variables.set(name, toUnknownWord(name))
    outputs.push(runStatements(lowerCertainty(context, 'likely'), node.body.commands, input))
  }
  return concat(outputs)
}

function runWhile(context: Context, node: Extract<Body, { type: 'While' }>, input: Content): Content {
  const clause = node.clause.commands[0]?.command
  const name = clause ? readCommandName(clause) : null
  const isEndless = name === 'true' || name === ':' || (node.kind === 'until' && name === 'false')
  if (isEndless && isStartingMore(node.body) && !hasPause(node.body))
    noteChange(context, 'machine', 'fork-bomb', 'a loop that starts processes without end')
  runStatements(context, node.clause.commands, input)
  const body = isEndless || node.kind === 'until' ? context : lowerCertainty(context, 'likely')
  return runStatements(name === 'read' ? context : body, node.body.commands, input)
}

/** True for commands that go on in the background, also from a subshell. */
function isStartingMore({ commands }: CompoundList): boolean {
  return commands.some(
    ({ command, background }) =>
      background || ((command.type === 'Subshell' || command.type === 'BraceGroup') && isStartingMore(command.body)),
  )
}

function hasPause(body: CompoundList): boolean {
  return body.commands.some(
    ({ command, background }) =>
      !background && /^(?:sleep|wait|break|read|inotifywait)$/.test(readCommandName(command) ?? ''),
  )
}

function runCase(context: Context, node: Extract<Body, { type: 'Case' }>, input: Content): Content {
  const value = readWord(expandJoined(context, node.word, runParsed))
  let isFalling = false
  const outputs = node.items.map((item) => {
    runNested(context, item.pattern, runParsed)
    const patterns = item.pattern.map(({ value: text }) => text)
    const isPlain = patterns.every((text) => !/[$`'"\\(]/.test(text))
    const isChosen =
      isFalling || (value !== null && (patterns.includes(value) || (isPlain && hasMatch(patterns, value))))
    isFalling = item.terminator === ';&' && (isChosen || value === null || !isPlain)
    const inner = isChosen ? context : { ...lowerCertainty(context, 'likely'), shell: copyShell(context.shell) }
    if (value !== null && !isChosen && isPlain) return EMPTY_CONTENT
    return runStatements(inner, item.body.commands, input)
  })
  return concat(outputs)
}

function hasMatch(patterns: readonly string[], value: string): boolean {
  return patterns.some((pattern) => compileGlob(pattern).test(value))
}

function defineFunction(context: Context, node: Extract<Body, { type: 'Function' }>): Content {
  const name = node.name.value
  if (isForkBomb(node.body, name)) noteChange(context, 'machine', 'fork-bomb', `${name} starts itself twice`, 'likely')
  if (name === 'hookline') noteChange(context, 'agent', 'loosen', `a function named ${name}`)
  context.shell.functions.set(name, node.body)
  return EMPTY_CONTENT
}

/** True for a function that starts itself more than once, or in the background. */
function isForkBomb(body: Extract<Body, { type: 'Function' }>['body'], name: string): boolean {
  let calls = 0
  let isBackground = false
  const visit = (node: Body | Statement): void => {
    if (node.type === 'Statement') {
      if (node.background && hasCall(node.command, name)) isBackground = true
      visit(node.command)
    } else if (node.type === 'Command') calls += node.name?.value === name ? 1 : 0
    else if (node.type === 'Pipeline' || node.type === 'AndOr') node.commands.forEach(visit)
    else if (node.type === 'Redirected') visit(node.command)
    else if (node.type === 'CompoundList') node.commands.forEach(visit)
    else if ('body' in node && typeof node.body === 'object' && 'commands' in node.body)
      node.body.commands.forEach(visit)
  }
  visit(body)
  return calls > 1 || isBackground
}

function hasCall(node: Body, name: string): boolean {
  if (node.type === 'Command') return node.name?.value === name
  return (node.type === 'Pipeline' || node.type === 'AndOr') && node.commands.some((each) => hasCall(each, name))
}

function readTest(context: Context, expression: TestExpression): void {
  spend(context)
  if (expression.type === 'TestUnary') expandJoined(context, expression.operand, runParsed)
  else if (expression.type === 'TestBinary') {
    expandJoined(context, expression.left, runParsed)
    expandJoined(context, expression.right, runParsed)
  } else if (expression.type === 'TestLogical') for (const each of expression.operands) readTest(context, each)
  else if (expression.type === 'TestNot') readTest(context, expression.operand)
  else readTest(context, expression.expression)
}

function runCommand(context: Context, node: Command, input: Content): Content {
  const assignments = node.prefix.filter((each) => each.type === 'Assignment')
  if (!node.name) {
    for (const each of assignments) assign(context, each)
    return redirect(context, node.redirects, input, (_, from) => (node.redirects.some(isInput) ? from : EMPTY_CONTENT))
  }
  const words = [
    ...expandWord(context, node.name, runParsed),
    ...node.args.flatMap((each) => expandArgument(context, each)),
  ]
  const { variables } = context.shell
  const before = assignments.map(({ name }) => [name, variables.get(name)] as const)
  for (const each of assignments) assign(context, each)
  const output = redirect(context, node.redirects, input, (inner, from) => runWords(inner, words, from))
  for (const [name, value] of before) {
    if (value) variables.set(name, value)
    else variables.delete(name)
  }
  return output
}

function isInput({ operator }: Redirection): boolean {
  return operator.startsWith('<')
}

function expandArgument(context: Context, argument: Command['args'][number]): readonly Value[] {
  if (argument.type === 'Word') return expandWord(context, argument, runParsed)
  const value =
    argument.value.type === 'Word' ? expandJoined(context, argument.value, runParsed) : toUnknownWord(argument.name)
  if (argument.value.type === 'ArrayValue') assign(context, argument)
  return [{ pieces: [{ is: 'text', text: `${argument.name}=` }, ...value.pieces], carries: value.carries }]
}

function assign(context: Context, { name, value, append, index }: Assignment): void {
  const { variables, arrays } = context.shell
  if (value.type === 'ArrayValue') {
    const elements = value.elements.flatMap((each) => expandWord(context, each, runParsed))
    for (const element of elements) assignKey(context, name, element)
    arrays.set(name, append ? [...(arrays.get(name) ?? []), ...elements] : elements)
    return
  }
  const next = expandJoined(context, value, runParsed)
  if (index) {
    runNested(context, index, runParsed)
    variables.set(`${name}[${index.value}]`, next)
    const list = [...(arrays.get(name) ?? [])]
    const at = Number(index.value)
    if (Number.isInteger(at) && at >= 0 && at < 100) list[at] = next
    arrays.set(name, list)
    return
  }
  const before = append ? readVariable(context, name) : null
  const full = before ? { pieces: [...before.pieces, ...next.pieces], carries: next.carries } : next
  variables.set(name, full)
  noteVariable(context, name, full)
}

/** Keeps an element of an array that is written with its key, as `[key]=value`. */
function assignKey({ shell }: Context, name: string, element: Value): void {
  const key = /^\[([^\]]+)\]=/.exec(readKnownStart(element))
  if (key) shell.variables.set(`${name}[${key[1]}]`, dropStart(element, key[0].length))
}

/** Runs a command with its redirections; what it prints goes to the last file that takes it. */
function redirect(
  context: Context,
  redirects: readonly Redirection[],
  input: Content,
  run: (context: Context, input: Content) => Content,
): Content {
  if (redirects.length === 0) return run(context, input)
  let from = input
  const outputs: { readonly target: Value; readonly how: 'replace' | 'append' }[] = []
  let isHidden = false
  for (const each of redirects) {
    if (each.type === 'HereDoc') from = giveInput(context, each, readHereDocument(context, each), from)
    else if (each.type === 'HereString') from = giveInput(context, each, readHereString(context, each), from)
    else if (each.target) {
      const target = expandJoined(context, each.target, runParsed)
      const { operator } = each
      if (operator === '<>' && !SOCKET.test(readWord(target) ?? '')) writePath(context, target, 'edit')
      if (operator === '<' || operator === '<>') from = openInput(context, each, target, from)
      else if (operator === '<&') from = openDescriptor(context, target) ?? from
      else {
        const found = openOutput(context, each, target)
        if (found === 'hidden') isHidden = true
        else if (found) outputs.push(found)
      }
    }
  }
  const output = run(context, from)
  for (const { target, how } of outputs) writeOutput(context, target, how, output)
  return outputs.length > 0 || isHidden ? EMPTY_CONTENT : output
}

/** Puts content behind the descriptor of a redirection; answers with what comes in by the first one. */
/** First descriptor that a shell takes for `{name}<file`. */
const FIRST_NAMED_DESCRIPTOR = 10

/** The number of a descriptor; a named one gets a number of its own, which its variable holds. */
function findDescriptor({ shell }: Context, descriptor: Redirection['descriptor']): number | null {
  if (!descriptor) return null
  if (descriptor.type === 'FileDescriptor') return descriptor.value
  const number = FIRST_NAMED_DESCRIPTOR + shell.descriptors.size
  shell.variables.set(descriptor.name, toKnownWord(String(number)))
  return number
}

function giveInput(context: Context, { descriptor }: Redirection, content: Content, before: Content): Content {
  const number = findDescriptor(context, descriptor) ?? 0
  if (number === 0) return content
  for (const folder of ['/dev/fd', '/proc/self/fd']) context.reading.files.set(`${folder}/${number}`, content)
  return before
}

function readHereDocument(context: Context, { body }: HereDoc): Content {
  if (!body.parts) return { ...EMPTY_CONTENT, text: body.text }
  const value = expandParts(context, body.parts, runParsed)
  const text = readWord(value)
  return { ...EMPTY_CONTENT, text: text ?? showValue(value), carries: value.carries }
}

function readHereString(context: Context, { target }: HereString): Content {
  if (!target) return EMPTY_CONTENT
  const value = expandJoined(context, target, runParsed)
  return { ...EMPTY_CONTENT, text: readWord(value), carries: value.carries }
}

const SOCKET = /^\/dev\/(?:tcp|udp)\/([^/]+)/

function openInput(context: Context, redirect: Redirect, target: Value, before: Content): Content {
  const { descriptor } = redirect
  const text = readWord(target)
  const host = text ? SOCKET.exec(text)?.[1] : undefined
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : 0
  if (host !== undefined && text !== null) {
    context.shell.descriptors.set(number, text)
    noteFlows(context, ['shell'], 'send', host)
    return { ...UNKNOWN_CONTENT, carries: new Set(['fetch'] as const) }
  }
  return giveInput(context, redirect, readPath(context, target), before)
}

function openDescriptor(context: Context, target: Value): Content | null {
  const text = readWord(target)
  const made = text ? context.reading.files.get(`/dev/fd/${text}`) : undefined
  if (made) return made
  const path = text && /^\d+$/.test(text) ? context.shell.descriptors.get(Number(text)) : undefined
  return path ? { ...UNKNOWN_CONTENT, carries: new Set(['fetch'] as const) } : null
}

function openOutput(
  context: Context,
  { operator, descriptor }: Redirect,
  target: Value,
): { target: Value; how: 'replace' | 'append' } | 'hidden' | null {
  const text = readWord(target)
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : 1
  if (operator === '>&' && text !== null && /^(?:\d+-?|-)$/.test(text)) {
    const behind = context.shell.descriptors.get(Number.parseInt(text, 10))
    return number === 1 && behind ? { target: toKnownWord(behind), how: 'append' } : null
  }
  const how = operator === '>>' || operator === '&>>' ? 'append' : 'replace'
  if (text !== null && (SOCKET.test(text) || number > 2)) context.shell.descriptors.set(number, text)
  if (number !== 1 && operator !== '&>' && operator !== '&>>') {
    if (text === null || !SOCKET.test(text)) writePath(context, target, how)
    return null
  }
  return text === '/dev/null' ? 'hidden' : { target, how }
}

function writeOutput(context: Context, target: Value, how: 'replace' | 'append', output: Content): void {
  const text = readWord(target)
  const host = text ? SOCKET.exec(text)?.[1] : undefined
  if (host === undefined) writePath(context, target, how, output)
  else sendTo(context, toKnownWord(host), output)
}

/** Runs a command that is given as words. */
export function runWords(context: Context, words: readonly Value[], input: Content): Content {
  spend(context)
  if (context.depth > MAX_DEPTH) {
    noteUnseen(context, 'too-deep', words.map(showValue).join(' ').slice(0, 80), 'run')
    return UNKNOWN_CONTENT
  }
  const [first, ...rest] = words
  if (!first) return input
  if (first.carries.size > 0) noteFlows(context, listRunnable(first.carries), 'run', showValue(first))
  const name = readWord(first)
  if (name === null) return runUnknown(context, first, rest)
  if (first.pieces.some(({ is }) => is === 'glob')) return runMatching(context, name, words, input)
  if (name === '') return rest.length > 0 && first.pieces.length === 0 ? EMPTY_CONTENT : runWords(context, rest, input)
  const alias = context.shell.aliases.get(name)
  if (alias !== undefined && !context.inside.includes(`alias ${name}`)) {
    const inner = { ...enterStep(context), inside: [...context.inside, `alias ${name}`] }
    return runScript(inner, [alias, ...rest.map(quote)].join(' '))
  }
  const body = context.shell.functions.get(name)
  if (body !== undefined) return runFunction(context, name, body, rest, input)
  const output = runProgram(context, name, words, input)
  // The last word of a command is `$_` for the next.
  context.shell.variables.set('_', words.at(-1) ?? first)
  return output
}

/** Runs all programs of the table that a pattern means, as `/bin/r?`; few of them, else it is unseen. */
function runMatching(context: Context, pattern: string, words: readonly Value[], input: Content): Content {
  const base = pattern.slice(pattern.lastIndexOf('/') + 1)
  const names = listProgramNames(compileGlob(base)).slice(0, MAX_MATCHES)
  noteUnseen(context, 'value', pattern, 'run')
  const inner = lowerCertainty(context, 'likely')
  for (const name of names) runProgram(inner, name, [toKnownWord(name), ...words.slice(1)], input)
  return UNKNOWN_CONTENT
}

function quote(value: Value): string {
  const text = readWord(value)
  if (text === null) return '"$UNKNOWN"'
  return value.pieces.some(({ is }) => is === 'glob') ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function runUnknown(context: Context, first: Value, rest: readonly Value[]): Content {
  noteUnseen(context, 'value', showValue(first), 'run')
  const filled = first.pieces.map((piece) => (piece.is === 'unknown' ? (piece.otherwise ?? '') : piece.text)).join('')
  const tail = filled.trim()
  const option = readWord(rest[0] ?? toKnownWord('')) ?? ''
  if (tail === '' && /^-(?:rf|fr|Rf|fR)$/.test(option))
    return runWords(lowerCertainty(context, 'possible'), [toKnownWord('rm'), ...rest], UNKNOWN_CONTENT)
  if (tail === '' && rest.length > 0) return runWords(lowerCertainty(context, 'possible'), rest, UNKNOWN_CONTENT)
  const name = tail.split(/\s+/)[0] ?? ''
  const isPath = /\//.test(name)
  const program = isPath ? name.slice(name.lastIndexOf('/') + 1) : name
  return program === ''
    ? UNKNOWN_CONTENT
    : runWords(lowerCertainty(context, 'likely'), [toKnownWord(program), ...rest], UNKNOWN_CONTENT)
}

function runFunction(context: Context, name: string, body: unknown, args: readonly Value[], input: Content): Content {
  if (context.inside.includes(body)) return UNKNOWN_CONTENT
  const { positional } = context.shell
  context.shell.positional = args
  // Functions are put into the map by defineFunction alone, which takes them from the tree.
  const output = runNode({ ...enterStep(context), inside: [...context.inside, body] }, body as Body, input)
  context.shell.positional = positional
  const bomb = context.reading.effects.find(
    (each) => each.does === 'change' && each.operation === 'fork-bomb' && each.target.startsWith(`${name} `),
  )
  if (bomb)
    note(context, {
      does: 'change',
      system: 'machine',
      operation: 'fork-bomb',
      target: bomb.does === 'change' ? bomb.target : '',
    })
  return output
}
