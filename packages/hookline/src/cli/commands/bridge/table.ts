import { endLine, toJsonText } from '../../../text/program-text.ts'
import { loadBridge } from '../../input/load-bridge.ts'
import { readArguments, refusePositionals, toEngineOptions } from '../../start/flags.ts'
import { printForProgram, printJson } from '../../start/print.ts'
import { BRIDGE_FLAGS } from './bridged.ts'

/** Runs `hookline bridge table`: the table of an agent, to begin another with. */
export async function runBridgeTable(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, BRIDGE_FLAGS)
  const [agent, ...more] = positionals
  refusePositionals(more)
  const bridge = await loadBridge(agent, toEngineOptions(values).home)
  if (values.json) printJson(bridge)
  else printForProgram(endLine(toJsonText(bridge, 2)))
  return 0
}
