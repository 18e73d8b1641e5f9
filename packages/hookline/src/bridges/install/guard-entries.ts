import type { Bridge, EventRule, HostScope } from '../bridge.ts'

/** The event that guards speak at. */
export const GUARDED_EVENT = 'PreToolUse'

const NOT_GUARDED: EventRule = { as: null, why: 'guards look at calls alone' }

/**
 * The bridge with entries of the guards alone, before calls. They stand beside entries that run all hooks, in the same file; a
 * plugin is a file of its own.
 */
export function toGuardBridge(bridge: Bridge): Bridge {
  const events = Object.entries(bridge.events).map(([name, rule]) => [
    name,
    rule.as === GUARDED_EVENT ? rule : NOT_GUARDED,
  ])
  const files = Object.entries(bridge.install.files).map(([scope, file]) => [scope, renamePlugin(file)])
  return {
    ...bridge,
    runs: 'guards',
    events: Object.fromEntries(events),
    // The scopes are those that it had.
    install: { ...bridge.install, files: Object.fromEntries(files) as Partial<Record<HostScope, string>> },
  }
}

const renamePlugin = (file: string): string => file.replace(/\bhookline\.js$/, 'hookline-guard.js')

/** The command that writes entries of a bridge, as a user types it. */
export const nameInstaller = ({ name, runs }: Pick<Bridge, 'name' | 'runs'>): string =>
  runs === 'guards' ? `hookline guard add --agent ${name}` : `hookline bridge install ${name}`

/** The command that takes entries of a bridge out again. */
export const nameUninstaller = ({ name, runs }: Pick<Bridge, 'name' | 'runs'>): string =>
  runs === 'guards' ? `hookline guard remove --agent ${name}` : `hookline bridge uninstall ${name}`
