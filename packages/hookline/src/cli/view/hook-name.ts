import { readRuns } from '../../protocol/record/hook-line.ts'
import type { HookLine } from '../../protocol/record/record.ts'
import { clipText } from './layout.ts'

/** A word of a command, quoted parts included. */
const WORD = /(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g
/** A file with one of these endings is a script, whatever stands before it. */
const SCRIPT = /\.(?:sh|bash|zsh|fish|py|js|mjs|cjs|ts|mts|rb|pl|php|lua|ps1|cmd|bat|exe)$/i
const MAX_NAME_LENGTH = 16

/** Formats what people call a hook: its script without the folder, or the beginning of what it runs. */
export function hookName(line: HookLine): string {
  const runs = readRuns(line)
  if (runs === null) return line.id
  const words = runs.match(WORD) ?? []
  const plain = words.map((word) => word.replaceAll(/["']/g, '').replace(/[;&|)]+$/, ''))
  const [program = ''] = plain
  const script = plain.find((word) => SCRIPT.test(word)) ?? (program.includes('/') ? program : undefined)
  if (script !== undefined && line.command !== undefined) return script.replace(/^.*[/\\]/, '')
  return clipText(runs, MAX_NAME_LENGTH)
}
