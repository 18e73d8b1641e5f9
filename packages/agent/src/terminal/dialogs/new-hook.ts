import type { Engine, WritableScope } from 'hookline'

/** Writes a command hook, which is active at once; the answer says what became of it. */
export async function addCommandHook(
  engine: Engine,
  scope: WritableScope,
  { event, matcher, command }: { readonly event: string; readonly matcher: string; readonly command: string },
): Promise<string> {
  try {
    await engine.add(scope, { event, ...(matcher === '' ? {} : { matcher }), hook: { type: 'command', command } })
    return `Added, and active at once: ${event} ${command}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error) // the message says what is wrong with the hook or the file
  }
}
