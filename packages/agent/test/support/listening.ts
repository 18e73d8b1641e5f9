import type { AgentHooks } from '../../src/options.ts'

/** Hooks that keep what every SessionStart, SessionEnd and PreCompact was about. */
export function listening(): { readonly heard: string[]; readonly hooks: AgentHooks } {
  const heard: string[] = []
  const note = (value: string) => (input: Record<string, unknown>) =>
    void heard.push(`${input.hook_event_name} ${input[value]}`)
  const hooks = {
    SessionStart: [{ hooks: [note('source')] }],
    SessionEnd: [{ hooks: [note('reason')] }],
    PreCompact: [{ hooks: [note('trigger')] }],
  }
  return { heard, hooks }
}
