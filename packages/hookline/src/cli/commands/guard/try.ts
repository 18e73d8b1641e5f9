import type { ToolCall } from '../../../effects/tool-calls.ts'
import { listEffects } from '../../../effects/view.ts'
import { LEVELS, type Verdict } from '../../../guards/judge.ts'
import { describeEffect, listSteps, writeException } from '../../../guards/messages.ts'
import { judgeHere, openSurroundings, type Surroundings } from '../../../guards/surroundings.ts'
import { findAgentAbove, findCallingAgent } from '../../start/calling-agent.ts'
import { readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson, tell } from '../../start/print.ts'
import { redactVerdict } from '../../view/redact-verdict.ts'
import type { Terminal } from '../../view/terminal.ts'

const FLAGS = {
  project: { type: 'string' },
  home: { type: 'string' },
  tool: { type: 'string' },
  input: { type: 'string' },
  level: { type: 'string' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

const EXIT_CODES: Readonly<Record<Verdict['answer'], number>> = { pass: 0, ask: 1, deny: 2 }

/** Runs `hookline guard try`: what a call would do, and what the guards say. Nothing is run. */
export async function tryCall(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [command, ...more] = positionals
  refusePositionals(more)
  const call = readCall(command, values)
  const { home, project } = toEngineOptions(values)
  const here = await openSurroundings({ home, folder: project, now: Date.now() })
  const level = LEVELS.find((each) => each === values.level)
  if (values.level !== undefined && !level)
    throw new UsageError(`--level must be ${LEVELS.join(', ')}, not "${values.level}".`)
  const verdict = redactVerdict(judgeHere(here, call, level ? { level } : {}), call, process.env)
  if (values.json) printJson({ ...verdict })
  else print(`${formatVerdict(verdict, here, openCommandTerminal(values)).join('\n')}\n`)
  for (const problem of here.rules.problems) tell(`${problem}\n`)
  return EXIT_CODES[verdict.answer]
}

/** The call that words and flags name. */
function readCall(
  command: string | undefined,
  { tool, input }: { readonly tool?: string | undefined; readonly input?: string | undefined },
): ToolCall {
  if (input === undefined) {
    if (command === undefined)
      throw new UsageError("It takes a command, or a tool and its input: hookline guard try 'rm -rf dist'")
    return { tool: tool ?? 'Bash', input: { command } }
  }
  try {
    const value: unknown = JSON.parse(input)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { tool: tool ?? 'Bash', input: { ...value } }
  } catch {
    // told below, with the same words as for a value that is not an object
  }
  throw new UsageError('--input must be a JSON object, as in: --input \'{"command":"ls"}\'')
}

/** True where a user reads what is printed: at a terminal, and not in the session of an agent, which reads along. */
function isBeforeUser(): boolean {
  return process.stdout.isTTY && findCallingAgent(process.env) === null && findAgentAbove(process.ppid) === null
}

function formatVerdict(verdict: Verdict, { world }: Surroundings, { paint }: Terminal): string[] {
  const { answer, findings, excused, view } = verdict
  const [first] = findings
  const colors = { pass: paint.green, ask: paint.yellow, deny: paint.red }
  const words = {
    pass: 'passes: no guard has anything against it',
    ask: `asked about by ${first?.guard}: ${first?.says}`,
    deny: `denied by ${first?.guard}: ${first?.says}`,
  }
  const steps = first
    ? listSteps(first).map(
        ({ text, at }, depth) =>
          `  ${'  '.repeat(depth)}${depth > 0 ? '└ ' : ''}${text}${at ? paint.dim(`   ${at}`) : ''}`,
      )
    : []
  const shown = listEffects(view).filter(({ does }) => does !== 'run')
  const effects = shown
    .slice(0, 40)
    .map((effect) => `  ${describeEffect(effect, world)}  ${paint.dim(effect.certainty)}`)
  const flows = view.flows.map(({ from, to, target }) => `  flows    ${from} → ${to} ${target}`)
  const unseen = view.unseen.map(({ reason, of }) => paint.dim(`  unseen   ${reason}: ${of}`))
  const more = findings
    .slice(1)
    .map(({ guard, says, answer: also }) => `  also ${also === 'deny' ? 'denied' : 'asked about'} by ${guard}: ${says}`)
  const passed = excused.map(({ guard, says, reason }) => `  let pass by an exception of ${guard} (${reason}): ${says}`)
  const instead = first ? ['', `Instead: ${first.instead}`] : []
  const way = first && isBeforeUser() ? writeException(first) : null
  const exception = way === null ? [] : [`Only you: ${way}`]
  return [
    colors[answer](words[answer]),
    ...(steps.length > 0 ? ['', ...steps] : []),
    ...(shown.length + flows.length + unseen.length > 0 ? [''] : []),
    ...effects,
    ...flows,
    ...unseen,
    ...more,
    ...passed,
    ...instead,
    ...exception,
  ]
}
