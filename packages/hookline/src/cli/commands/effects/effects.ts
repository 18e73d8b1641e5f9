import { effectsOf } from '../../../effects/effects-of.ts'
import type { ToolCall } from '../../../effects/tool-calls.ts'
import { listEffects } from '../../../effects/view.ts'
import { openWorld } from '../../../effects/world.ts'
import { describeEffect } from '../../../guards/messages.ts'
import { readPayload } from '../../input/hook-payload.ts'
import { LOOKING_FLAGS, readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { print, printJson } from '../../start/print.ts'
import { redactView } from '../../view/redact-verdict.ts'

export const usage = `hookline effects [COMMAND] [flags]

Prints what a call would read, write, delete, run, send and change, how sure
that is, and what its text does not show. Nothing is run. Without COMMAND it
reads the event of a call on stdin, as hooks get it.

  hookline effects 'rm -rf "$DIR"/*'
  hookline effects --json < event.json | jq '.effects[].does'

  --project DIR            the project; default: here, or the "cwd" of the event
  --home DIR               the home; default: yours
  --json                   print JSON
  --no-color               plain text; NO_COLOR does the same

Exit codes: 0; 1 a mistake in the call.
`

/** Runs `hookline effects`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, LOOKING_FLAGS)
  const [command, ...more] = positionals
  refusePositionals(more)
  const { home, project } = toEngineOptions(values)
  const { call, folder } =
    command === undefined ? await readEvent(project) : { call: { tool: 'Bash', input: { command } }, folder: project }
  const world = openWorld({ folder: values.project === undefined ? folder : project, home })
  const view = redactView(effectsOf(call, world), call, process.env)
  if (values.json) {
    printJson({ ...view })
    return 0
  }
  const lines = [
    ...listEffects(view).map((effect) => `${describeEffect(effect, world)}  ${effect.certainty}`),
    ...view.flows.map(({ from, to, target }) => `flows    ${from} → ${to} ${target}`),
    ...view.unseen.map(({ reason, of }) => `unseen   ${reason}: ${of}`),
  ]
  print(lines.length > 0 ? `${lines.join('\n')}\n` : 'no effects\n')
  return 0
}

async function readEvent(project: string): Promise<{ readonly call: ToolCall; readonly folder: string }> {
  if (process.stdin.isTTY)
    throw new UsageError("It takes a command, or an event on stdin: hookline effects 'rm -rf dist'")
  const { payload } = await readPayload()
  if (payload === null || typeof payload.tool_name !== 'string')
    throw new UsageError('stdin does not hold an event with a "tool_name".')
  const input = typeof payload.tool_input === 'object' && payload.tool_input !== null ? { ...payload.tool_input } : {}
  return { call: { tool: payload.tool_name, input }, folder: typeof payload.cwd === 'string' ? payload.cwd : project }
}
