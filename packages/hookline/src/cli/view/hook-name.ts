import { findCommandScript, findScriptName } from '../../log/describe-outcome.ts'
import { readRuns } from '../../protocol/record/hook-line.ts'
import type { HookLine } from '../../protocol/record/record.ts'
import { clipText } from './layout.ts'

const MAX_NAME_LENGTH = 16

/** Formats what people call a hook: its script without the folder, or the beginning of what it runs. */
export function formatHookName(line: HookLine): string {
  const runs = readRuns(line)
  if (runs === null) return line.id
  return findScriptName(line) ?? clipText(runs, MAX_NAME_LENGTH)
}

/** The same for a hook of which only the text that it runs is known. */
export function formatCommandName(runs: string): string {
  return findCommandScript(runs) ?? clipText(runs, MAX_NAME_LENGTH)
}
