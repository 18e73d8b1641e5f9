import { toProgramText } from '../../../text/program-text.ts'
import type { Command } from '../../start/call.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  notOneOf,
  profilesOf,
  readArguments,
  refusePositionals,
  UsageError,
} from '../../start/flags.ts'
import { printForProgram, printJson } from '../../start/print.ts'
import { type CompletionTable, SHELLS } from './completion-script.ts'

export const usage = `hookline completion bash|zsh|fish [flags]

Prints a script that completes commands, flags and event names in your shell.

  source <(hookline completion bash)                  # in ~/.bashrc
  source <(hookline completion zsh)                   # in ~/.zshrc
  hookline completion fish | source                   # in config.fish

${ENGINE_USAGE}
Exit codes: 0; 1 a mistake in the call.
`

type Commands = Readonly<Record<string, Command>>

/** Runs `hookline completion` for a table of commands. */
export async function runWith(commands: Commands, args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, ENGINE_FLAGS)
  const [name, ...rest] = positionals
  refusePositionals(rest)
  const write = name !== undefined && Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined
  const shells = Object.keys(SHELLS)
  if (!write)
    throw name === undefined ? new UsageError(`for which shell? ${shells.join(', ')}.`) : notOneOf(name, shells)
  const table = await completionTable(commands, [...(await profilesOf(values)).project.events.keys()])
  if (values.json) printJson(table)
  else printForProgram(toProgramText(write(table)))
  return 0
}

/** What can be completed, taken from what each command says about itself. */
async function completionTable(all: Commands, events: readonly string[]): Promise<CompletionTable> {
  const commands = Object.entries(all).map(async ([name, { summary, load }]) => {
    const { usage: told } = await load()
    const [call = ''] = told.split('\n', 1)
    const flags = [...new Set([...told.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag = '']) => flag)), '--help']
    return {
      name,
      summary,
      flags,
      values: valuesIn(told),
      words: [...wordsIn(told), ...(call.includes('<Event>') ? events : [])],
    }
  })
  return { commands: await Promise.all(commands), events }
}

/** The values that a usage lists for its flags: `a (default), b or c` behind the flag, or behind a colon. */
function valuesIn(usage: string): Record<string, string[]> {
  const told = usage.replace(/\n {27}(?=\S)/g, ' ')
  const lines = [...told.matchAll(/^ {2}(--[\w-]+) [A-Z]+ +(.*)$/gm)]
  return Object.fromEntries(
    lines.flatMap(([, flag = '', text = '']) => {
      const plain = text.replace(/ \([^)]*\)/g, '')
      const lists = [plain, plain.slice(plain.indexOf(': ') + 2)].map(listIn)
      const values = lists.find((list) => list.length > 1) ?? []
      return values.length > 1 ? [[flag, values]] : []
    }),
  )
}

/** The words that a text begins with, as a list of them. */
function listIn(text: string): string[] {
  const words = text.split(/, (?:or )?| or |;| default:/).map((word) => word.trim())
  const end = words.findIndex((word) => !/^[a-z][\w-]*$/.test(word))
  return end < 0 ? words : words.slice(0, end)
}

/** The words that a call may have in one place, written `one|two`. */
function wordsIn(usage: string): string[] {
  const [calls = ''] = usage.split('\n\n', 1)
  const choices = calls.match(/[a-z]+(?:\|[<>\w-]+)+/)?.[0] ?? ''
  return choices.split('|').filter((word) => /^[a-z-]+$/.test(word))
}
