import { posix } from 'node:path'
import { type Context, lowerCertainty, resolveOne, writePath } from './context.ts'
import { readCallWords } from './readers/call.ts'
import {
  carry,
  dropStart,
  join,
  readKnownStart,
  readWord,
  toKnownWord,
  toPatternWord,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'

/** Words by which programs copy files, wherever these lie: the last operand says where to. */
const COPYING = /^(?:cp|copy|copyto|sync|mirror|mv|move|rsync)$/i

/** Words by which programs bring a file here: into the folder of the call where nothing says where to. */
const BRINGING =
  /^-{0,2}(?:get|pull|recv|receive|fetch|export|clone|checkout|co|restore|unpack|download(?:[-_:]\w+)?|(?:file|object|blob)[-_]?(?:get|download))$/i

/** Words by which programs fill a folder with what is elsewhere. */
const FILLING = /^(?:clone|export|checkout|co|sync|mirror|rsync|-[aA]?[rR]|--recursive)$/

/** Options whose value is where a file is put. */
const GOAL_OPTION =
  /^(?:-[oOdDCf]|--?(?:out\w*|output[\w-]*|(?:local-)?dir(?:ectory)?|dest[\w-]*|target[\w-]*|file|folder|to|path|prefix))$/

/** Options whose value is the name of a file that is brought. */
const NAME_OPTION = /^(?:-[np]|--(?:name|pattern|include|key|object|file-?name))$/

/** Places in which a file works by its name alone. */
const WORKS_BY_NAME = /^(?:startup|agent|system|neighbour)$/

/** The path that a copy from elsewhere writes: a file of that name where the goal is a folder. */
export function nameInto(context: Context, source: Value, goal: Value): Value {
  const path = resolveOne(context, goal)?.text ?? ''
  const name = posix.basename(readKnownStart(source).replace(/^[^:]*:/, ''))
  const isFolder =
    context.reading.world.findKind(path) === 'folder' ||
    context.reading.world.temp.includes(path) ||
    /\/$/.test(readWord(goal) ?? '')
  return isFolder && name !== '' && name !== '.' ? join([goal, toKnownWord(`/${name}`)]) : goal
}

/**
 * Notes files that a program brings from elsewhere, under the names that they get here, where these run by themselves, are settings of
 * an agent, or belong to another.
 */
export function noteBroughtFiles(context: Context, words: readonly Value[], since: number): void {
  const texts = readCallWords(words)
  const verb = texts.slice(0, 5).findIndex((text) => COPYING.test(text) || BRINGING.test(text))
  if (verb === -1) return
  const { operands, names, goal: named } = takeApart(words, texts, verb)
  const isCopying = COPYING.test(texts[verb] ?? '')
  const hasGoal = named === undefined && names.length === 0 && operands.length > 1
  const goal = hasGoal ? operands.at(-1) : (named ?? toKnownWord('.'))
  if (!goal || isElsewhere(goal) || (isCopying && !hasGoal && !named)) return
  const sources = [...names, ...(hasGoal ? operands.slice(0, -1) : operands)]
  const isSure = isCopying && sources.some((each) => isElsewhere(each))
  const inner = isSure ? context : lowerCertainty(context, 'likely')
  const content = { ...UNKNOWN_CONTENT, carries: carry('remote') }
  const isFilling = texts.some((text) => FILLING.test(text))
  if (isFilling && resolveOne(context, goal)?.text === context.reading.world.home)
    writePath(inner, toPatternWord(posix.join(context.reading.world.home, '*')), 'edit')
  for (const file of isFilling ? [goal] : sources.map((each) => nameInto(context, each, goal))) {
    const path = resolveOne(context, file)
    if (path && WORKS_BY_NAME.test(path.place) && !isWritten(context, path.text, since))
      writePath(inner, file, 'replace', content)
  }
}

function isWritten({ reading }: Context, path: string, since: number): boolean {
  return reading.effects.slice(since).some((effect) => effect.does === 'write' && effect.path.text === path)
}

/** The words behind a verb: what is brought, and where an option says that it goes. */
function takeApart(
  words: readonly Value[],
  texts: readonly string[],
  verb: number,
): { operands: readonly Value[]; names: readonly Value[]; goal: Value | undefined } {
  const operands: Value[] = []
  const names: Value[] = []
  let goal: Value | undefined
  for (let at = verb + 1; at < words.length; at++) {
    const word = words[at]
    const text = texts[at] ?? ''
    if (!word || text === '') continue
    if (!text.startsWith('-')) {
      operands.push(word)
      continue
    }
    const equals = text.indexOf('=')
    const option = equals === -1 ? text : text.slice(0, equals)
    const value = equals === -1 ? words[at + 1] : dropStart(word, equals + 1)
    if (!value || !(GOAL_OPTION.test(option) || NAME_OPTION.test(option))) continue
    if (GOAL_OPTION.test(option)) goal = value
    else names.push(value)
    if (equals === -1) at += 1
  }
  return { operands, names, goal }
}

/** True for a place of another machine: an address, a bucket, `host:path`. */
function isElsewhere(word: Value): boolean {
  const start = readKnownStart(word)
  return /^[a-z][\w+-]*:\/\/(?!localhost|127\.|\/)/i.test(start) || /^[\w@.-]{2,}:(?!\\)/.test(start)
}
