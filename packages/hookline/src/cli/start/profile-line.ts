import type { Engine } from '../../engine/engine-interface.ts'
import { HooklineError } from '../../files/error.ts'
import { indentText } from '../view/layout.ts'
import { describeProfiles } from '../view/profile-view.ts'
import { ENGINE_FLAGS, type EngineFlags, RUNNING_FLAGS, UsageError } from './flags.ts'
import { openCommandTerminal, withEngine } from './opening.ts'
import { print } from './print.ts'
import { readPlainly } from './quick-start.ts'

/** Prints which profile is in force for an engine, and why. */
export function printProfile({ profiles, trust }: Pick<Engine, 'profiles' | 'trust'>, flags: EngineFlags): void {
  const words = describeProfiles(profiles, { trusted: trust.accepted })
  print(`${indentText(`Profile: ${words}.`, '', openCommandTerminal(flags).width)}\n`)
}

/** Prints which profile a call with these words would work under. Where that cannot be told, the call itself says why. */
export async function printProfileFor(words: readonly string[]): Promise<void> {
  const flags: EngineFlags = readPlainly(words, { ...ENGINE_FLAGS, ...RUNNING_FLAGS })?.values ?? {}
  try {
    await withEngine(flags, async (engine) => {
      printProfile(engine, flags)
      return 0
    })
  } catch (error) {
    if (!(error instanceof HooklineError || error instanceof UsageError)) throw error
  }
}
