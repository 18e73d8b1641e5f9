import { basename } from 'node:path'
import { type ShellCommand, takeApart, type Word } from './shell-commands.ts'

/** A command that a script may come to run. */
export interface ReachedCommand {
  readonly words: readonly Word[]
  /** False: these words may as well be arguments. */
  readonly certain: boolean
}

/** What a script may come to run, also by way of other commands. */
export interface Reached {
  readonly commands: readonly ReachedCommand[]
  /** Something is run that the text does not show. */
  readonly more: boolean
}

interface Wrapper {
  /** Options that take the next word with them. */
  readonly valued?: readonly string[]
  /** Words before the command, as the duration of `timeout`. */
  readonly operands?: number
}

/** Commands that run the command in their arguments. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: ['-u', '-g', '-h', '-p', '-C', '-T', '-r', '-t', '-D', '-R', '-U', '--user', '--group', '--chdir'] },
  doas: { valued: ['-u', '-C'] },
  env: { valued: ['-u', '-C', '--unset', '--chdir'] },
  timeout: { valued: ['-s', '-k', '--signal', '--kill-after'], operands: 1 },
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { valued: ['-c', '-n', '--class', '--classdata'] },
  chrt: { operands: 1 },
  taskset: { operands: 1 },
  stdbuf: { valued: ['-i', '-o', '-e'] },
  xargs: { valued: ['-I', '-n', '-P', '-d', '-E', '-L', '-s', '-a', '--max-args', '--max-procs', '--delimiter'] },
  exec: { valued: ['-a'] },
  time: { valued: ['-f', '-o'] },
  watch: { valued: ['-n', '--interval'] },
  strace: { valued: ['-o', '-e', '-s', '-p', '-u'] },
  flock: { valued: ['-w', '-E'], operands: 1 },
  chroot: { operands: 1 },
  nohup: {},
  setsid: {},
  command: {},
  builtin: {},
  busybox: {},
  toybox: {},
  parallel: {},
  script: {},
  unbuffer: {},
}

/** Commands that read and run scripts. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'su'])
/** Wrappers that add what they read to the command. */
const TAKES_INPUT = new Set(['xargs', 'parallel'])
const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** Scripts in scripts are followed this far. */
const DEEPEST = 6

/** Arguments beyond these are not looked into. */
const MOST_ARGUMENTS = 200

/** Every command that a script may come to run, as far as its text tells. */
export function reachedCommands(script: string, depth = 0): Reached {
  if (depth > DEEPEST) return { commands: [], more: true }
  const { commands, whole } = takeApart(script)
  const found = commands.map((command) => reachedFrom(command, depth))
  return together([{ commands: [], more: !whole }, ...found])
}

function reachedFrom({ assignments, words }: ShellCommand, depth: number): Reached {
  const withAssignments: Reached =
    assignments.length === 0 || words.length === 0 ? NOTHING : certainly([...assignments, ...words])
  return together([withAssignments, follow(words, depth)])
}

/** A command by itself, by its name without the folder, and what it runs in turn. */
function follow(words: readonly Word[], depth: number): Reached {
  const [name, ...rest] = words
  if (!name) return NOTHING
  if (depth > DEEPEST) return { commands: [], more: true }
  const plainName = { ...name, value: basename(name.value) }
  const bare = [plainName, ...rest]
  const self = plainName.value === name.value ? [certainly(words)] : [certainly(words), certainly(bare)]
  return together([...self, inner(plainName.value, rest, depth + 1)])
}

function inner(name: string, rest: readonly Word[], depth: number): Reached {
  if (rest.length > MOST_ARGUMENTS) return together([inner(name, rest.slice(0, MOST_ARGUMENTS), depth), UNSEEN])
  if (SHELLS.has(name)) return insideShell(rest, depth)
  if (name === 'eval') return insideScript({ value: valuesOf(rest), literal: rest.every(isLiteral) }, depth)
  if (name === 'trap')
    return insideScript(
      rest.find((word) => !isOption(word)),
      depth,
    )
  if (name === 'find') return together(rest.map((word, at) => insideFind(word, rest.slice(at + 1), depth)))
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined
  return wrapper ? insideWrapper(name, { ...wrapper, rest, depth }) : NOTHING
}

/** `-c` takes a script; with a file it runs that file, and with neither whatever comes in. */
function insideShell(rest: readonly Word[], depth: number): Reached {
  const flag = rest.findIndex(({ value }) => /^-[A-Za-z]*c$/.test(value) || value === '--command')
  if (flag >= 0)
    return insideScript(
      rest.slice(flag + 1).find((word) => !isOption(word)),
      depth,
    )
  const readsInput = rest.every(isOption) || rest.some(({ value }) => /^-[a-z]*s/.test(value))
  return readsInput || !rest.every(isLiteral) ? UNSEEN : NOTHING
}

function insideScript(script: Word | undefined, depth: number): Reached {
  if (!script) return NOTHING
  return script.literal
    ? reachedCommands(script.value, depth)
    : together([reachedCommands(script.value, depth), UNSEEN])
}

function insideFind({ value }: Word, rest: readonly Word[], depth: number): Reached {
  if (!FIND_RUNS.has(value)) return NOTHING
  const end = rest.findIndex((word) => word.value === ';' || word.value === '+')
  return end < 0 ? UNSEEN : follow(rest.slice(0, end), depth)
}

/** The command behind the options is certain; whatever follows may be one too, or a script in one word. */
function insideWrapper(
  name: string,
  { valued = [], operands = 0, rest, depth }: Wrapper & { readonly rest: readonly Word[]; readonly depth: number },
): Reached {
  let at = 0
  for (let word = rest[at]; word && (isOption(word) || isAssignment(word)); word = rest[at])
    at += valued.includes(word.value) ? 2 : 1
  at += operands
  const command = rest.slice(at)
  const maybe = rest.map((_, start) => ({ words: rest.slice(start), certain: false }))
  const scripts = rest.filter(({ value }) => /[\s;|&$`]/.test(value)).map((word) => insideScript(word, depth))
  const hides =
    rest.slice(0, at).some(({ value, literal }) => !literal || /\s/.test(value)) ||
    (command.length === 0 && rest.length > 0) ||
    (TAKES_INPUT.has(name) && runsAnything(command[0]))
  return together([
    follow(command, depth),
    { commands: maybe, more: hides },
    ...scripts.map(({ commands, more }) => ({ commands: commands.map(asMaybe), more })),
  ])
}

/** Whether a command is whatever its arguments, which come from elsewhere, make of it. */
function runsAnything(name: Word | undefined): boolean {
  if (!name) return false
  const plainName = basename(name.value)
  return (
    SHELLS.has(plainName) || Object.hasOwn(WRAPPERS, plainName) || plainName === 'eval' || name.value.includes('{}')
  )
}

const NOTHING: Reached = { commands: [], more: false }
const UNSEEN: Reached = { commands: [], more: true }

function certainly(words: readonly Word[]): Reached {
  return { commands: [{ words, certain: true }], more: false }
}

function asMaybe({ words }: ReachedCommand): ReachedCommand {
  return { words, certain: false }
}

function together(reached: readonly Reached[]): Reached {
  return { commands: reached.flatMap(({ commands }) => commands), more: reached.some(({ more }) => more) }
}

function isLiteral({ literal }: Word): boolean {
  return literal
}

function isOption({ value }: Word): boolean {
  return value.startsWith('-')
}

function isAssignment({ value }: Word): boolean {
  return /^\w+\+?=/.test(value)
}

function valuesOf(words: readonly Word[]): string {
  return words.map(({ value }) => value).join(' ')
}
