import { posix } from 'node:path'
import { noteUnseen, spend } from '../context.ts'
import { carry, join, mergeCarried, readWord, toKnownWord, toUnknownWord, type Value } from '../value.ts'
import { readEnvironment } from './actions.ts'
import {
  type Code,
  type FunctionBody,
  MAX_NESTING,
  mapText,
  mapToGlob,
  NOTHING,
  peek,
  skipLines,
  type Thing,
  take,
  takeElement,
  toNamed,
} from './code.ts'
import { DEFINES, findClosing, isMethodHead, readArrow, readDefinition } from './definitions.ts'
import { callFunction, callThing, isKnownFunction } from './functions.ts'
import { readImport } from './imports.ts'
import { callMethod } from './methods.ts'
import { formatText } from './texts.ts'
import { type Token, tokenize } from './tokens.ts'

/** Names that share out one list. */
const MAX_NAMES = 12

/** Reads all statements of the code from its beginning. */
export function readStatements(code: Code): readonly Thing[] {
  const things: Thing[] = []
  code.at = 0
  while (code.at < code.tokens.length) {
    const before = code.at
    things.push(readStatement(code))
    if (code.at === before) code.at += 1
  }
  return things
}

/** Binds functions before anything is read, since they may be called ahead of their place. */
export function bindFunctions(code: Code): void {
  const defines = DEFINES[code.language]
  if (!defines) return
  code.tokens.forEach(({ is, text }, at) => {
    if (is !== 'name') return
    const next = code.tokens[at + 1]
    if (text === 'class' && next?.is === 'name') {
      code.names.set(next.text, { ...NOTHING, body: { parameters: [], tokens: [], from: 0, end: 0 } })
      return
    }
    if (!defines.test(text) && !isMethodHead(code, at)) return
    const found = readDefinition(code, at)
    if (found?.name) code.names.set(found.name, { ...NOTHING, body: found.body })
    if (found) code.bodies.add(found.body)
  })
}

/** Calls of functions of the code that are looked at, one inside the other. */
const MAX_CALLS = 12

/** Reads the body of a function with what it is called with. */
export function callBody(code: Code, body: FunctionBody, args: readonly Thing[]): Thing {
  const isAgain = code.called.has(body) && code.nesting > 0 && code.names.get('\0body')?.body === body
  if (isAgain || code.nesting > MAX_NESTING - MAX_CALLS) return NOTHING
  spend(code.context, 1 + ((body.end - body.from + code.names.size) >> 4))
  code.called.add(body)
  const names = new Map(code.names)
  names.set('\0body', { ...NOTHING, body })
  const own = /^(?:self|cls)$/.test(body.parameters[0]?.name ?? '') ? body.parameters.slice(1) : body.parameters
  const options = args.find(({ fields }) => fields !== null)?.fields
  own.forEach(({ name, otherwise }, at) => {
    const given = options?.get(name) ?? args[at]
    const usual = otherwise.length > 0 ? readExpression({ ...code, tokens: otherwise, at: 0 }) : undefined
    names.set(name, given ?? usual ?? { ...NOTHING, value: toUnknownWord(name) })
  })
  const tokens = body.tokens.slice(body.from, body.end)
  const inner: Code = { ...code, tokens, names, nesting: code.nesting + MAX_NESTING / MAX_CALLS, at: 0 }
  bindLoops(inner)
  const things = readStatements(inner)
  return things.findLast((thing) => thing !== NOTHING) ?? NOTHING
}

/** Binds the names of loops before anything is read: a comprehension uses its name ahead of the loop. */
export function bindLoops(code: Code): void {
  for (let at = 0; at < code.tokens.length; at++) bindLoop(code, at)
}

/** Tokens of one statement that are looked through for loops. */
const MAX_LOOP_TOKENS = 200

/** Binds the names of the loops in the statement that comes next anew: what they go through may have got its name since. */
function bindNextLoops(code: Code): void {
  const start = code.at
  for (let at = start; at < code.tokens.length && at - start < MAX_LOOP_TOKENS; at++) {
    const token = code.tokens[at]
    if (token?.is === 'line' || token?.text === ';') break
    bindLoop(code, at)
  }
  code.at = start
}

/** Binds the name in front of the `in` or `of` of a loop at a place. */
function bindLoop(code: Code, at: number): void {
  const { tokens } = code
  const token = tokens[at]
  if (token?.is !== 'name' || (token.text !== 'in' && token.text !== 'of')) return
  const name = tokens[at - 1]
  if (name?.is !== 'name' || !isLoopHead(tokens, at)) return
  code.at = at + 1
  spend(code.context, 1 + (code.names.size >> 4))
  const quiet: Code = { ...code, context: code.context, names: new Map(code.names) }
  const list = readExpression(quiet)
  code.names.set(name.text, takeElement(list))
}

function isLoopHead(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(Math.max(0, at - 8), at).some(({ is, text }) => is === 'name' && text === 'for')
}

function readStatement(code: Code): Thing {
  spend(code.context)
  skipLines(code)
  const token = peek(code)
  if (!token) return NOTHING
  if (token.is === 'name' && (token.text === 'import' || token.text === 'from') && peek(code, 1)?.text !== '(')
    return readImport(code)
  if (code.language === 'python' || code.language === 'javascript') bindNextLoops(code)
  if (token.is === 'name' && /^(?:const|let|var|my|our|local)$/.test(token.text)) code.at += 1
  if (token.is === 'name' && /^(?:require|use)$/.test(token.text) && code.language !== 'javascript') {
    code.at += 1
    return NOTHING
  }
  if (token.is === 'name' && /^for(?:each)?$/.test(token.text) && readLoopHead(code)) return NOTHING
  if (code.language === 'perl') bindModifier(code)
  const start = peek(code)
  const next = peek(code, 1)
  if (start?.is === 'sign' && start.text === '{' && code.language === 'javascript') return readDestructuring(code)
  if (code.language === 'javascript' && next?.text === ':' && start?.is === 'name') skipType(code)
  if (bindSeveral(code)) return NOTHING
  if (start?.is === 'name' && peek(code, 1)?.is === 'sign' && /^\+?=$/.test(peek(code, 1)?.text ?? '')) {
    const isAdding = peek(code, 1)?.text === '+='
    code.at += 2
    const value = readExpression(code)
    const before = isAdding ? code.names.get(start.text) : undefined
    code.names.set(start.text, before ? { ...NOTHING, value: join([before.value, value.value]) } : value)
    return value
  }
  if (start?.is === 'name' && (DEFINES[code.language]?.test(start.text) || isMethodHead(code, code.at))) {
    const found = readDefinition(code, code.at)
    if (found?.name) {
      code.at = found.end
      return NOTHING
    }
  }
  if (start?.is === 'name' && KEYWORDS.has(start.text)) {
    code.at += 1
    return NOTHING
  }
  return readExpression(code)
}

/** Binds the name of `foreach (LIST as $name)` in PHP, of `for my $name (LIST)` in Perl; false where the loop is another. */
function readLoopHead(code: Code): boolean {
  const start = code.at
  if (code.language === 'php' && peek(code, 1)?.text === '(') {
    code.at += 2
    const list = readExpression(code)
    if (peek(code)?.text === 'as') {
      const end = code.tokens.findIndex(({ text }, at) => at > code.at && text === ')')
      const name = code.tokens.slice(code.at + 1, end).findLast(({ is }) => is === 'name')
      if (name) code.names.set(name.text, takeElement(list))
      if (end > 0) code.at = end + 1
      return true
    }
  }
  if (code.language === 'perl') {
    code.at += /^(?:my|our)$/.test(peek(code, 1)?.text ?? '') ? 2 : 1
    const variable = peek(code)?.text.startsWith('$') ? peek(code)?.text : undefined
    if (variable) code.at += 1
    if (take(code, '(')) {
      const [list = NOTHING, ...more] = readList(code, ')')
      code.names.set(variable ?? '$_', takeElement(more.length > 0 ? { ...NOTHING, items: [list, ...more] } : list))
      return true
    }
  }
  code.at = start
  return false
}

/** Binds `$_` of a Perl statement that ends with `for LIST`. */
function bindModifier(code: Code): void {
  const start = code.at
  const end = code.tokens.findIndex(({ text }, at) => at > start && /^(?:;|\{|\})$/.test(text))
  const at = code.tokens.findIndex(
    ({ is, text }, index) =>
      index > start && is === 'name' && /^for(?:each)?$/.test(text) && code.tokens[index - 1]?.text !== '}',
  )
  if (at < 0 || (end >= 0 && at > end)) return
  code.at = at + 1
  code.names.set('$_', takeElement(readExpression(code)))
  code.at = start
}

/** Steps over the type of a variable in TypeScript, `const x: string = …`; the name is put in front of the sign again. */
function skipType(code: Code): void {
  const name = code.at
  let at = name + 2
  while (at < code.tokens.length && /^(?:name|text)$/.test(code.tokens[at]?.is ?? '')) at += 1
  const token = code.tokens[name]
  if (code.tokens[at]?.text !== '=' || !token) return
  spend(code.context, 1 + (code.tokens.length >> 8))
  code.tokens = [...code.tokens.slice(0, at - 1), token, ...code.tokens.slice(at)]
  code.at = at - 1
}

/** Binds names that share out a list: `a, b = 1, 2`, `const [a, b] = list`. */
function bindSeveral(code: Code): boolean {
  const isList = peek(code)?.text === '['
  const names: string[] = []
  let at = code.at + (isList ? 1 : 0)
  while (code.tokens[at]?.is === 'name' && names.length < MAX_NAMES) {
    names.push(code.tokens[at]?.text ?? '')
    at += 1
    if (code.tokens[at]?.text !== ',') break
    at += 1
  }
  if (isList && code.tokens[at]?.text !== ']') return false
  if (isList) at += 1
  if (names.length < (isList ? 1 : 2) || code.tokens[at]?.text !== '=') return false
  code.at = at + 1
  const things = [readExpression(code)]
  while (!isList && take(code, ',')) things.push(readExpression(code))
  const [only] = things
  const shared = things.length === 1 && only?.items ? only.items : things
  names.forEach((name, place) => {
    code.names.set(name, shared[place] ?? { ...NOTHING, value: toUnknownWord(name) })
  })
  return true
}

const KEYWORDS = new Set(
  'if elif else while for do end try except finally with as return def function class async in of not and or is lambda yield raise throw catch then unless until begin rescue ensure pass break continue global nonlocal print_ assert_ del_ export default static public private foreach my our sub package echo'.split(
    ' ',
  ),
)

function readDestructuring(code: Code): Thing {
  const names: { readonly member: string; readonly name: string }[] = []
  const start = code.at
  code.at += 1
  while (code.at < code.tokens.length && peek(code)?.text !== '}' && names.length < 40) {
    const token = peek(code)
    const alias = peek(code, 1)?.text === ':' ? peek(code, 2) : undefined
    const isComputed = token?.text === '[' && peek(code, 1)?.is === 'text' && peek(code, 3)?.text === ':'
    const computed = isComputed ? peek(code, 4) : undefined
    if (computed) names.push({ member: peek(code, 1)?.text ?? '', name: computed.text })
    else if (token?.is === 'name')
      names.push({ member: token.text, name: alias?.is === 'name' ? alias.text : token.text })
    if (computed) code.at += 5
    else code.at += alias?.is === 'name' ? 3 : 1
  }
  code.at += 1
  if (!take(code, '=')) {
    code.at = start + 1
    return NOTHING
  }
  const source = readExpression(code)
  for (const { member, name } of names)
    code.names.set(name, source.name ? toNamed(`${source.name}.${member}`) : (source.fields?.get(member) ?? NOTHING))
  return source
}

function readExpression(code: Code): Thing {
  if (code.nesting > MAX_NESTING) {
    noteUnseen(code.context, 'too-deep', code.language, 'run')
    code.at = code.tokens.length
    return NOTHING
  }
  if (isLoneLiteral(code)) {
    if (code.at % LITERALS_A_STEP === 0) spend(code.context)
    return readPrimary(code)
  }
  code.nesting += 1
  let left = readOperand(code)
  for (;;) {
    const token = peek(code)
    if (token?.is !== 'sign') break
    const isConcat =
      token.text === '+' ||
      token.text === '..' ||
      (token.text === '.' && (code.language === 'perl' || code.language === 'php'))
    const isPath = token.text === '/' && code.language === 'python'
    if (!isConcat && !isPath && !/^(?:\?\?|\|\||&&|==|===|!=|!==|<|>|<=|>=|%|\*|-|\/|\?|:|=>)$/.test(token.text)) break
    if (token.text === ':' || token.text === '=>') break
    code.at += 1
    skipLines(code)
    const right = readOperand(code)
    if (isConcat)
      left = {
        ...NOTHING,
        value: join([left.value, right.value]),
        items: left.items && right.items ? [...left.items, ...right.items] : null,
      }
    else if (token.text === '%' && readWord(left.value) !== null)
      left = formatText(left, right.items ?? [right], /%(?:\(\w+\))?[-\d.]*[sdifrxXoeg]/)
    else if (isPath) left = { ...NOTHING, name: null, value: join([left.value, toKnownWord('/'), right.value]) }
    else if (token.text === '??' || token.text === '||')
      left =
        readWord(left.value) === null && left.name === null && !left.items
          ? {
              ...right,
              value: { pieces: right.value.pieces, carries: mergeCarried([left.value.carries, right.value.carries]) },
            }
          : left
    else
      left = {
        ...NOTHING,
        value: toUnknownWord('value', { carries: mergeCarried([left.value.carries, right.value.carries]) }),
      }
  }
  code.nesting -= 1
  return left
}

/** Literals of a list that are read in one step. */
const LITERALS_A_STEP = 8

/** True where a number or a text stands that is the whole of an expression, as in a list of data. */
function isLoneLiteral(code: Code): boolean {
  const token = peek(code)
  if (token?.is !== 'number' && (token?.is !== 'text' || token.parts !== undefined)) return false
  const next = peek(code, 1)
  return next?.is === 'sign' && /^[,\])}]$/.test(next.text)
}

function readOperand(code: Code): Thing {
  spend(code.context)
  skipLines(code)
  const token = peek(code)
  if (!token) return NOTHING
  if (token.is === 'name' && /^(?:await|new|not|typeof|void|return|yield|delete|in|async)$/.test(token.text)) {
    code.at += 1
    return readOperand(code)
  }
  if (isFunctionHead(code)) return readPostfix(code, readFunction(code))
  if (
    token.is === 'sign' &&
    (token.text === '!' ||
      token.text === '-' ||
      token.text === '...' ||
      token.text === '*' ||
      token.text === '\\' ||
      token.text === '&')
  ) {
    code.at += 1
    const isNegative = token.text === '-' && peek(code)?.is === 'number'
    const operand = readOperand(code)
    return isNegative ? { ...operand, value: join([toKnownWord('-'), operand.value]) } : operand
  }
  const first = readPrimary(code)
  return readPostfix(code, first)
}

/** True where a function without a name begins: `lambda x:`, `function (x) {`, `(x) =>`, `x =>`. */
function isFunctionHead(code: Code): boolean {
  const token = peek(code)
  if (code.language === 'python') return token?.is === 'name' && token.text === 'lambda'
  if (token?.is === 'name' && DEFINES[code.language]?.test(token.text) === true)
    return readDefinition(code, code.at) !== null
  if (code.language !== 'javascript') return false
  if (token?.is === 'name') return peek(code, 1)?.text === '=>'
  return token?.text === '(' && code.tokens[findClosing(code.tokens, code.at) + 1]?.text === '=>'
}

function readFunction(code: Code): Thing {
  const token = peek(code)
  const isDefined = token?.is === 'name' && DEFINES[code.language]?.test(token.text)
  const found = isDefined ? readDefinition(code, code.at) : readArrow(code)
  if (!found) return NOTHING
  code.at = found.end
  code.bodies.add(found.body)
  return { ...NOTHING, body: found.body }
}

function readPrimary(code: Code): Thing {
  const token = peek(code)
  if (!token) return NOTHING
  if (token.is === 'text') {
    code.at += 1
    return { ...NOTHING, value: readTemplate(code, token) }
  }
  if (token.is === 'number') {
    code.at += 1
    return { ...NOTHING, value: toKnownWord(token.text) }
  }
  if (token.is === 'name') {
    code.at += 1
    return findName(code, token.text)
  }
  if (token.text === ':' && code.language === 'ruby' && peek(code, 1)?.is === 'name') {
    const name = peek(code, 1)?.text ?? ''
    code.at += 2
    return { ...NOTHING, value: toKnownWord(name) }
  }
  if (token.text === '(') return readGroup(code)
  if (token.text === '[') {
    code.at += 1
    const items = readList(code, ']')
    return {
      value:
        items.length === 1
          ? (items[0]?.value ?? toKnownWord(''))
          : { pieces: toUnknownWord('list').pieces, carries: mergeCarried(items.map(({ value }) => value.carries)) },
      name: null,
      items,
      fields: null,
    }
  }
  if (token.text === '{') return readRecord(code)
  return NOTHING
}

function readGroup(code: Code): Thing {
  code.at += 1
  if (isFunctionHead(code)) {
    const thing = readFunction(code)
    skipLines(code)
    take(code, ')')
    return thing
  }
  const items = readList(code, ')')
  if (peek(code)?.text === '=>') return NOTHING
  const only = items.length === 1 ? items[0] : undefined
  return only ?? { ...NOTHING, items }
}

/** A template behind a tag that runs it: what is put into it is one word of the command each. */
function readTagged(code: Code, token: Token): Thing {
  code.at += 1
  return { ...NOTHING, value: readTemplate(code, token, { quoted: true }) }
}

function quoteHole(value: Value): Value {
  const text = readWord(value)
  const isPlain = text === null || /^[\w./:@%+=,~-]*$/.test(text)
  return isPlain ? value : toKnownWord(`'${text.replaceAll("'", "'\\''")}'`, value.carries)
}

function readTemplate(code: Code, token: Token, { quoted = false } = {}): Value {
  if (!token.parts) return toKnownWord(token.text)
  return join(
    token.parts.map((part) => {
      if (typeof part === 'string') return toKnownWord(part)
      const inner: Code = {
        ...code,
        tokens: tokenize(
          code.language === 'python' ? part.code.replace(/(?<=[\w)\]])(?::[^:'"]*|![rs])$/, '') : part.code,
          code.language,
        ),
        at: 0,
      }
      const { value } = readExpression(inner)
      return quoted ? quoteHole(value) : value
    }),
  )
}

function findName(code: Code, name: string): Thing {
  const bound = code.names.get(name)
  if (bound) return bound
  const star = code.stars.find((module) => isKnownFunction(`${module}.${name}`))
  if (star) return toNamed(`${star}.${name}`)
  const { world } = code.context.reading
  if (name === '__file__' || name === '__filename')
    return { ...NOTHING, value: toKnownWord(posix.join(world.folder, 'script')) }
  if (name === '__dirname' || name === '__dir__' || name === '__DIR__')
    return { ...NOTHING, value: toKnownWord(world.folder) }
  // A line or an element that a loop elsewhere puts there: `perl -n`, `while (<F>)`.
  if (name === '$_') return { ...NOTHING, value: toUnknownWord('_', { carries: carry('data') }) }
  if (/^\$\w/.test(name) && name !== '$ENV' && name !== '$_ENV' && name !== '$_SERVER')
    return { ...NOTHING, value: toUnknownWord(name.slice(1)) }
  return toNamed(name.replace(/^[$@%]/, '') || name)
}

function readRecord(code: Code): Thing {
  code.at += 1
  const fields = new Map<string, Thing>()
  const carries: Value['carries'][] = []
  while (code.at < code.tokens.length && !take(code, '}')) {
    skipLines(code)
    const key = peek(code)
    const next = peek(code, 1)
    if (key && next && (next.text === ':' || next.text === '=>') && (key.is === 'name' || key.is === 'text')) {
      code.at += 2
      const value = readExpression(code)
      fields.set(key.text, value)
      carries.push(value.value.carries)
    } else if (isLoneLiteral(code)) readExpression(code)
    else {
      const before = code.at
      const statement = readStatement(code)
      if (key?.is === 'name') fields.set(key.text, statement)
      carries.push(statement.value.carries)
      if (code.at === before) code.at += 1
    }
    take(code, ',')
    take(code, ';')
  }
  return { ...NOTHING, value: toUnknownWord('record', { carries: mergeCarried(carries) }), fields }
}

function readList(code: Code, end: string): Thing[] {
  const items: Thing[] = []
  const fields = new Map<string, Thing>()
  while (code.at < code.tokens.length) {
    skipLines(code)
    if (take(code, end)) break
    const before = code.at
    const key = peek(code)
    const isNamed =
      key?.is === 'name' &&
      ((peek(code, 1)?.text === '=' && peek(code, 2)?.text !== '=') ||
        (peek(code, 1)?.text === ':' && code.language === 'ruby'))
    if (isNamed && key) {
      code.at += 2
      fields.set(key.text, readExpression(code))
    } else items.push(readArgument(code))
    skipLines(code)
    if (!take(code, ',') && !take(code, ';') && peek(code)?.text !== end) {
      readStatement(code)
    }
    if (code.at === before) code.at += 1
  }
  if (fields.size > 0)
    items.push({
      ...NOTHING,
      fields,
      value: toUnknownWord('options', {
        carries: mergeCarried([...fields.values()].map(({ value }) => value.carries)),
      }),
    })
  return items
}

/** An argument; the parameter of a function that is handed over is an element of what it is called on. */
function readArgument(code: Code): Thing {
  const token = peek(code)
  const isArrow = token?.is === 'name' && peek(code, 1)?.text === '=>'
  const isGroup =
    token?.text === '(' && peek(code, 1)?.is === 'name' && peek(code, 2)?.text === ')' && peek(code, 3)?.text === '=>'
  const isEmpty = token?.text === '(' && peek(code, 1)?.text === ')' && peek(code, 2)?.text === '=>'
  if (!isArrow && !isGroup && !isEmpty) {
    const thing = readExpression(code)
    // A callee calls the functions that it is handed.
    if (thing.body && !code.called.has(thing.body))
      callBody(code, thing.body, [takeElement(code.names.get('\0receiver') ?? NOTHING)])
    return thing
  }
  const parameter = isGroup ? peek(code, 1) : token
  const name = isEmpty ? undefined : parameter?.text
  const [arrowLength, groupLength, emptyLength] = [2, 4, 3]
  if (isArrow) code.at += arrowLength
  else code.at += isGroup ? groupLength : emptyLength
  if (name) code.names.set(name, takeElement(code.names.get('\0receiver') ?? NOTHING))
  return peek(code)?.text === '{' ? readRecord(code) : readExpression(code)
}

function readPostfix(code: Code, start: Thing): Thing {
  let thing = start
  for (;;) {
    const token = peek(code)
    if (token?.is === 'line') {
      const next = code.tokens.slice(code.at).find(({ is }) => is !== 'line')
      if (next?.text !== '.') return thing
      skipLines(code)
      continue
    }
    if (code.language === 'ruby' && bindBlock(code, thing)) continue
    const isDot =
      token?.is === 'sign' &&
      (token.text === '.' ||
        token.text === '->' ||
        token.text === '::' ||
        (token.text === '?' && peek(code, 1)?.text === '.'))
    if (
      token &&
      isDot &&
      (code.language !== 'php' || token.text !== '.') &&
      (code.language !== 'perl' || token.text !== '.')
    ) {
      if (token.text === '?' && peek(code, 2)?.text === '(') {
        code.at += 2
        continue
      }
      code.at += token.text === '?' ? 2 : 1
      const member = peek(code)
      if (member?.is !== 'name') return thing
      code.at += 1
      const isCall = peek(code)?.text === '('
      const isBareCall = !isCall && code.language === 'ruby'
      thing =
        isCall || isBareCall ? callMember(code, thing, member.text, isBareCall) : readMember(code, thing, member.text)
      continue
    }
    if (token?.text === '?' && peek(code, 1)?.text === '.' && peek(code, 2)?.text === '(') code.at += 2
    if (peek(code)?.is === 'sign' && peek(code)?.text === '(' && isCallable(code, thing, start)) {
      code.at += 1
      const args = readList(code, ')')
      thing = callThing(code, thing, args)
      continue
    }
    if (token?.is === 'sign' && (token.text === '[' || (token.text === '{' && thing.name === 'ENV'))) {
      code.at += 1
      const [index] = readList(code, token.text === '[' ? ']' : '}')
      thing = readIndex(code, thing, index ?? NOTHING)
      continue
    }
    if (token?.is === 'text' && thing.name !== null && (thing === start || thing.name.endsWith('.$'))) {
      const isTagged = code.language === 'javascript'
      const isCommand =
        code.language === 'ruby' ||
        code.language === 'perl' ||
        code.language === 'php' ||
        code.language === 'lua' ||
        isTagged
      if (!isCommand) return thing
      const args = isTagged ? [readTagged(code, token)] : readBareArguments(code)
      thing = callFunction(
        code,
        isTagged && /^(?:\$|sh|execa\.\$|[bB]un\.\$|zx\.\$|shelljs\.exec)$/.test(thing.name)
          ? 'child_process.exec'
          : thing.name,
        args,
      )
      continue
    }
    if (
      code.language === 'perl' &&
      thing === start &&
      thing.name !== null &&
      /^(?:unlink|rmdir|rmtree|remove_tree|system|exec|open|rename|eval|glob)$/.test(thing.name) &&
      token?.text !== ')'
    ) {
      const isOfDefault = !token || /^(?:;|\}|for|foreach|if|unless)$/.test(token.text)
      thing = callFunction(code, thing.name, isOfDefault ? [findName(code, '$_')] : readBareArguments(code))
      continue
    }
    if (
      code.language === 'ruby' &&
      thing === start &&
      thing.name !== null &&
      /^(?:system|exec|eval|spawn|puts|print|p)$/.test(thing.name) &&
      token &&
      (token.is === 'name' || token.is === 'text')
    ) {
      thing = callFunction(code, thing.name, readBareArguments(code))
      continue
    }
    return thing
  }
}

/** True for what a bracket behind it calls: a name, a function of the code, a value in brackets or of a list. */
function isCallable(code: Code, thing: Thing, start: Thing): boolean {
  return thing.name !== null || thing.body !== undefined || thing === start || code.language === 'javascript'
}

/** Binds the parameter of a Ruby block to an element of what it is called on, and steps over its head. */
function bindBlock(code: Code, thing: Thing): boolean {
  const token = peek(code)
  const isOpen = token?.text === '{' || token?.text === 'do'
  const name = peek(code, 2)
  if (!isOpen || peek(code, 1)?.text !== '|' || name?.is !== 'name' || peek(code, 3)?.text !== '|') return false
  code.names.set(name.text, takeElement(thing))
  code.at += 4
  readStatement(code)
  return false
}

function readBareArguments(code: Code): Thing[] {
  const args: Thing[] = []
  do {
    if (peek(code)?.is === 'line' || peek(code)?.text === ';') break
    args.push(readExpression(code))
  } while (take(code, ',') && args.length < 20)
  return args
}

function readIndex(code: Code, thing: Thing, index: Thing): Thing {
  const key = readWord(index.value) ?? index.name
  if (thing.name && /^(?:os\.environ|process\.env|ENV|_ENV|_SERVER|environ)$/.test(thing.name))
    return readEnvironment(code, key)
  if (thing.name === 'Dir' && key !== null) return { ...NOTHING, value: mapToGlob(index.value) }
  if (thing.name !== null && key !== null && /^[a-z_]\w*$/i.test(key)) return toNamed(`${thing.name}.${key}`)
  const field = key === null ? undefined : thing.fields?.get(key)
  if (field) return field
  if (thing.items && key !== null && /^\d+$/.test(key)) return thing.items[Number(key)] ?? NOTHING
  return { ...NOTHING, value: toUnknownWord('item', { carries: thing.value.carries }) }
}

function readMember(code: Code, thing: Thing, member: string): Thing {
  if (thing.name && /^(?:process\.env|import\.meta\.env)$/.test(thing.name)) return readEnvironment(code, member)
  const field = thing.fields?.get(member)
  if (field) return field
  if (thing.name !== null) return toNamed(`${thing.name}.${member}`)
  if (member === 'parent') return { ...NOTHING, value: mapText(thing.value, (text) => posix.dirname(text)) }
  return {
    ...NOTHING,
    value: thing.value.carries.size > 0 ? toUnknownWord(member, { carries: thing.value.carries }) : thing.value,
  }
}

function callMember(code: Code, thing: Thing, member: string, isBare: boolean): Thing {
  code.names.set('\0receiver', thing)
  let args: Thing[] = []
  if (!isBare) {
    code.at += 1
    args = readList(code, ')')
  } else if (peek(code)?.is === 'text' || hasBareName(code, thing, member)) args = readBareArguments(code)
  const field = thing.fields?.get(member)
  if (field?.body || field?.name) return callThing(code, field, args)
  if (thing.body && /^(?:call|apply|bind)$/.test(member)) return callBody(code, thing.body, args.slice(1))
  const own = thing.name === null || !/^[a-z]/.test(thing.name) ? code.names.get(member)?.body : undefined
  if (own) return callBody(code, own, args)
  if (thing.name !== null) return callFunction(code, `${thing.name}.${member}`, args)
  return callMethod(code, thing, member, args)
}

/** True for a call of Ruby without parentheses whose first argument is a name. */
function hasBareName(code: Code, thing: Thing, member: string): boolean {
  const next = peek(code)
  if (thing.name === null || !next || (next.is !== 'name' && next.text !== '[')) return false
  return !KEYWORDS.has(next.text) && isKnownFunction(`${thing.name}.${member}`)
}
