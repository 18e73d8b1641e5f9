import { type Call, subjectOf, suggestRules } from 'hookline/rules'
import type { SettingsFile } from 'hookline/settings'
import { type CallToDecide, decidePermission, type PermissionDecision } from './decide.ts'
import { type PermissionMode, settleMode } from './modes.ts'
import { type PermissionRules, withArguments } from './permission-rules.ts'
import { type PermissionPlaces, readPermissions } from './rules.ts'
import { applyUpdates, type EditSettings, type PermissionUpdate, type Standing } from './update.ts'

/** How the permissions of a session come about. */
export interface PermissionOptions extends PermissionPlaces {
  /** Whether the project was accepted. */
  readonly trusted: boolean
  /** The settings files as the engine read them. */
  readonly read: readonly SettingsFile[]
  /** How they are changed. */
  readonly edit: EditSettings
  /** The mode asked for; null: that of the settings. */
  readonly mode?: PermissionMode | null
  /** Rules of the command line. */
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

/** The permissions of one session; they change with what the user and hooks grant. */
export interface Permissions {
  readonly mode: PermissionMode
  readonly rules: PermissionRules
  /** Why the session cannot have the mode that was asked for; it ends with `bypass_permissions_disabled`. */
  readonly forbidden: string | null
  /** What is wrong in settings files and arguments, a line each. */
  readonly problems: readonly string[]
  readonly decide: (call: Omit<CallToDecide, 'rules' | 'mode'>) => Promise<PermissionDecision>
  /** The `permission_suggestions` of a call. */
  readonly suggest: (call: Call) => Promise<PermissionUpdate[]>
  /** Applies `updatedPermissions`; resolves with what could not be applied. */
  readonly update: (updates: readonly unknown[]) => Promise<readonly string[]>
  /** Changes the mode; a text is why that cannot be. */
  readonly setMode: (mode: PermissionMode) => string | null
}

/** Reads the permissions of a session. */
export async function openPermissions(options: PermissionOptions): Promise<Permissions> {
  const { trusted, read, edit, mode: asked = null, allow = [], deny = [] } = options
  const written = await readPermissions(options, { trusted, read })
  const { rules, faults } = withArguments(written, { allow, deny })
  const settled = settleMode(asked, rules)
  const refused = 'refused' in settled
  const mayBypass = !refused && settled.mode === 'bypassPermissions'
  let standing: Standing = { rules, mode: refused ? 'default' : settled.mode }
  let changing: Promise<unknown> = Promise.resolve()
  return {
    get mode() {
      return standing.mode
    },
    get rules() {
      return standing.rules
    },
    forbidden: refused ? settled.message : null,
    problems: [...rules.problems.map((p) => `${p.file}:${p.line}:${p.column}  ${p.message}`), ...faults],
    decide: (call) => decidePermission({ ...call, ...standing }),
    suggest: (call) => suggestionsFor(call, standing.rules),
    update: (updates) => {
      const changed = changing.then(async () => {
        const { standing: next, problems } = await applyUpdates(standing, updates, { edit, mayBypass })
        standing = next
        return problems
      })
      changing = changed.catch(() => {}) // the caller is told
      return changed
    },
    setMode: (mode) => {
      const next = settleMode(mode, standing.rules)
      if ('refused' in next) return next.message
      standing = { ...standing, mode }
      return null
    },
  }
}

/** What a dialog offers so that it need not ask again: rules about files last for the session, others go to the local settings. */
export async function suggestionsFor(call: Call, rules: PermissionRules): Promise<PermissionUpdate[]> {
  const { toolName, input } = call
  const offered = await suggestRules(call, rules)
  if (offered.length === 0) return []
  const destination = subjectOf(toolName, input, rules.project).kind === 'path' ? 'session' : 'localSettings'
  return [{ type: 'addRules', rules: offered, behavior: 'allow', destination }]
}
