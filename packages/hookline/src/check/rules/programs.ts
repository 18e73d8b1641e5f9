import { resolve } from 'node:path'
import type { ConfiguredHook } from '../../config/hook.ts'
import { programHint } from '../../process/launch-hint.ts'
import type { CommandText } from '../command.ts'
import type { Remark } from '../finding.ts'
import { kindAt } from '../kind-at.ts'
import { scriptEnclosure } from '../script-enclosure.ts'
import type { ShellWord } from '../shell-text.ts'
import type { Subject } from '../subject.ts'

/** V-HK-06 and V-HK-07: whether what a command is certain to start is there, and can be started. */
export async function programRules({ hook, invocations, node }: CommandText, subject: Subject): Promise<Remark[]> {
  if (process.platform === 'win32') return [] // another shell, other rules about what a program is
  const remarks: Remark[] = []
  for (const { program, script } of invocations) {
    const faults = [
      program && (await programFault(program, { hook, subject })),
      script && (await scriptFault(script, subject)),
    ]
    for (const fault of faults) if (fault) remarks.push({ ...fault, place: node })
  }
  return remarks
}

type Fault = Omit<Remark, 'place'>

async function programFault(
  word: ShellWord,
  { hook, subject }: { hook: ConfiguredHook; subject: Subject },
): Promise<Fault | null> {
  const { value } = word
  if (value === null || value === '') return null
  const missing = value.includes('/') ? await scriptFault(word, subject) : null
  if (missing) return missing
  const hint = await programHint(value, {
    cwd: subject.project,
    env: process.env,
    inside: scriptEnclosure(hook, value, subject.project),
  })
  if (hint === null) return null
  return { rule: 'V-HK-06', message: `It cannot be run: ${hint.replaceAll(`${subject.project}/`, '')}.` }
}

async function scriptFault({ value, raw }: ShellWord, { project }: Subject): Promise<Fault | null> {
  if (value === null) return null
  const path = resolve(project, value)
  const kind = await kindAt(path)
  if (kind === 'folder') return { rule: 'V-HK-07', message: `${raw} is a folder, not a script.` }
  return kind === 'missing' ? { rule: 'V-HK-07', message: `${raw} does not exist: there is no ${path}.` } : null
}
