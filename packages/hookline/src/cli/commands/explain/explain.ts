import { findIds } from '../../../engine/listing.ts'
import { readRuns } from '../../../protocol/record/hook-line.ts'
import type { Cause } from '../../input/elsewhere.ts'
import { INPUT_FLAGS, INPUT_USAGE, readEventInput } from '../../input/event-argument.ts'
import { explainInFull, type FullExplanation, toExplainedJson } from '../../start/explaining.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  type EngineFlags,
  readArguments,
  toEngineOptions,
  trustCommands,
} from '../../start/flags.ts'
import { openCommandTerminal, tellProblems, tellProjectAbove, withEngine } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { formatCauses } from '../../view/cause-view.ts'
import { formatHook, trustHint } from '../../view/hook-view.ts'
import { clipText, indentText } from '../../view/layout.ts'
import { formatModules } from '../../view/module-view.ts'
import type { Terminal } from '../../view/terminal.ts'

export const usage = `hookline explain <Event> [field=value …] [flags]

Shows what would happen to every hook configured for the event and why, whether
it can start, and then what would run, in order. Nothing is executed.

  hookline explain PreToolUse tool_name=Bash tool_input.command='git push'
  hookline explain SessionStart source=resume --json
  hookline explain Stop --component .claude/skills/tidy/SKILL.md

${INPUT_USAGE}  --component FILE         a skill, agent or slash command that is active (repeatable)
  --again                  assume the event has already happened in this session
  --halts HOOK             assume that hooks run one after the other, and that
                           this one (key or id) answers continue: false
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
  const order = halts === undefined ? {} : { order: 'sequential' }
  return withEngine({ ...values, ...order }, async (engine) => {
    const input = await readEventInput(positionals, values, engine.profiles)
    for (const file of component) await engine.activate(file)
    const halting = halts === undefined ? {} : { halts: findIds(halts, engine.list())[0] ?? halts }
    const explanation = await explainInFull(engine, input, { ...toEngineOptions(values), again, ...halting })
    const { hooks, event } = explanation
    const causes = hooks.length > 0 ? [] : await findAbsenceCauses(values, event)
    if (values.json) printJson({ ...toExplainedJson(explanation), causes })
    else {
      tellProblems(engine)
      if (hooks.length > 0) await tellProjectAbove(engine, values)
      print(
        `${formatExplanation(explanation, { causes, trust: trustCommands(values) }, openCommandTerminal(values)).join('\n')}\n`,
      )
    }
    return 0
  })
}

/** Reason why no hook is configured for an event, as far as a look around tells. */
async function findAbsenceCauses(flags: EngineFlags, event: string): Promise<Cause[]> {
  const { findCausesElsewhere } = await import('../../input/elsewhere.ts') // only where there is nothing else to say
  return findCausesElsewhere(toEngineOptions(flags), event)
}

function formatExplanation(
  { event, matched, hooks, conditions, modules }: FullExplanation,
  { causes, trust }: { readonly causes: readonly Cause[]; readonly trust: ReturnType<typeof trustCommands> },
  terminal: Terminal,
): string[] {
  const planned = hooks.filter(({ line }) => line.planned)
  const going = planned.filter(({ cannotStart }) => cannotStart === undefined)
  const stuck = planned.length - going.length
  const subject = matched === null ? 'takes no matcher' : `${matched.field} is ${matched.value}`
  return [
    `${terminal.paint.bold(event)}  ${clipText(subject, terminal.width - event.length - 2)}`,
    ...(hooks.length === 0
      ? ['  no hook is configured for this event', ...formatCauses(causes, terminal)]
      : hooks.flatMap(({ line, ...more }) =>
          formatHook(line, terminal, { ...more, condition: conditions.find(({ id }) => id === line.id) }),
        )),
    ...formatModules(modules, terminal),
    '',
    ...(hooks.some(({ line }) => line.verdict === 'untrusted')
      ? [indentText(trustHint(trust), '', terminal.width), '']
      : []),
    ...(stuck === 0
      ? []
      : [`${stuck} of ${hooks.length} would be tried and cannot start: hookline validate says more.`]),
    `${going.length} of ${hooks.length} would run${going.length === 0 ? '.' : ', in this order:'}`,
    ...going.map(({ line }, at) => `  ${at + 1}. ${clipText(readRuns(line) ?? line.id, terminal.width - 6)}`),
  ]
}
