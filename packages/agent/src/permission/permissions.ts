import { type RuleCall, readSubject, suggestRules } from 'hookline/rules'
import { type CallToDecide, decidePermission, type PermissionDecision } from './decide.ts'
import { type PermissionMode, settleMode } from './modes.ts'
import { addArguments, formatPermissionProblem, type PermissionRules, rebaseRules } from './permission-rules.ts'
import { type PermissionPlaces, type ReadSettings, readPermissions } from './rules.ts'
import { applyUpdates, type EditSettings, type PermissionState, type PermissionUpdate } from './update.ts'

/** Options of a session's permissions. */
export interface PermissionOptions extends PermissionPlaces {
  /** The settings files as the engine has read them last: other files are what the session goes by from then on. */
  readonly settings: () => ReadSettings
  /** Editor of the settings. */
  readonly edit: EditSettings
  /** The mode asked for; null: that of the settings. */
  readonly mode?: PermissionMode | null
  /** Rules of the command line. */
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
  /** Hears what other settings files came to: what is wrong in them, and another mode; null: the mode stays. */
  readonly onChange?: (change: { readonly problems: readonly string[]; readonly mode: PermissionMode | null }) => void
}

/** The permissions of one session; they change with what the user and hooks grant. */
export interface Permissions {
  readonly mode: PermissionMode
  readonly rules: PermissionRules
  /** Reason why the session cannot have the mode that was asked for; it ends with `bypass_permissions_disabled`. */
  readonly forbidden: string | null
  /** Problems of settings files and arguments, a line each. */
  readonly problems: readonly string[]
  readonly decide: (call: Omit<CallToDecide, 'rules' | 'mode'>) => Promise<PermissionDecision>
  /** The `permission_suggestions` of a call. */
  readonly suggest: (call: RuleCall) => Promise<PermissionUpdate[]>
  /** Applies `updatedPermissions`; resolves with what could not be applied. */
  readonly update: (updates: readonly unknown[]) => Promise<readonly string[]>
  /** Changes the mode; a text is why that cannot be. */
  readonly setMode: (mode: PermissionMode) => string | null
}

/** Reads the permissions of a session. */
export async function openPermissions(options: PermissionOptions): Promise<Permissions> {
  const { settings, edit, mode: asked = null, allow = [], deny = [], onChange = () => {} } = options
  let known = settings()
  let written = await readPermissions(options, known)
  const { rules, faults } = addArguments(written, { allow, deny })
  const settled = settleMode(asked, rules)
  const refused = 'refused' in settled
  const mayBypass = !refused && settled.mode === 'bypassPermissions'
  let standing: PermissionState = { rules, mode: refused ? 'default' : settled.mode }
  let changing: Promise<unknown> = Promise.resolve()
  /** Goes by the settings of now, in turn with all other changes. */
  const refreshRules = async (): Promise<void> => {
    if (settings().read === known.read) return
    const reading = changing.then(async () => {
      known = settings()
      const [before, now] = [written, await readPermissions(options, known)]
      written = now
      const isForbidden = now.bypassForbiddenBy !== null && standing.mode === 'bypassPermissions'
      standing = {
        rules: rebaseRules(standing.rules, { before, now }),
        mode: isForbidden ? 'default' : standing.mode,
      }
      const told = before.problems.map(formatPermissionProblem)
      const problems = now.problems.map(formatPermissionProblem).filter((text) => !told.includes(text))
      onChange({ problems, mode: isForbidden ? 'default' : null })
    })
    changing = reading.catch(() => {}) // the caller is told
    await reading
  }
  return {
    get mode() {
      return standing.mode
    },
    get rules() {
      return standing.rules
    },
    forbidden: refused ? settled.message : null,
    problems: [...rules.problems.map(formatPermissionProblem), ...faults],
    decide: async (call) => {
      await refreshRules()
      return decidePermission({ ...call, ...standing })
    },
    suggest: (call) => suggestUpdates(call, standing.rules),
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

/** Suggests what a dialog offers so that it need not ask again: rules about files last for the session, others go to the local settings. */
export async function suggestUpdates(call: RuleCall, rules: PermissionRules): Promise<PermissionUpdate[]> {
  const { toolName, input } = call
  const offered = await suggestRules(call, rules)
  if (offered.length === 0) return []
  const destination = readSubject(toolName, input, rules.project).kind === 'path' ? 'session' : 'localSettings'
  return [{ type: 'addRules', rules: offered, behavior: 'allow', destination }]
}
