import { noteHarm, readAside } from './aside.ts'
import { noteBroughtFiles } from './brought-files.ts'
import { runByShape } from './code-shape.ts'
import {
  type Context,
  deletePath,
  lowerCertainty,
  noteChange,
  noteUnseen,
  readPath,
  resolveOne,
  writePath,
} from './context.ts'
import { MAX_HANDED_WORDS, noteHandedPrograms, runWordCommands } from './handed-commands.ts'
import { isLookedFor, noteNamedPlaces } from './named-places.ts'
import { isCache, isDisk } from './places.ts'
import { readCallWords } from './readers/call.ts'
import { noteInstalled, noteNixSources, noteSources, noteUpload, runMadeFile } from './unread-words.ts'
import {
  type Content,
  carry,
  dropStart,
  EMPTY_CONTENT,
  mergeCarried,
  readWord,
  toKnownWord,
  toPatternWord,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'
import { isDestroying, isDryWords } from './verbs.ts'
import type { Path } from './view.ts'

/** Words, and parts of names of programs, by which files are removed. */
const DELETING =
  /^-{0,2}(?:[a-z]+[-_])?(?:delete\w*|remove\w*|rm|rmdir|rmtree|purge\w*|wipe\w*|clean(?:up|er|all)?|erase\w*|shred\w*|destroy\w*|forget|prune|empty|overwrite|truncate|clear|dedup\w*|trash|reap(?:er)?|flush|discard|uninstall|nuke|obliterate|zap|unlink|expire|vacuum|evict|clobber|force|yes|batch|no-?confirm|assume-yes|no-?prompt)(?:[-_](?:all|files?|source|original|after|empty|duplicates|dirs?|folders?))?$/i

/** Words, and parts of names of programs, by which files get another name, place or content. */
const CHANGING =
  /^-{0,2}(?:rename\w*|move|mv|sync|mirror|restore|install|import|replace|edit|modify|patch|inplace|in-place|write\w*|save|append|output\w*|out(?:file)?|dest(?:ination)?|target|link|symlink|encrypt\w*|fix|format|migrate|convert|chmod|chown|swap|set|put|add|del|update|merge|apply|insert|enable|disable|toggle|-?o|-?i|-?w)$/i

/** Words by which programs unpack or put back what they were given before. */
const UNPACKING = /^-{0,2}(?:x[a-z]*|extract\w*|unpack\w*|restore\w*|unarchive|decompress|inflate|apply|deploy)$/i

/** Options and words whose value is code of the program's own language. */
const CODE_OPTION =
  /^-{0,2}(?:e|c|E|x|r|ex|g|eval\w*|exec\w*|expr\w*|code|script|run|cmd|command|batch|do|query|print)$/

/** Text that has the shape of code or of a command of some language. */
const CODE_SHAPE = /[\s([{<"'`!|]/

/** Notes what a program that is not in the table may do, by what its words look like: guesses, and no effects. */
export function runUnknownProgram(context: Context, name: string, args: readonly Value[], input: Content): Content {
  const { effects, guesses } = context.reading
  const since = effects.length
  const output = guessEffects(context, name, args, input)
  for (const effect of effects.splice(since)) (effect.does === 'run' ? effects : guesses).push(effect)
  return output
}

function guessEffects(context: Context, name: string, args: readonly Value[], input: Content): Content {
  const texts = readCallWords(args)
  const isAsking = texts.length > 0 && texts.every((text) => /^(?:--version|--help|-V|-h|help|version)$/.test(text))
  if (isAsking) return { ...UNKNOWN_CONTENT, carries: input.carries }
  noteUnseen(context, 'program', name)
  const isDry = isDryWords(texts)
  noteSources(context, texts)
  noteNixSources(context, name, texts)
  noteInstalled(context, name, texts, false)
  if (!isDry && isDestroying(texts)) noteChange(context, 'cloud', 'delete', [name, ...texts].join(' '), 'likely')
  if (
    !isDry &&
    /^(?:publish|unpublish|yank|deploy|gh-deploy|upload|push|submit|full-release)$/.test(
      texts.find((text) => !text.startsWith('-')) ?? '',
    )
  )
    noteChange(context, 'registry', 'publish', [name, ...texts].join(' '), 'likely')
  if (
    !isDry &&
    (/(?:^|[-_])publish(?:[-_]|$)/.test(name) || texts.some((text) => /[:#](?:publish|release)$/.test(text)))
  )
    noteChange(context, 'registry', 'publish', [name, ...texts].join(' '), 'likely')
  if (texts.some((text) => /^--(?:yolo|dangerously-[\w-]+)$/.test(text)))
    noteChange(context, 'agent', 'without-permissions', [name, ...texts].join(' '), 'likely')
  if (!isDry && /(?:^|[-_])(?:uninstall(?:er)?|nuke|killall)(?:\.sh)?$|^mem(?:flush|cflush|rm|crm)$/.test(name))
    noteChange(context, 'machine', 'uninstall', [name, ...texts].join(' '), 'likely')
  runWordCommands(context, name, args)
  noteHandedPrograms(context, name, args)
  if (!isDry) noteChangedPaths(context, name, args)
  noteUpload(context, name, args.slice(0, MAX_HANDED_WORDS))
  if (!isDry) noteBroughtFiles(context, args.slice(0, MAX_HANDED_WORDS), context.reading.effects.length)
  if (!isDry && !LOOKS.test(name) && !texts.some((text) => LOOKS_AT.test(text))) noteDevices(context, args)
  noteWrittenPaths(context, name, args)
  runCodeWords(context, name, args, input)
  return {
    ...UNKNOWN_CONTENT,
    carries: mergeCarried([input.carries, ...readSecrets(context, args), markFetched(context, args)]),
  }
}

/** Marks the files that stand beside an address: what they hold may be what was fetched. */
function markFetched(context: Context, args: readonly Value[]): Content['carries'] {
  const isFetching = readCallWords(args).some((text) => /^(?:https?|ftps?|s3|gs):\/\//.test(text))
  if (!isFetching) return new Set()
  for (const word of args.slice(0, MAX_HANDED_WORDS)) {
    const text = readWord(word) ?? ''
    const path = /^(?:-|[a-z]+:)/.test(text) || text === '' ? null : resolveOne(context, word)
    if (path && !path.exists) context.reading.files.set(path.text, { ...UNKNOWN_CONTENT, carries: carry('fetch') })
  }
  return carry('fetch')
}

/** Parts of the name of a program: `tmp-reaper` is a reaper. */
function isNamed(name: string, pattern: RegExp): boolean {
  return [name, ...name.split(/[-_.]/)].some((part) => pattern.test(part))
}

/** Notes paths outside of the project that stand beside a word that deletes or changes. */
function noteChangedPaths(context: Context, name: string, args: readonly Value[]): void {
  const texts = readCallWords(args)
  const deletes = isNamed(name, DELETING) || texts.some((text) => DELETING.test(cutValue(text)))
  const changes = isNamed(name, CHANGING) || texts.some((text) => CHANGING.test(cutValue(text)))
  const unpacks = texts.some((text) => UNPACKING.test(text))
  if (!deletes && !changes && !unpacks) return
  const likely = lowerCertainty(context, 'likely')
  for (const [at, word] of args.slice(0, MAX_HANDED_WORDS).entries()) {
    const value = takePath(word)
    const path = value ? resolveOne(context, value) : null
    if (!value || !path || !isBeside(path) || isCache(context.reading.world, path.text) || isSwitch(path)) continue
    if (unpacks && (path.text === '/' || path.text === context.reading.world.home))
      writePath(likely, toPatternWord(`${path.text}/*`), 'edit')
    else if (deletes) deletePath(likely, value, 'tree')
    // A place that is read on the way is none that is changed: only the one behind such an option, or the last.
    else if (CHANGING.test(texts[at - 1] ?? '') || at === args.length - 1) writePath(likely, value, 'replace')
  }
}

/** Words by which programs only look at what they are given. */
const LOOKS_AT =
  /^-{0,2}(?:list|ls|info|show|status|check|stat|read|get|print|query|verify|test|identify|scan|dump|l|r)$/i

/** Notes devices among the words: a program that is not known may write them. */
function noteDevices(context: Context, args: readonly Value[]): void {
  const likely = lowerCertainty(context, 'likely')
  for (const word of args.slice(0, MAX_HANDED_WORDS)) {
    const value = takePath(word)
    const path = value ? resolveOne(context, value) : null
    if (value && path?.place === 'device' && isDisk(path.text)) writePath(likely, value, 'replace')
  }
}

/** Names of programs that only look at what they are given. */
const LOOKS =
  /(?:view|show|list|lint|check|diff|cat|less|more|grep|find|stat|info|count|wc|hash|sum|test|parse|read|peek|tree|doc|spell|scan|cloc|highlight|render|print|search)/i

/** Notes that settings which run by themselves are handed to a program that may write them. */
function noteWrittenPaths(context: Context, name: string, args: readonly Value[]): void {
  if (LOOKS.test(name)) return
  const likely = lowerCertainty(context, 'likely')
  for (const word of args.slice(0, MAX_HANDED_WORDS)) {
    const value = takePath(word)
    const path = value ? resolveOne(context, value) : null
    if (value && path && /^(?:startup|agent)$/.test(path.place)) writePath(likely, value, 'edit')
  }
}

/** True for an option of Windows: `/quiet`, `/out:a`. */
function isSwitch({ text, exists }: Path): boolean {
  return !exists && /^\/[^/]+$/.test(text)
}

/** An option without its value. */
function cutValue(text: string): string {
  return text.startsWith('-') ? (text.split('=', 1)[0] ?? text) : text
}

/** The part of a word that may be a path: an operand, or the value of an option. */
function takePath(word: Value): Value | null {
  const text = readWord(word)
  if (text === null || text === '') return null
  const value = /^--?[\w-]+=./.test(text) ? dropStart(word, text.indexOf('=') + 1) : word
  const path = (readWord(value) ?? '').replace(/^(?:file:\/\/|[a-z]+=|@)(?=\/|~)/, '')
  return /^(?:~|\/|\.\.(?:\/|$))/.test(path) && !/\s/.test(path) ? toKnownWord(path) : null
}

/** True for places that are none of the work in the project. */
function isBeside({ place }: Path): boolean {
  return /^(?:home|neighbour|system|secret|startup|agent|device)$/.test(place)
}

/** Reads the code that a program of an unknown language is given: behind an option, by its input, in a file of the call. */
function runCodeWords(context: Context, name: string, args: readonly Value[], input: Content): void {
  const texts = readCallWords(args).slice(0, MAX_HANDED_WORDS)
  const codes = texts.filter((text, at) => {
    const attached = /^-{1,2}[\w-]+[=:](.*)$/s.exec(text)?.[1]
    return (
      CODE_SHAPE.test(attached ?? text) &&
      (CODE_OPTION.test(texts[at - 1] ?? '') ||
        (attached !== undefined && CODE_OPTION.test(text.split(/[=:]/, 1)[0] ?? '')))
    )
  })
  if (input !== EMPTY_CONTENT && input.text) codes.push(input.text)
  for (const code of codes) {
    const found = readAside(context, (inner) => runByShape(inner, name, code))
    noteHarm(context, found)
    noteNamedPlaces(context, code)
  }
  for (const text of texts) if (!codes.includes(text) && /[\s({:]/.test(text)) noteNamedPlaces(context, text)
  for (const word of args.slice(0, MAX_HANDED_WORDS)) runMadeFile(context, name, word)
}

/** Secrets among the words: a program that is not known may read what it is given. */
function readSecrets(context: Context, args: readonly Value[]): Content['carries'][] {
  const likely = lowerCertainty(context, 'likely')
  return args.map((word) => {
    const text = readWord(word)
    if (text === null || text === '') return word.carries
    const value = /^--?[\w-]+=./.test(text) ? dropStart(word, text.indexOf('=') + 1) : word
    const isOption = /^[-@]/.test(text) && value === word
    const path = isOption && !text.startsWith('@') ? null : resolveOne(context, dropSign(value))
    return path?.place === 'secret' && isLookedFor(context, path) && !/(?:^|\/)[*.]+$/.test(text)
      ? readPath(likely, dropSign(value)).carries
      : word.carries
  })
}

/** A word without the sign that says that it names a file: `@file`. */
function dropSign(value: Value): Value {
  return readWord(value)?.startsWith('@') ? dropStart(value, 1) : value
}
