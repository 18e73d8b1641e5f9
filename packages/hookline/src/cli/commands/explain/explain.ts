import type { Explanation } from '../../../engine/explain.ts'
import { lineRuns } from '../../../protocol/hook-line.ts'
import type { HookLine } from '../../../protocol/record.ts'
import { eventInput, INPUT_FLAGS, INPUT_USAGE } from '../../start/event-argument.ts'
import { ENGINE_FLAGS, ENGINE_USAGE, engineOptions, readArguments } from '../../start/flags.ts'
import { commandTerminal, tellProblems, withEngine } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { hookView } from '../../view/hook-view.ts'
import { clipped } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'

export const usage = `hookline explain <Event> [field=value …] [flags]

Says of EVERY hook configured for the event what would become of it and why,
whether it can start, and then what would run, in order. Nothing is executed.

  hookline explain PreToolUse tool_name=Bash tool_input.command='git push'
  hookline explain SessionStart source=resume --json
  hookline explain PreToolUse tool_name=Bash --component .claude/skills/tidy/SKILL.md

${INPUT_USAGE}  --component FILE         a skill, agent or slash command that is active (repeatable)
  --again                  suppose the event has already happened in this session
  --halts HOOK             suppose that this hook (its id) answers continue: false
${ENGINE_USAGE}
Exit codes: 0 explained; 1 a mistake in the call.
`

const ASSUMPTION_FLAGS = {
  component: { type: 'string', multiple: true },
  again: { type: 'boolean' },
  halts: { type: 'string' },
} as const

/** Runs `hookline explain`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...ENGINE_FLAGS, ...INPUT_FLAGS, ...ASSUMPTION_FLAGS })
  const { again = false, halts, component = [] } = values
  return withEngine(values, async (engine) => {
    const input = await eventInput(positionals, values, engine.profiles)
    for (const file of component) await engine.activate(file)
    const { hooks, ...explained } = engine.explain(input, { again, ...(halts === undefined ? {} : { halts }) })
    const { startFaultsById } = await import('../../../check/programs.ts') // with a parser that no other quick command needs
    const faults = await startFaultsById(engine.list(), engineOptions(values))
    const explanation = { ...explained, hooks: hooks.map((line) => withStart(line, faults)) }
    if (values.json) printJson(explanation)
    else {
      tellProblems(engine)
      print(`${explanationView(explanation, commandTerminal(values)).join('\n')}\n`)
    }
    return 0
  })
}

/** A line of the plan, with what keeps the hook from starting. */
interface PlannedLine extends HookLine {
  readonly cannotStart?: string
}

/** A hook that is going to be tried may still not start. */
function withStart(line: HookLine, faults: ReadonlyMap<string, string>): PlannedLine {
  const cannotStart = line.planned ? faults.get(line.id) : undefined
  return cannotStart === undefined ? line : { ...line, cannotStart }
}

function explanationView(
  { event, matched, hooks, conditions }: Omit<Explanation, 'hooks'> & { readonly hooks: readonly PlannedLine[] },
  terminal: Terminal,
): string[] {
  const planned = hooks.filter((line) => line.planned)
  const going = planned.filter(({ cannotStart }) => cannotStart === undefined)
  const stuck = planned.length - going.length
  const subject = matched === null ? 'takes no matcher' : `${matched.field} is ${matched.value}`
  return [
    `${terminal.paint.bold(event)}  ${clipped(subject, terminal.width - event.length - 2)}`,
    ...(hooks.length === 0
      ? ['  no hook is configured for this event']
      : hooks.flatMap((line) =>
          hookView(line, terminal, { ...line, condition: conditions.find(({ id }) => id === line.id) }),
        )),
    '',
    ...(stuck === 0
      ? []
      : [`${stuck} of ${hooks.length} would be tried and cannot start: hookline validate says more.`]),
    `${going.length} of ${hooks.length} would run${going.length === 0 ? '.' : ', in this order:'}`,
    ...going.map((line, at) => `  ${at + 1}. ${clipped(lineRuns(line) ?? line.id, terminal.width - 6)}`),
  ]
}
