/** A field of a hook, as far as a profile without it must know it. */
export interface HookField {
  /** What it changes about the start: `what` is started, or `whether` anything is; null: neither. */
  readonly start: 'what' | 'whether' | null
  /** Values that say what happens without the field anyway. */
  readonly usual: readonly unknown[]
}

/** What the hooks of a profile may be and have. */
export interface HookTable {
  readonly types: readonly string[]
  readonly fields: Readonly<Record<string, HookField>>
}

const PLAIN: HookField = { start: null, usual: [] }
const WHAT: HookField = { start: 'what', usual: [] }

const classic: HookTable = {
  types: ['command', 'prompt', 'agent'],
  fields: {
    type: WHAT,
    command: WHAT,
    prompt: WHAT,
    model: PLAIN,
    timeout: PLAIN,
    statusMessage: PLAIN,
    once: PLAIN,
    async: PLAIN,
    onFailure: PLAIN,
  },
}

/** The hooks of every profile there is, built or not, by its name: a hook that is meant for one must not run as something else in another. */
export const HOOK_TABLES: Readonly<Record<string, HookTable>> = {
  classic,
  current: {
    types: [...classic.types, 'http', 'mcp_tool'],
    fields: {
      ...classic.fields,
      if: { start: 'whether', usual: [''] },
      args: WHAT,
      shell: { start: 'what', usual: ['bash'] },
      url: WHAT,
      server: WHAT,
      tool: WHAT,
      asyncRewake: PLAIN,
      rewakeMessage: PLAIN,
      rewakeSummary: PLAIN,
      headers: PLAIN,
      allowedEnvVars: PLAIN,
      input: PLAIN,
      continueOnBlock: PLAIN,
    },
  },
}

/** The other profile that has a hook type; null when none has. */
export function otherProfileWithType(type: string, profile: string): string | null {
  const [name = null] = others(profile).find(([, { types }]) => types.includes(type)) ?? []
  return name
}

/** A field as another profile knows it; null when none does. */
export function fieldElsewhere(name: string, profile: string): { profile: string; field: HookField } | null {
  for (const [other, { fields }] of others(profile)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field) return { profile: other, field }
  }
  return null
}

/** Whether a field with this value means another start than there is without it. */
export function changesStart({ start, usual }: HookField, value: unknown): boolean {
  return start !== null && !usual.includes(value)
}

function others(profile: string): [string, HookTable][] {
  return Object.entries(HOOK_TABLES).filter(([name]) => name !== profile)
}
