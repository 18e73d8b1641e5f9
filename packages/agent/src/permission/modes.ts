/** Modes for calls that no rule decides. */
export const PERMISSION_MODES = ['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'] as const

/**
 * `default` asks for whatever is not a look into the project; `acceptEdits` lets edits in the project run too; `plan`
 * refuses whatever changes something; `auto` lets a model decide in the user's place; `dontAsk` refuses what would have to be
 * asked for; `bypassPermissions` asks nothing. Deny and ask rules hold in every mode.
 */
export type PermissionMode = (typeof PERMISSION_MODES)[number]

/** The mode of a session, or why it cannot have the one that was asked for: then the session ends with that reason. */
export type SettledMode =
  | { readonly mode: PermissionMode }
  | { readonly refused: 'bypass_permissions_disabled'; readonly message: string }

/** True if a text names a mode. */
export function isPermissionMode(name: unknown): name is PermissionMode {
  return PERMISSION_MODES.some((mode) => mode === name)
}

/** Settles the mode of a session: the one asked for, else that of the settings, unless policy forbids it. */
export function settleMode(
  asked: PermissionMode | null,
  {
    defaultMode,
    bypassForbiddenBy,
  }: {
    /** The mode that settings ask for, and the file that does. */
    readonly defaultMode: { readonly mode: PermissionMode; readonly file: string } | null
    /** The file that forbids the mode without questions. */
    readonly bypassForbiddenBy: string | null
  },
): SettledMode {
  const mode = asked ?? defaultMode?.mode ?? 'default'
  if (mode !== 'bypassPermissions' || bypassForbiddenBy === null) return { mode }
  const source = asked === null && defaultMode ? ` that ${defaultMode.file} asks for` : ''
  return {
    refused: 'bypass_permissions_disabled',
    message: `The mode bypassPermissions${source} is switched off by ${bypassForbiddenBy}. Start with --permission-mode default.`,
  }
}
